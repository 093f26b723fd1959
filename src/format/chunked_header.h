/* The headers of files that are made of chunks, up to the first byte of the samples: WAV, RIFX,
 * RF64, BW64, W64, AIFF, AIFC and CAF. Pure: a header is handed bytes, and says what it wants next.
 * It never asks for more than CHUNKED_MOST bytes at a time, and keeps none of them.
 *
 *     chunked_begin(&header, &wav_header);
 *     while (header.want is CHUNKED_WANTS_...)
 *         hand over what it wants, by the function of that name;
 *
 * Private to this room. */
#ifndef GPUENV_FORMAT_CHUNKED_HEADER_H
#define GPUENV_FORMAT_CHUNKED_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/chunk.h"
#include "sample/sample_type.h"

enum { CHUNKED_MOST = 64 };

/* The samples go on until the stream ends. */
#define CHUNKED_UNTIL_END UINT64_MAX

enum chunked_want {
    CHUNKED_WANTS_BYTES, /* exactly `size` bytes: chunked_take() */
    CHUNKED_WANTS_SKIP,  /* `size` bytes passed over: chunked_skipped() */
    CHUNKED_WANTS_LOOK, /* `size` bytes or fewer, as many as there are, not taken: chunked_look() */
    CHUNKED_IS_READY,   /* the next byte is the first of the samples */
    CHUNKED_IS_FOREIGN, /* its samples are not PCM or float, or the header comes last: `codec` */
    CHUNKED_IS_BAD,     /* `why` */
};

struct chunked_class;

struct chunked_header {
    const struct chunked_class *class;
    enum chunked_want want;
    uint64_t size;

    /* when ready */
    const char *container; /* "wav", "rf64", ... */
    struct sample_type sample;
    unsigned channels;
    double rate; /* 0: not known */
    uint64_t bytes;
    unsigned padding;                /* see struct framed_data */
    const struct chunk_shape *shape; /* of chunks that may stand behind the samples, too */

    char codec[48];  /* when foreign */
    const char *why; /* when bad: "has no fmt chunk before its data" */

    /* its own */
    int state;
    bool has_format;
    uint64_t position;   /* bytes so far */
    uint64_t file_end;   /* where the file says that it ends; 0: it does not say */
    uint64_t data_bytes; /* said elsewhere than in the data's own chunk */
    bool has_data_bytes;
    uint64_t rest; /* of the chunk, behind what was asked for */
};

struct chunked_class {
    const char *container;
    uint64_t first;                  /* bytes to begin with */
    const struct chunk_shape *shape; /* to begin with */
    void (*take)(struct chunked_header *header, const unsigned char *bytes);
};

extern const struct chunked_class wav_header;  /* and W64 */
extern const struct chunked_class aiff_header; /* and AIFC */
extern const struct chunked_class caf_header;

void chunked_begin(struct chunked_header *header, const struct chunked_class *class);
void chunked_take(struct chunked_header *header, const unsigned char *bytes);
void chunked_skipped(struct chunked_header *header);
void chunked_look(struct chunked_header *header, const unsigned char *bytes, size_t size);

/* For the classes. States are numbers of their own; these two are the same for all. */
enum {
    CHUNKED_START,
    CHUNKED_CHUNK, /* what stands in front of a chunk */
    CHUNKED_STATES
};

void chunked_bad(struct chunked_header *header, const char *why);
void chunked_foreign(struct chunked_header *header, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void chunked_ready(struct chunked_header *header, uint64_t bytes);

/* The next chunk, after passing over so many bytes. */
void chunked_next(struct chunked_header *header, uint64_t skip);

/* Another state, after passing over so many bytes (at least one): its take() gets NULL. */
void chunked_skip_to(struct chunked_header *header, int state, uint64_t size);

/* What is wanted of a chunk: its first bytes. */
struct chunked_part {
    int state;
    uint64_t least;
    uint64_t most;
    const char *why; /* where there are less */
};

/* The first bytes of a chunk of `size` bytes, which are `whole` with its padding. */
void chunked_want(struct chunked_header *header, const struct chunked_part *part, uint64_t size,
                  uint64_t whole);

/* The data say that they have no bytes: see chunked_look(). */
void chunked_empty(struct chunked_header *header);

#endif
