/* SPDX-License-Identifier: MIT */
/* Chunks, of which most containers consist: a name, a size, and the contents. A shape describes the
 * differences between RIFF, IFF, CAF and W64. */
#ifndef GPUENV_FORMAT_FILE_CHUNK_PRIV_H
#define GPUENV_FORMAT_FILE_CHUNK_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger than any file: a size with a special meaning. */
#define CHUNK_HUGE (UINT64_C(1) << 62)

enum { CHUNK_START_MOST = 24 }; /* bytes of a chunk header, of any shape */

struct chunk_shape {
    unsigned name;  /* bytes of the name */
    unsigned size;  /* bytes of the size field */
    bool big;       /* the byte order of the size, and of all numbers in the file */
    bool whole;     /* the size includes the chunk header */
    unsigned align; /* chunks begin at multiples of this */
};

extern const struct chunk_shape chunk_riff;
extern const struct chunk_shape chunk_iff; /* IFF and RIFX */
extern const struct chunk_shape chunk_caf;
extern const struct chunk_shape chunk_w64;

struct file_chunk {
    uint64_t size;   /* bytes of the contents */
    uint64_t padded; /* bytes from the contents to the next chunk; `size` if that is huge */
};

/* The size of a chunk header. */
unsigned chunk_start(const struct chunk_shape *shape);

/* Parses a chunk header. False if the size is impossibly small. */
bool chunk_parse(const struct chunk_shape *shape, const unsigned char *bytes,
                 struct file_chunk *chunk);

/* True if writers to a pipe may state this size because they do not know it. Such sizes are near
 * 2^32 or 2^31. */
bool chunk_size_is_placeholder(uint64_t size);

/* True if these bytes begin with a printable name. */
bool chunk_has_name(const unsigned char *bytes);

#endif
