/* Arrays with any distances between their samples: checks, and copies to and from blocks of
 * adjacent samples. */
#ifndef GPUENV_LIB_STRIDED_H
#define GPUENV_LIB_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/gpuenv.h"
#include "sample/sample_type.h"

struct strided {
    unsigned char *data;
    struct sample_type sample;
    size_t bytes; /* of a sample */
    uint64_t rows;
    uint64_t frames;
    uint64_t channels;
    ptrdiff_t row;
    ptrdiff_t frame;
    ptrdiff_t channel;
};

/* Checks an array that a caller gives; `name` is the subject of errors. */
int strided_read(struct strided *array, const gpuenv_array *given, bool scaled, const char *name,
                 gpuenv_error *error);

static inline unsigned char *strided_at(const struct strided *array, uint64_t row, uint64_t frame,
                                        uint64_t channel)
{
    return array->data + (ptrdiff_t)row * array->row + (ptrdiff_t)frame * array->frame +
           (ptrdiff_t)channel * array->channel;
}

/* Would frames of `count` channels be adjacent? */
bool strided_is_plain(const struct strided *array, size_t count);

/* Copies samples between an array and adjacent frames of `channels` channels. `at` is the first
 * sample. */
void strided_gather(const struct strided *array, const unsigned char *at, size_t frames,
                    size_t channels, void *to);
void strided_scatter(const struct strided *array, const void *from, size_t frames, size_t channels,
                     unsigned char *at);

#endif
