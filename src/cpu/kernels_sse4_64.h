/* Vectors of 64-bit values for SSE4.1 (and SSSE3, which it implies). A part of kernels_sse4_f64.c
 * and kernels_sse4_i64.c. */
#ifndef GPUENV_CPU_KERNELS_SSE4_64_H
#define GPUENV_CPU_KERNELS_SSE4_64_H

#include <math.h>
#include <smmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES ((size_t)2)
#define VEC_LOG 1
#define VEC_GROUP 4

typedef __m128i vec;

static inline vec vec_load(const void *at)
{
    return _mm_loadu_si128(at);
}

static inline void vec_store(void *at, vec v)
{
    _mm_storeu_si128(at, v);
}

static inline vec vec_all(int64_t value)
{
    return _mm_set1_epi64x(value);
}

#ifdef KIND_F64

#define VEC_MIN_FLOATS

static inline vec vec_min(vec older, vec newer)
{
    return _mm_castpd_si128(_mm_min_pd(_mm_castsi128_pd(older), _mm_castsi128_pd(newer)));
}

static inline vec vec_max(vec older, vec newer)
{
    return _mm_castpd_si128(_mm_max_pd(_mm_castsi128_pd(older), _mm_castsi128_pd(newer)));
}

/* Or -infinity. */
static inline bool vec_any_nan(const double *samples, size_t vectors)
{
    const __m128d least = _mm_set1_pd(-(double)INFINITY);
    __m128d any = _mm_setzero_pd();

    for (; vectors > 0; vectors--) {
        any = _mm_or_pd(any, _mm_cmpngt_pd(_mm_loadu_pd(samples), least));
        samples += VEC_LANES;
    }
    return _mm_movemask_pd(any) != 0;
}

#endif

#define VEC_SHIFT(was, now, by) _mm_alignr_epi8(now, was, 16 - 8 * (by))

struct vec_turn {
    vec was;
    vec now;
};

/* By 0 or 1. A shuffle gives 0 for an index with the high bit. */
static inline void vec_turn_set(int64_t *turn, unsigned by)
{
    const int64_t lane[VEC_LANES] = {INT64_C(0x0706050403020100), INT64_C(0x0f0e0d0c0b0a0908)};

    for (unsigned i = 0; i < VEC_LANES; i++) {
        turn[i] = i < by ? lane[VEC_LANES + i - by] : -1;
        turn[VEC_LANES + i] = i < by ? -1 : lane[i - by];
    }
}

static inline struct vec_turn vec_turn_load(const int64_t *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm_or_si128(_mm_shuffle_epi8(was, turn.was), _mm_shuffle_epi8(now, turn.now));
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    vec_store(at, _mm_unpacklo_epi64(low, high));
    vec_store(at + VEC_LANES, _mm_unpackhi_epi64(low, high));
}

#endif
