/* Vectors for AVX-512 (F, BW, VL, DQ). A part of kernels_avx512.c and of those for other
 * kinds. */
#ifndef GPUENV_CPU_KERNELS_AVX512_H
#define GPUENV_CPU_KERNELS_AVX512_H

#include <immintrin.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES (64 / sizeof(kind_key))
#define VEC_GROUP 8

typedef __m512i vec;

#include "cpu/vec_tmpl.h"

#ifdef KIND_F32

#define VEC_LOG 4
#define VEC_OF_LANES(operation) _mm512_##operation##_epi32

static inline vec vec_max_unsigned(vec a, vec b)
{
    return _mm512_max_epu32(a, b);
}

/* Half as many samples as there are lanes. */
static inline __m512d vec_to_doubles(const float *samples)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(samples));
}

#define VEC_FLIP

/* sign, x, 0x7fffffff: x ^ (sign & 0x7fffffff). */
static inline vec vec_flip(vec x)
{
    return _mm512_ternarylogic_epi32(_mm512_srai_epi32(x, 31), x, vec_all(INT32_MAX), 0x6c);
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    const __m512 x = _mm512_castsi512_ps(bits);

    return _mm512_mask_mov_epi32(otherwise, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), then);
}

/* Where one of the two is NaN. */
static inline __mmask16 vec_nan_pair(const float *samples, size_t step)
{
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(samples), _mm512_loadu_ps(samples + step),
                              _CMP_UNORD_Q);
}

/* Keeps the masks in mask registers; otherwise the compiler would move each one. */
static inline bool vec_any_nan(const float *samples, size_t step, size_t vectors)
{
    __mmask16 nan = 0;
    __mmask16 other = 0;

    for (; vectors >= 4; vectors -= 4) {
        nan = _kor_mask16(nan, vec_nan_pair(samples, step));
        other = _kor_mask16(other, vec_nan_pair(samples + 2 * step, step));
        samples += 4 * step;
    }
    for (; vectors > 0; vectors--) {
        const __m512 x = _mm512_loadu_ps(samples);

        nan = _kor_mask16(nan, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q));
        samples += step;
    }
    return _kor_mask16(nan, other) != 0;
}

#else

#define VEC_LOG 3
#define VEC_OF_LANES(operation) _mm512_##operation##_epi64

#endif

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

static inline bool vec_any_nan(const double *samples, size_t step, size_t vectors)
{
    __mmask8 any = 0;

    for (; vectors > 0; vectors--) {
        const __m512d x = _mm512_loadu_pd(samples);

        any = _kor_mask8(any, _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q));
        samples += step;
    }
    return any != 0;
}

#endif

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return VEC_OF_LANES(min)(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return VEC_OF_LANES(max)(a, b);
}

#define VEC_SHIFT(was, now, by) VEC_OF_LANES(alignr)(now, was, VEC_LANES - (by))

struct vec_turn {
    vec index;
};

static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        turn[i] = (kind_key)(VEC_LANES + i - by);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    return (struct vec_turn){vec_load(turn)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return VEC_OF_LANES(permutex2var)(was, turn.index, now);
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
#ifdef KIND_F32
    const vec first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const vec second =
        _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#else
    const vec first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const vec second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
#endif

    vec_store(at, VEC_OF_LANES(permutex2var)(low, first, high));
    vec_store(at + VEC_LANES, VEC_OF_LANES(permutex2var)(low, second, high));
}

#endif
