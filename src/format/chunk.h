/* Chunks, of which most containers are made: a name, a size, and so many bytes. RIFF, IFF, CAF and
 * W64 differ in no more than what a shape says. Pure. Private to this room. */
#ifndef GPUENV_FORMAT_CHUNK_H
#define GPUENV_FORMAT_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

/* More than any file holds: a size that means something else. */
#define CHUNK_HUGE (UINT64_C(1) << 62)

enum { CHUNK_START_MOST = 24 }; /* bytes in front of what a chunk holds, of any shape */

struct chunk_shape {
    unsigned name;  /* bytes */
    unsigned size;  /* bytes of it */
    bool big;       /* the order of the size's bytes, and of all numbers in the file */
    bool whole;     /* the size counts the name and itself, too */
    unsigned align; /* chunks begin at multiples of this */
};

extern const struct chunk_shape chunk_riff;
extern const struct chunk_shape chunk_iff; /* and RIFX */
extern const struct chunk_shape chunk_caf;
extern const struct chunk_shape chunk_w64;

struct chunk {
    uint64_t size;   /* of what it holds */
    uint64_t padded; /* bytes from there to the next chunk; `size` where that is huge */
};

/* How many bytes stand in front of what a chunk holds. */
unsigned chunk_start(const struct chunk_shape *shape);

/* Understands these bytes. False: the size is less than what it counts, the chunk makes no sense.
 */
bool chunk_parse(const struct chunk_shape *shape, const unsigned char *bytes, struct chunk *chunk);

/* Do they begin with a name that can be read? */
bool chunk_has_name(const unsigned char *bytes);

#endif
