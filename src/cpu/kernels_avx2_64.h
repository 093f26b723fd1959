/* Vectors of 64-bit values for AVX2. A part of kernels_avx2_f64.c and kernels_avx2_i64.c. */
#ifndef GPUENV_CPU_KERNELS_AVX2_64_H
#define GPUENV_CPU_KERNELS_AVX2_64_H

#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES ((size_t)4)
#define VEC_LOG 2
#define VEC_GROUP 4

typedef __m256i vec;

static inline vec vec_load(const void *at)
{
    return _mm256_loadu_si256(at);
}

static inline void vec_store(void *at, vec v)
{
    _mm256_storeu_si256(at, v);
}

static inline vec vec_all(int64_t value)
{
    return _mm256_set1_epi64x(value);
}

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}

static inline vec vec_max_ints(vec a, vec b)
{
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
}

#ifdef KIND_F64

#define VEC_MIN_FLOATS

static inline vec vec_min(vec older, vec newer)
{
    return _mm256_castpd_si256(
        _mm256_min_pd(_mm256_castsi256_pd(older), _mm256_castsi256_pd(newer)));
}

static inline vec vec_max(vec older, vec newer)
{
    return _mm256_castpd_si256(
        _mm256_max_pd(_mm256_castsi256_pd(older), _mm256_castsi256_pd(newer)));
}

/* Or -infinity. */
static inline bool vec_any_nan(const double *samples, size_t vectors)
{
    const __m256d least = _mm256_set1_pd(-(double)INFINITY);
    __m256d any = _mm256_setzero_pd();

    for (; vectors > 0; vectors--) {
        any = _mm256_or_pd(any, _mm256_cmp_pd(_mm256_loadu_pd(samples), least, _CMP_NGT_UQ));
        samples += VEC_LANES;
    }
    return _mm256_movemask_pd(any) != 0;
}

#endif

/* Blends the wanted lanes of both, each in place, and rotates the result. */
static inline vec vec_shift_1(vec was, vec now)
{
    return _mm256_permute4x64_epi64(_mm256_blend_epi32(now, was, 0xc0), _MM_SHUFFLE(2, 1, 0, 3));
}

static inline vec vec_shift_2(vec was, vec now)
{
    return _mm256_permute2x128_si256(was, now, 0x21);
}

#define VEC_SHIFT(was, now, by) vec_shift_##by(was, now)

struct vec_turn {
    vec index; /* of halves of lanes */
    vec mask;
};

static inline void vec_turn_set(int64_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++) {
        const int64_t half = (int64_t)(2 * ((VEC_LANES + i - by) % VEC_LANES));

        turn[i] = half | (half + 1) << 32;
        turn[VEC_LANES + i] = i + by >= VEC_LANES ? -1 : 0;
    }
}

static inline struct vec_turn vec_turn_load(const int64_t *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(now, was, turn.mask), turn.index);
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    const vec even = _mm256_unpacklo_epi64(low, high);
    const vec odd = _mm256_unpackhi_epi64(low, high);

    vec_store(at, _mm256_permute2x128_si256(even, odd, 0x20));
    vec_store(at + VEC_LANES, _mm256_permute2x128_si256(even, odd, 0x31));
}

#endif
