/* The kernels for AVX-512 (F, BW, VL, DQ). */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/rules.h"

#define VEC_LANES ((size_t)16)
#define VEC_LOG 4
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

static inline vec vec_all(int32_t value)
{
    return _mm512_set1_epi32(value);
}

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return _mm512_min_epi32(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return _mm512_max_epi32(a, b);
}

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
static inline __mmask16 vec_nan_pair(const float *samples)
{
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(samples), _mm512_loadu_ps(samples + VEC_LANES),
                              _CMP_UNORD_Q);
}

/* Keeps the masks in mask registers; otherwise the compiler would move each one. */
static inline bool vec_any_nan(const float *samples, size_t vectors)
{
    __mmask16 nan = 0;
    __mmask16 other = 0;

    for (; vectors >= 4; vectors -= 4) {
        nan = _kor_mask16(nan, vec_nan_pair(samples));
        other = _kor_mask16(other, vec_nan_pair(samples + 2 * VEC_LANES));
        samples += 4 * VEC_LANES;
    }
    for (; vectors > 0; vectors--) {
        const __m512 x = _mm512_loadu_ps(samples);

        nan = _kor_mask16(nan, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q));
        samples += VEC_LANES;
    }
    return _kor_mask16(nan, other) != 0;
}

#define VEC_SHIFT(was, now, by) _mm512_alignr_epi32(now, was, VEC_LANES - (by))

struct vec_turn {
    vec index;
};

static inline void vec_turn_set(int32_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        turn[i] = (int32_t)(VEC_LANES + i - by);
}

static inline struct vec_turn vec_turn_load(const int32_t *turn)
{
    return (struct vec_turn){vec_load(turn)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm512_permutex2var_epi32(was, turn.index, now);
}

static inline void vec_store_pairs(float *at, vec low, vec high)
{
    const vec first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const vec second =
        _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);

    vec_store(at, _mm512_permutex2var_epi32(low, first, high));
    vec_store(at + VEC_LANES, _mm512_permutex2var_epi32(low, second, high));
}

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx512 = COMB_KERNELS("avx512");
