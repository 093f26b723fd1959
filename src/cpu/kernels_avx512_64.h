/* Vectors of 64-bit values for AVX-512 (F, BW, VL, DQ). A part of kernels_avx512_f64.c and
 * kernels_avx512_i64.c. */
#ifndef GPUENV_CPU_KERNELS_AVX512_64_H
#define GPUENV_CPU_KERNELS_AVX512_64_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES ((size_t)8)
#define VEC_LOG 3
#define VEC_GROUP 8

typedef __m512i vec;

static inline vec vec_load(const void *at)
{
    return _mm512_loadu_si512(at);
}

static inline void vec_store(void *at, vec v)
{
    _mm512_storeu_si512(at, v);
}

static inline vec vec_all(int64_t value)
{
    return _mm512_set1_epi64(value);
}

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return _mm512_min_epi64(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return _mm512_max_epi64(a, b);
}

#ifdef KIND_F64

#define VEC_RANGE_FLOATS

/* The immediates ask for the lesser or the greater one, with its own sign. Without optimisation
 * these are macros of gcc that convert a mask. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
static inline vec vec_min(vec older, vec newer)
{
    return _mm512_castpd_si512(
        _mm512_range_pd(_mm512_castsi512_pd(older), _mm512_castsi512_pd(newer), 4));
}

static inline vec vec_max(vec older, vec newer)
{
    return _mm512_castpd_si512(
        _mm512_range_pd(_mm512_castsi512_pd(older), _mm512_castsi512_pd(newer), 5));
}
#pragma GCC diagnostic pop

static inline bool vec_any_nan(const double *samples, size_t vectors)
{
    __mmask8 any = 0;

    for (; vectors > 0; vectors--) {
        const __m512d x = _mm512_loadu_pd(samples);

        any = _kor_mask8(any, _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q));
        samples += VEC_LANES;
    }
    return any != 0;
}

#endif

#define VEC_SHIFT(was, now, by) _mm512_alignr_epi64(now, was, VEC_LANES - (by))

struct vec_turn {
    vec index;
};

static inline void vec_turn_set(int64_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        turn[i] = (int64_t)(VEC_LANES + i - by);
}

static inline struct vec_turn vec_turn_load(const int64_t *turn)
{
    return (struct vec_turn){vec_load(turn)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm512_permutex2var_epi64(was, turn.index, now);
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    const vec first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const vec second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);

    vec_store(at, _mm512_permutex2var_epi64(low, first, high));
    vec_store(at + VEC_LANES, _mm512_permutex2var_epi64(low, second, high));
}

#endif
