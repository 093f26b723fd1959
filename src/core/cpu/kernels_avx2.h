/* Vectors for AVX2 (and BMI2, which the compiler may use). A part of kernels_avx2.c and of those
 * for other kinds. */
#ifndef GPUENV_CPU_KERNELS_AVX2_H
#define GPUENV_CPU_KERNELS_AVX2_H

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES (32 / sizeof(kind_key))
#define VEC_GROUP 4

typedef __m256i vec;

#include "cpu/vec_tmpl.h"

#if KIND_BYTES == 8
#define VEC_LOG 2
#define VEC_OF_LANES(operation) _mm256_##operation##_epi64
#define VEC_MIN_INTS(a, b) _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b))
#define VEC_MAX_INTS(a, b) _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b))
#elif KIND_BYTES == 4
#define VEC_LOG 3
#define VEC_OF_LANES(operation) _mm256_##operation##_epi32
#elif KIND_BYTES == 2
#define VEC_LOG 4
#define VEC_OF_LANES(operation) _mm256_##operation##_epi16
#else
#define VEC_LOG 5
#define VEC_OF_LANES(operation) _mm256_##operation##_epi8
#endif

#if KIND_BYTES < 8
#define VEC_MIN_INTS VEC_OF_LANES(min)
#define VEC_MAX_INTS VEC_OF_LANES(max)
#endif

#ifdef KIND_F32

static inline vec vec_max_unsigned(vec a, vec b)
{
    return _mm256_max_epu32(a, b);
}

/* Half as many samples as there are lanes. */
static inline __m256d vec_to_doubles(const float *samples)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(samples));
}

#define VEC_FLIP

static inline vec vec_flip(vec x)
{
    return _mm256_xor_si256(x, _mm256_and_si256(_mm256_srai_epi32(x, 31), vec_all(INT32_MAX)));
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    const __m256 x = _mm256_castsi256_ps(bits);
    const __m256 nan = _mm256_cmp_ps(x, x, _CMP_UNORD_Q);

    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(otherwise), _mm256_castsi256_ps(then), nan));
}

/* A comparison of two different vectors is unordered where either is NaN. */
static inline bool vec_any_nan(const float *samples, size_t step, size_t vectors)
{
    __m256 nan = _mm256_setzero_ps();

    for (; vectors >= 2; vectors -= 2) {
        nan = _mm256_or_ps(nan, _mm256_cmp_ps(_mm256_loadu_ps(samples),
                                              _mm256_loadu_ps(samples + step), _CMP_UNORD_Q));
        samples += 2 * step;
    }
    if (vectors > 0) {
        const __m256 x = _mm256_loadu_ps(samples);

        nan = _mm256_or_ps(nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    }
    return _mm256_movemask_ps(nan) != 0;
}

#endif

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
static inline bool vec_any_nan(const double *samples, size_t step, size_t vectors)
{
    const __m256d least = _mm256_set1_pd(-(double)INFINITY);
    __m256d any = _mm256_setzero_pd();

    for (; vectors > 0; vectors--) {
        any = _mm256_or_pd(any, _mm256_cmp_pd(_mm256_loadu_pd(samples), least, _CMP_NGT_UQ));
        samples += step;
    }
    return _mm256_movemask_pd(any) != 0;
}

#endif

#define VEC_IF_LESS

static inline vec vec_if_less(vec a, vec b, vec then, vec otherwise)
{
    return _mm256_blendv_epi8(otherwise, then, VEC_OF_LANES(cmpgt)(b, a));
}

#if KIND_BYTES >= 4

/* Blends the wanted lanes of both, each in place, and rotates the result. */
static inline vec vec_shift(vec was, vec now, const size_t bytes)
{
    if (bytes == 4)
        return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(now, was, 0x80),
                                           _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
    if (bytes == 8)
        return _mm256_permute4x64_epi64(_mm256_blend_epi32(now, was, 0xc0),
                                        _MM_SHUFFLE(2, 1, 0, 3));
    return _mm256_permute2x128_si256(was, now, 0x21);
}

#define VEC_SHIFT(was, now, by) vec_shift(was, now, (by) * sizeof(kind_key))

struct vec_turn {
    vec index; /* of 32 bits */
    vec mask;
};

static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    const size_t shift = by * sizeof(kind_key) / 4;
    int32_t index[8];
    int32_t mask[8];

    for (size_t i = 0; i < 8; i++) {
        index[i] = (int32_t)((8 + i - shift) % 8);
        mask[i] = i + shift >= 8 ? -1 : 0;
    }
    memcpy(turn, index, sizeof index);
    memcpy(turn + VEC_LANES, mask, sizeof mask);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(now, was, turn.mask), turn.index);
}

#else

/* The last 16 bytes of `was`, and the first of `now`. */
static inline vec vec_middle(vec was, vec now)
{
    return _mm256_permute2x128_si256(was, now, 0x21);
}

#define VEC_SHIFT(was, now, by)                                                                    \
    (KIND_BYTES * (by) >= 16                                                                       \
         ? vec_middle(was, now)                                                                    \
         : _mm256_alignr_epi8(now, vec_middle(was, now), (16 - KIND_BYTES * (by)) & 15))

struct vec_turn {
    vec upper; /* bytes of the upper lanes; others are negative */
    vec lower;
    vec far; /* all ones: by 16 bytes more */
};

/* A shuffle gives 0 for an index with the high bit. */
static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    const unsigned shift = by * KIND_BYTES;
    int8_t bytes[32];

    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (int8_t)((int)(i % 16) - (int)(shift % 16));
    memcpy(turn, bytes, sizeof bytes);
    memset(turn + VEC_LANES, shift >= 16 ? 0xff : 0, sizeof bytes);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    const vec upper = vec_load(turn);

    return (struct vec_turn){upper, _mm256_xor_si256(upper, _mm256_set1_epi8(INT8_MIN)),
                             vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    const vec middle = vec_middle(was, now);
    const vec upper = _mm256_blendv_epi8(now, middle, turn.far);
    const vec lower = _mm256_blendv_epi8(middle, was, turn.far);

    return _mm256_or_si256(_mm256_shuffle_epi8(upper, turn.upper),
                           _mm256_shuffle_epi8(lower, turn.lower));
}

#endif

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    const vec even = VEC_OF_LANES(unpacklo)(low, high);
    const vec odd = VEC_OF_LANES(unpackhi)(low, high);

    vec_store(at, _mm256_permute2x128_si256(even, odd, 0x20));
    vec_store(at + VEC_LANES, _mm256_permute2x128_si256(even, odd, 0x31));
}

#endif
