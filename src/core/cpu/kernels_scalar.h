/* SPDX-License-Identifier: MIT */
/* Vectors in portable C, of 16 bytes. A part of kernels_scalar.c and of the files for other kinds.
 * Few processors compare integers of 64 bits in vectors, so a vector has only one of these. Not
 * measured on processors without vectors. */
#ifndef GPUENV_CPU_KERNELS_SCALAR_H
#define GPUENV_CPU_KERNELS_SCALAR_H

#include "cpu/kind_tmpl.h"

#define VEC_BASELINE
#define VEC_GROUP 4

#ifdef KIND_I64
#define VEC_LANES ((size_t)1)
#define VEC_LOG 0
#define VEC_SHIFT(was, now, by) ((void)(now), (was))
#define VEC_ZIP(low, high, half) ((half) == 0 ? (low) : (high))

typedef kind_key vec;
#else
typedef kind_key vec __attribute__((vector_size(16)));

#ifdef KIND_F64
#define VEC_LANES ((size_t)2)
#define VEC_LOG 1
#define VEC_SHIFT(was, now, by) __builtin_shufflevector(was, now, 2 - (by), 3 - (by))
#define VEC_ZIP(low, high, half) __builtin_shufflevector(low, high, half, 2 + (half))
#else
#define VEC_LANES ((size_t)4)
#define VEC_LOG 2
#define VEC_SHIFT(was, now, by)                                                                    \
    __builtin_shufflevector(was, now, 4 - (by), 5 - (by), 6 - (by), 7 - (by))
#define VEC_ZIP(low, high, half)                                                                   \
    __builtin_shufflevector(low, high, 2 * (half), 4 + 2 * (half), 1 + 2 * (half), 5 + 2 * (half))
#endif
#endif

#include "cpu/vec_tmpl.h"

#if VEC_LOG == 0
#define VEC_MIN_INTS(a, b) (vec)((a) < (b) ? (a) : (b))
#define VEC_MAX_INTS(a, b) (vec)((a) > (b) ? (a) : (b))
#elif defined(__SSE2_MATH__) /* there is a minimum of floats, but none of integers */
#include <emmintrin.h>

#ifdef KIND_F64
#define VEC_MIN_FLOATS _mm_min_pd
#define VEC_MAX_FLOATS _mm_max_pd
#else
#define VEC_MIN_FLOATS _mm_min_ps
#define VEC_MAX_FLOATS _mm_max_ps
#endif
#endif

#ifdef KIND_F32
#define VEC_TO_DOUBLES(samples) ((leaf_doubles){(samples)[0], (samples)[1]})
#endif

struct vec_turn {
    unsigned by;
};

static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    turn[0] = (kind_key)by;
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    return (struct vec_turn){(unsigned)turn[0]};
}

/* A branch that always takes one direction costs less than shifting lanes by a variable. */
static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    if (turn.by == 0)
        return now;
#if VEC_LOG > 1
    if (turn.by == 2)
        return VEC_SHIFT(was, now, 2);
    if (turn.by == 3)
        return VEC_SHIFT(was, now, 3);
#endif
    return VEC_SHIFT(was, now, 1);
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    vec_store(at, VEC_ZIP(low, high, 0));
    vec_store(at + VEC_LANES, VEC_ZIP(low, high, 1));
}

#endif
