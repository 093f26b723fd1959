/* The kernels for AVX2 (and BMI2, which the compiler may use). */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/rules.h"

#define VEC_LANES ((size_t)8)
#define VEC_LOG 3
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

static inline vec vec_all(int32_t value)
{
    return _mm256_set1_epi32(value);
}

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return _mm256_min_epi32(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return _mm256_max_epi32(a, b);
}

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
static inline bool vec_any_nan(const float *samples, size_t vectors)
{
    __m256 nan = _mm256_setzero_ps();

    for (; vectors >= 2; vectors -= 2) {
        nan = _mm256_or_ps(nan, _mm256_cmp_ps(_mm256_loadu_ps(samples),
                                              _mm256_loadu_ps(samples + VEC_LANES), _CMP_UNORD_Q));
        samples += 2 * VEC_LANES;
    }
    if (vectors > 0) {
        const __m256 x = _mm256_loadu_ps(samples);

        nan = _mm256_or_ps(nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    }
    return _mm256_movemask_ps(nan) != 0;
}

/* Blends the wanted lanes of both, each in place, and rotates the result. */
static inline vec vec_shift_1(vec was, vec now)
{
    return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(now, was, 0x80),
                                       _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
}

static inline vec vec_shift_2(vec was, vec now)
{
    return _mm256_permute4x64_epi64(_mm256_blend_epi32(now, was, 0xc0), _MM_SHUFFLE(2, 1, 0, 3));
}

static inline vec vec_shift_4(vec was, vec now)
{
    return _mm256_permute2x128_si256(was, now, 0x21);
}

#define VEC_SHIFT(was, now, by) vec_shift_##by(was, now)

struct vec_turn {
    vec index;
    vec mask;
};

static inline void vec_turn_set(int32_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++) {
        turn[i] = (int32_t)((VEC_LANES + i - by) % VEC_LANES);
        turn[VEC_LANES + i] = i + by >= VEC_LANES ? -1 : 0;
    }
}

static inline struct vec_turn vec_turn_load(const int32_t *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(now, was, turn.mask), turn.index);
}

static inline void vec_store_pairs(float *at, vec low, vec high)
{
    const vec even = _mm256_unpacklo_epi32(low, high);
    const vec odd = _mm256_unpackhi_epi32(low, high);

    vec_store(at, _mm256_permute2x128_si256(even, odd, 0x20));
    vec_store(at + VEC_LANES, _mm256_permute2x128_si256(even, odd, 0x31));
}

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx2 = COMB_KERNELS("avx2");
