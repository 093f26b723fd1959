/* SPDX-License-Identifier: MIT */
/* All machines that matter have vectors of 16 bytes, so one version serves all instruction sets: it
 * costs little compared with sliding. It copies values of any meaning.
 *
 * Four vectors hold a *square*: the values of four planes in as many frames as a vector has values.
 * It becomes four planes, or frames again, by perfect shuffles (see shuffle()). Frames of two
 * channels, and single planes, are loops that compilers make vectors of. */
#include "cpu/planes.h"

#include <stdint.h>
#include <string.h>

#include "sample/strided.h"

typedef uint8_t octets __attribute__((vector_size(16)));
typedef uint16_t shorts __attribute__((vector_size(16)));
typedef uint32_t quad __attribute__((vector_size(16)));
typedef uint64_t couple __attribute__((vector_size(16)));

/* A function in whose calls `bytes` and `planes` are constants. */
#define PLANES_INLINE static inline __attribute__((always_inline))

struct square {
    octets row[PLANES_GROUP];
};

/* Interleaves the values of the first two vectors with those of the last two. That rotates the bits
 * of a value's number left by one: the bits of the frame, which come first in frames, move behind
 * those of the plane, or before them again. */
PLANES_INLINE struct square shuffle(struct square in, const size_t bytes)
{
    struct square out;

    for (size_t i = 0; i < 2; i++) {
        const octets a = in.row[i];
        const octets b = in.row[i + 2];
        octets *to = &out.row[2 * i];

        if (bytes == 1) {
            to[0] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                            7, 23);
            to[1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14,
                                            30, 15, 31);
        } else if (bytes == 2) {
            to[0] = (octets)__builtin_shufflevector((shorts)a, (shorts)b, 0, 8, 1, 9, 2, 10, 3, 11);
            to[1] =
                (octets)__builtin_shufflevector((shorts)a, (shorts)b, 4, 12, 5, 13, 6, 14, 7, 15);
        } else if (bytes == 4) {
            to[0] = (octets)__builtin_shufflevector((quad)a, (quad)b, 0, 4, 1, 5);
            to[1] = (octets)__builtin_shufflevector((quad)a, (quad)b, 2, 6, 3, 7);
        } else {
            to[0] = (octets)__builtin_shufflevector((couple)a, (couple)b, 0, 2);
            to[1] = (octets)__builtin_shufflevector((couple)a, (couple)b, 1, 3);
        }
    }
    return out;
}

/* Vector `row` of a square whose frames are `step` bytes apart: several frames, one, or half of
 * one. */
PLANES_INLINE octets gather(const unsigned char *frames, size_t step, size_t row,
                            const size_t bytes)
{
    uint32_t words[4];
    uint64_t two[2];
    octets vector;

    frames += row * 4 / bytes * step;
    if (bytes == 1) {
        for (size_t i = 0; i < 4; i++)
            memcpy(&words[i], frames + i * step, sizeof words[i]);
        return (octets)(quad){words[0], words[1], words[2], words[3]};
    }
    if (bytes == 2) {
        for (size_t i = 0; i < 2; i++)
            memcpy(&two[i], frames + i * step, sizeof two[i]);
        return (octets)(couple){two[0], two[1]};
    }
    memcpy(&vector, bytes == 8 ? frames + row % 2 * sizeof vector : frames, sizeof vector);
    return vector;
}

/* Writes the first `values` values of the vector's frames. */
PLANES_INLINE void scatter(octets vector, unsigned char *frames, size_t step, size_t row,
                           const size_t values, const size_t bytes)
{
    const quad words = (quad)vector;
    const couple two = (couple)vector;

    frames += row * 4 / bytes * step;
    for (size_t i = 0; i < 4 && bytes == 1; i++) {
        const uint32_t word = words[i];

        memcpy(frames + i * step, &word, values);
    }
    for (size_t i = 0; i < 2 && bytes == 2; i++) {
        const uint64_t one = two[i];

        memcpy(frames + i * step, &one, values * 2);
    }
    if (bytes == 4)
        memcpy(frames, &vector, values * 4);
    if (bytes == 8 && values > row % 2 * 2)
        memcpy(frames + row % 2 * sizeof vector, &vector, values - row % 2 * 2 == 1 ? 8 : 16);
}

/* Returns how many frames are done. All four values of a frame are loaded even if fewer are wanted:
 * because some frames follow, all four can be read, wherever in the frame these planes lie. */
PLANES_INLINE size_t split_squares(const unsigned char *frames, size_t stride, const size_t planes,
                                   size_t count, void *const plane[], const size_t bytes)
{
    const size_t some = 16 / bytes;
    const size_t behind = (PLANES_GROUP - planes + stride - 1) / stride;
    size_t i = 0;

    for (; i + some + behind <= count; i += some) {
        struct square square;

#pragma GCC unroll 4
        for (size_t row = 0; row < PLANES_GROUP; row++)
            square.row[row] = gather(frames + i * stride * bytes, stride * bytes, row, bytes);
#pragma GCC unroll 4
        for (size_t values = some; values > 1; values /= 2)
            square = shuffle(square, bytes);
#pragma GCC unroll 4
        for (size_t p = 0; p < planes; p++)
            memcpy((unsigned char *)plane[p] + i * bytes, &square.row[p], sizeof square.row[p]);
    }
    return i;
}

/* Writes `values` values of each frame: those of the planes, and others that the next frame
 * overwrites. */
