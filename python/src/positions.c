/* SPDX-License-Identifier: MIT */
/* Positions as bottleneck has them: floats that count from the right end of the window. */
#include <math.h>
#include <string.h>

#include "layout.h"

enum { BLOCK = 64 }; /* samples at a time: compilers vectorize loops of a constant length */

/* Turns positions along an axis of `length` into their distances from `place` or, with `moves` of
 * -1, from the places that begin there. */
static inline __attribute__((always_inline)) void
find_block(unsigned char *at, size_t count, int64_t place, int moves, int64_t length)
{
    int64_t signs = 0;
    int64_t from;
    double distance;

    for (size_t k = 0; k < count; k++) {
        memcpy(&from, at + k * sizeof from, sizeof from);
        signs |= from;
        distance = (int)(((unsigned)k & (unsigned)moves) + (unsigned)place - (unsigned)from);
        if (length > INT32_MAX)
            distance = (double)(place + ((int64_t)k & moves) - from);
        memcpy(at + k * sizeof distance, &distance, sizeof distance);
    }
    /* A position of -1 is further away than all others. */
    for (size_t k = 0; signs < 0 && k < count; k++) {
        memcpy(&distance, at + k * sizeof distance, sizeof distance);
        if (distance > (double)(place + ((int64_t)k & moves)))
            distance = NAN;
        memcpy(at + k * sizeof distance, &distance, sizeof distance);
    }
}

static void find_run(unsigned char *at, size_t count, int64_t place, int moves, int64_t length)
{
    for (; count > BLOCK; count -= BLOCK) {
        find_block(at, BLOCK, place, moves, length);
        at += BLOCK * sizeof(int64_t);
        place += BLOCK & moves;
    }
    find_block(at, count, place, moves, length);
}

void positions_from_right(const struct view *at, int axis)
{
    const bool fortran = view_is_fortran(at);
    const int64_t length = at->shape[axis];

    /* A run is `inner` adjacent samples that have one place; if `inner` is 1, it is the samples of
     * all places. */
    size_t inner = 1;
    size_t runs = 1;

    for (int d = 0; d < at->dimensions; d++)
        *(d != axis && (d > axis) != fortran ? &inner : &runs) *= (size_t)at->shape[d];
    if (inner == 1)
        runs /= (size_t)length;
    for (size_t run = 0; run < runs; run++) {
        const size_t count = inner > 1 ? inner : (size_t)length;
        const int64_t first = inner > 1 ? (int64_t)run % length : 0;

        find_run(at->data + run * count * sizeof(int64_t), count, first, -(inner == 1), length);
    }
}

/* Is a word the upper half of a -0 or of an infinity? `infinity` has the bits of the latter without
 * its sign. Some other numbers have such an upper half, too. */
static inline uint32_t is_odd(const unsigned char *at, uint32_t infinity)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint32_t word;

    memcpy(&word, at, sizeof word);
    return (uint32_t)(word == sign) | (uint32_t)((word & ~sign) == infinity);
}

static inline __attribute__((always_inline)) bool find_odd(const unsigned char *at, size_t count,
                                                           const size_t bytes, uint32_t infinity)
{
    uint32_t odd = 0;

    at += __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : bytes - sizeof odd;
    for (; count >= BLOCK && odd == 0; count -= BLOCK) {
        for (int k = 0; k < BLOCK; k++, at += bytes)
            odd |= is_odd(at, infinity);
    }
    for (; count > 0 && odd == 0; count--, at += bytes)
        odd |= is_odd(at, infinity);
    return odd != 0;
}

bool positions_may_be_odd(const struct view *view)
{
    const size_t count = (size_t)view_samples(view);
    const unsigned char *first;
    const unsigned char *end;
    PyThreadState *state;
    bool odd;

    if (view_types[view->type].kind != 'f')
        return false;
    view_range(view, &first, &end);
    if (view->type == GPUENV_F16 || (size_t)(end - first) != count * (size_t)view->bytes)
        return true;
    state = shared_release(count);
    odd = view->type == GPUENV_F32 ? find_odd(first, count, 4, 0x7f800000)
                                   : find_odd(first, count, 8, 0x7ff00000);
    shared_resume(state);
    return odd;
}
