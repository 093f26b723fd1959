/* SPDX-License-Identifier: MIT */
/* Arrays with any distances between their samples, and copies to and from adjacent samples. */
#ifndef GPUENV_SAMPLE_STRIDED_H
#define GPUENV_SAMPLE_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"

/* Distances are in bytes, and may be negative. */
struct strided {
    unsigned char *data;
    struct sample_type sample;
    size_t bytes; /* bytes of a sample */
    uint64_t rows;
    uint64_t frames;
    uint64_t channels;
    ptrdiff_t row;
    ptrdiff_t frame;
    ptrdiff_t channel;
};

static inline unsigned char *strided_at(const struct strided *array, uint64_t row, uint64_t frame,
                                        uint64_t channel)
{
    return array->data + (ptrdiff_t)row * array->row + (ptrdiff_t)frame * array->frame +
           (ptrdiff_t)channel * array->channel;
}

/* Do all numbers lie at multiples of their size? */
bool strided_is_aligned(const struct strided *array);

/* Would frames of `count` channels be adjacent? */
bool strided_is_plain(const struct strided *array, size_t count);

/* Copies samples of `bytes` bytes from places `from_step` apart to places `to_step` apart. The
 * places may overlap if the first sample stays, and the others move closer to it. */
void strided_copy(const unsigned char *from, ptrdiff_t from_step, unsigned char *to,
                  ptrdiff_t to_step, size_t count, size_t bytes);

/* Copies samples between an array and adjacent frames of `channels` channels. `at` is the array's
 * first sample. */
void strided_gather(const struct strided *array, const unsigned char *at, size_t frames,
                    size_t channels, void *to);
void strided_scatter(const struct strided *array, const void *from, size_t frames, size_t channels,
                     unsigned char *at);

#endif