PLANES_INLINE size_t join_squares(const void *const plane[], const size_t planes,
                                  const size_t values, size_t count, unsigned char *frames,
                                  size_t stride, const size_t bytes)
{
    const size_t behind = values > planes;
    const size_t some = 16 / bytes;
    const unsigned char *from[PLANES_GROUP]; /* stays in registers: `frames` may alias `plane` */
    size_t i = 0;

    for (size_t p = 0; p < planes; p++)
        from[p] = plane[p];
    for (; i + some + behind <= count; i += some) {
        struct square square = {{{0}, {0}, {0}, {0}}};

#pragma GCC unroll 4
        for (size_t p = 0; p < planes; p++)
            memcpy(&square.row[p], from[p] + i * bytes, sizeof square.row[p]);
        square = shuffle(shuffle(square, bytes), bytes);
#pragma GCC unroll 4
        for (size_t row = 0; row < PLANES_GROUP; row++)
            scatter(square.row[row], frames + i * stride * bytes, stride * bytes, row, values,
                    bytes);
    }
    return i;
}

/* Splits frames of two values into both planes. */
PLANES_INLINE void split_pairs(const unsigned char *frames, size_t count,
                               unsigned char *restrict first, unsigned char *restrict second,
                               const size_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(first + i * bytes, frames + 2 * i * bytes, bytes);
        memcpy(second + i * bytes, frames + (2 * i + 1) * bytes, bytes);
    }
}

PLANES_INLINE void join_pairs(const unsigned char *first, const unsigned char *second, size_t count,
                              unsigned char *restrict frames, const size_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(frames + 2 * i * bytes, first + i * bytes, bytes);
        memcpy(frames + (2 * i + 1) * bytes, second + i * bytes, bytes);
    }
}

/* split_group() and join_group() handle up to four planes, and return how many frames are done. */
PLANES_INLINE size_t split_group(const unsigned char *frames, size_t stride, size_t planes,
                                 size_t count, void *const plane[], const size_t bytes)
{
    if (stride == 2 && planes == 2) {
        split_pairs(frames, count, plane[0], plane[1], bytes);
        return count;
    }
    return planes == 4   ? split_squares(frames, stride, 4, count, plane, bytes)
           : planes == 3 ? split_squares(frames, stride, 3, count, plane, bytes)
           : planes == 2 ? split_squares(frames, stride, 2, count, plane, bytes)
                         : split_squares(frames, stride, 1, count, plane, bytes);
}

PLANES_INLINE size_t join_group(const void *const plane[], size_t planes, size_t count,
                                unsigned char *frames, size_t stride, const size_t bytes)
{
    if (stride == 2 && planes == 2) {
        join_pairs(plane[0], plane[1], count, frames, bytes);
        return count;
    }
    if (stride == 3 && planes == 3)
        return join_squares(plane, 3, 4, count, frames, stride, bytes);
    return planes == 4   ? join_squares(plane, 4, 4, count, frames, stride, bytes)
           : planes == 3 ? join_squares(plane, 3, 3, count, frames, stride, bytes)
           : planes == 2 ? join_squares(plane, 2, 2, count, frames, stride, bytes)
                         : 0;
}

void planes_split(size_t value_bytes, const void *frames, size_t stride, unsigned planes,
                  size_t count, void *const plane[])
{
    const unsigned char *from = frames;
    const size_t done = value_bytes == 1   ? split_group(from, stride, planes, count, plane, 1)
                        : value_bytes == 2 ? split_group(from, stride, planes, count, plane, 2)
                        : value_bytes == 4 ? split_group(from, stride, planes, count, plane, 4)
                        : value_bytes == 8 ? split_group(from, stride, planes, count, plane, 8)
                                           : 0;

    for (unsigned p = 0; p < planes && done < count; p++)
        strided_copy(from + (done * stride + p) * value_bytes, (ptrdiff_t)(stride * value_bytes),
                     (unsigned char *)plane[p] + done * value_bytes, (ptrdiff_t)value_bytes,
                     count - done, value_bytes);
}

/* Joins at most PLANES_GROUP planes. */
static void join_some(size_t value_bytes, const void *const plane[], unsigned planes, size_t count,
                      unsigned char *to, size_t stride)
{
    const size_t done = value_bytes == 1   ? join_group(plane, planes, count, to, stride, 1)
                        : value_bytes == 2 ? join_group(plane, planes, count, to, stride, 2)
                        : value_bytes == 4 ? join_group(plane, planes, count, to, stride, 4)
                        : value_bytes == 8 ? join_group(plane, planes, count, to, stride, 8)
                                           : 0;

    for (unsigned p = 0; p < planes && done < count; p++)
        strided_copy((const unsigned char *)plane[p] + done * value_bytes, (ptrdiff_t)value_bytes,
                     to + (done * stride + p) * value_bytes, (ptrdiff_t)(stride * value_bytes),
                     count - done, value_bytes);
}

void planes_join(size_t value_bytes, const void *const plane[], unsigned planes, size_t count,
                 void *frames, size_t stride)
{
    if (planes == 1 && stride == 1) {
        if (frames != plane[0])
            memcpy(frames, plane[0], count * value_bytes);
        return;
    }
    for (unsigned p = 0; p < planes; p += PLANES_GROUP)
        join_some(value_bytes, plane + p, planes - p < PLANES_GROUP ? planes - p : PLANES_GROUP,
                  count, (unsigned char *)frames + p * value_bytes, stride);
}
