/* SPDX-License-Identifier: MIT */
/* Vectors for AVX-512 (F, BW, VL, DQ). A part of kernels_avx512.c and of the files for other
 * kinds. */
#ifndef GPUENV_CPU_KERNELS_AVX512_H
#define GPUENV_CPU_KERNELS_AVX512_H

#include <immintrin.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES (64 / sizeof(kind_key))
#ifdef KIND_COMPACT
#define VEC_GROUP 4 /* as fast as 8, in half as much code */
#else
#define VEC_GROUP 8
#endif

typedef __m512i vec;

#include "cpu/vec_tmpl.h"

#if KIND_BYTES == 8
#define VEC_LOG 3
#define VEC_OF_LANES(operation) _mm512_##operation##_epi64
#define VEC_LESS _mm512_cmplt_epi64_mask
#elif KIND_BYTES == 4
#define VEC_LOG 4
#define VEC_OF_LANES(operation) _mm512_##operation##_epi32
#define VEC_LESS _mm512_cmplt_epi32_mask
#elif KIND_BYTES == 2
#define VEC_LOG 5
#define VEC_OF_LANES(operation) _mm512_##operation##_epi16
#define VEC_LESS _mm512_cmplt_epi16_mask
#else
#define VEC_LOG 6
#define VEC_OF_LANES(operation) _mm512_##operation##_epi8
#define VEC_LESS _mm512_cmplt_epi8_mask
#endif

#ifdef KIND_F32

#define VEC_TO_DOUBLES(samples) _mm512_cvtps_pd(_mm256_loadu_ps(samples))
#define VEC_FLIP
#define VEC_ANY_NAN

/* The square of a float32 is exact in double, so fusing the two operations changes nothing. */
#define VEC_ADD_SQUARE(x, sum) _mm512_fmadd_pd(x, x, sum)

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

/* The mask of lanes in which one of two vectors is NaN. */
static inline __mmask16 vec_nan_pair(const float *samples, size_t step)
{
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(samples), _mm512_loadu_ps(samples + step),
                              _CMP_UNORD_Q);
}

/* Keeps the masks in mask registers; otherwise the compiler would move each mask. */
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

#endif

#ifdef KIND_F64

#define VEC_RANGE_FLOATS
#define VEC_ANY_NAN

/* The immediates select the lesser or the greater number, with its own sign. Without optimisation
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

#define VEC_MIN_INTS VEC_OF_LANES(min)
#define VEC_MAX_INTS VEC_OF_LANES(max)

#define VEC_IF_LESS

static inline vec vec_if_less(vec a, vec b, vec then, vec otherwise)
{
    return VEC_OF_LANES(mask_mov)(otherwise, VEC_LESS(a, b), then);
}

#if KIND_BYTES >= 4

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

#else

/* Lanes move by whole parts of 16 bytes, then within two neighbouring parts. */
#define VEC_SHIFT(was, now, by)                                                                    \
    (KIND_BYTES * (by) >= 16 ? _mm512_alignr_epi64(now, was, (8 - KIND_BYTES * (by) / 8) & 7)      \
                             : _mm512_alignr_epi8(now, _mm512_alignr_epi64(now, was, 6),           \
                                                  (16 - KIND_BYTES * (by)) & 15))

/* A lane is in the upper part of two, or in the one before it. */
struct vec_turn {
    vec parts;  /* indices of the upper parts in `was` and `now` */
    vec before; /* indices of the parts before them */
    vec upper;  /* indices of bytes in the upper parts; other indices are negative */
    vec lower;  /* indices of bytes in the parts before them */
};

/* A shuffle gives 0 for an index with the high bit. */
static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    const unsigned shift = by * KIND_BYTES;
    int64_t parts[8];
    int8_t bytes[64];

    for (unsigned i = 0; i < 8; i++)
        parts[i] = (int64_t)(8 + i - shift / 16 * 2);
    for (unsigned i = 0; i < 64; i++)
        bytes[i] = (int8_t)((int)(i % 16) - (int)(shift % 16));
    memcpy(turn, parts, sizeof parts);
    memcpy(turn + VEC_LANES, bytes, sizeof bytes);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    const vec parts = vec_load(turn);
    const vec upper = vec_load(turn + VEC_LANES);

    return (struct vec_turn){parts, _mm512_sub_epi64(parts, _mm512_set1_epi64(2)), upper,
                             _mm512_xor_si512(upper, _mm512_set1_epi8(INT8_MIN))};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    const vec upper = _mm512_permutex2var_epi64(was, turn.parts, now);
    const vec lower = _mm512_permutex2var_epi64(was, turn.before, now);

    return _mm512_or_si512(_mm512_shuffle_epi8(upper, turn.upper),
                           _mm512_shuffle_epi8(lower, turn.lower));
}

#endif

#if KIND_BYTES == 4
#define VEC_PERMUTE _mm512_permutex2var_epi32
#else
#define VEC_PERMUTE _mm512_permutex2var_epi64
#endif

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
#if KIND_BYTES < 4
    const vec first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const vec second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const vec even = VEC_OF_LANES(unpacklo)(low, high);

    high = VEC_OF_LANES(unpackhi)(low, high);
    low = even;
#elif KIND_BYTES == 4
    const vec first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const vec second =
        _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#else
    const vec first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const vec second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
#endif

    vec_store(at, VEC_PERMUTE(low, first, high));
    vec_store(at + VEC_LANES, VEC_PERMUTE(low, second, high));
}

#endif
