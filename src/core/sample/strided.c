/* SPDX-License-Identifier: MIT */
#include "sample/strided.h"

#include <string.h>

bool strided_is_aligned(const struct strided *array)
{
    const size_t bytes = array->bytes == 3 ? 1 : array->bytes == 16 ? 8 : array->bytes;

    return array->frames == 0 || ((uintptr_t)array->data % bytes == 0 &&
                                  (array->rows == 1 || array->row % (ptrdiff_t)bytes == 0) &&
                                  (array->frames == 1 || array->frame % (ptrdiff_t)bytes == 0) &&
                                  (array->channels == 1 || array->channel % (ptrdiff_t)bytes == 0));
}

bool strided_is_plain(const struct strided *array, size_t count)
{
    return (count == 1 || array->channel == (ptrdiff_t)array->bytes) &&
           array->frame == (ptrdiff_t)(array->bytes * count);
}

static inline __attribute__((always_inline)) void copy_each(const unsigned char *from,
                                                            ptrdiff_t from_step, unsigned char *to,
                                                            ptrdiff_t to_step, size_t count,
                                                            const size_t bytes)
{
#pragma GCC unroll 8
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        memcpy(to + i * to_step, from + i * from_step, bytes);
}

/* `bytes` is a constant in each call. So are both steps where samples are turned around, which lets
 * compilers vectorize the loop, and `to_step` where samples become adjacent. */
static inline __attribute__((always_inline)) void copy_by(const unsigned char *from,
                                                          ptrdiff_t from_step, unsigned char *to,
                                                          ptrdiff_t to_step, size_t count,
                                                          const size_t bytes)
{
    const ptrdiff_t step = (ptrdiff_t)bytes;

    if (from_step == -step && to_step == step)
        copy_each(from, -step, to, step, count, bytes);
    else if (from_step == step && to_step == -step)
        copy_each(from - step + step * (ptrdiff_t)count, -step, to + step - step * (ptrdiff_t)count,
                  step, count, bytes);
    else if (to_step == step)
        copy_each(from, from_step, to, step, count, bytes);
    else
        copy_each(from, from_step, to, to_step, count, bytes);
}

void strided_copy(const unsigned char *from, ptrdiff_t from_step, unsigned char *to,
                  ptrdiff_t to_step, size_t count, size_t bytes)
{
    if (count == 0) /* memcpy() must not be given NULL, even with a size of 0 */
        return;
    /* A single sample may have any step, even one too large to be added to its address. */
    if (count == 1 || (from_step == (ptrdiff_t)bytes && to_step == (ptrdiff_t)bytes))
        memcpy(to, from, count * bytes);
    else if (bytes == 4)
        copy_by(from, from_step, to, to_step, count, 4);
    else if (bytes == 8)
        copy_by(from, from_step, to, to_step, count, 8);
    else if (bytes == 16)
        copy_by(from, from_step, to, to_step, count, 16);
    else if (bytes == 2)
        copy_by(from, from_step, to, to_step, count, 2);
    else if (bytes == 1)
        copy_by(from, from_step, to, to_step, count, 1);
    else
        copy_each(from, from_step, to, to_step, count, bytes);
}

void strided_gather(const struct strided *array, const unsigned char *at, size_t frames,
                    size_t channels, void *to)
{
    const bool adjacent = array->channel == (ptrdiff_t)array->bytes;
    const size_t runs = adjacent ? 1 : channels; /* copies for each frame */
    const size_t bytes = array->bytes * (adjacent ? channels : 1);
    unsigned char *next = to;

    for (size_t i = 0; i < runs; i++)
        strided_copy(at + (ptrdiff_t)i * array->channel, array->frame, next + i * bytes,
                     (ptrdiff_t)(runs * bytes), frames, bytes);
}

void strided_scatter(const struct strided *array, const void *from, size_t frames, size_t channels,
                     unsigned char *at)
{
    const bool adjacent = array->channel == (ptrdiff_t)array->bytes;
    const size_t runs = adjacent ? 1 : channels;
    const size_t bytes = array->bytes * (adjacent ? channels : 1);
    const unsigned char *next = from;

    for (size_t i = 0; i < runs; i++)
        strided_copy(next + i * bytes, (ptrdiff_t)(runs * bytes),
                     at + (ptrdiff_t)i * array->channel, array->frame, frames, bytes);
}
