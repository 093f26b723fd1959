/* The kernels for SSE4.1 (and SSSE3, which it implies). */
#include <smmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/rules.h"

#define VEC_LANES ((size_t)4)
#define VEC_LOG 2
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

static inline vec vec_all(int32_t value)
{
    return _mm_set1_epi32(value);
}

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return _mm_min_epi32(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return _mm_max_epi32(a, b);
}

static inline vec vec_max_unsigned(vec a, vec b)
{
    return _mm_max_epu32(a, b);
}

/* Half as many samples as there are lanes. */
static inline __m128d vec_to_doubles(const float *samples)
{
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadu_si64(samples)));
}

#define VEC_FLIP

static inline vec vec_flip(vec x)
{
    return _mm_xor_si128(x, _mm_srli_epi32(_mm_srai_epi32(x, 31), 1));
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    const __m128 x = _mm_castsi128_ps(bits);
    const vec nan = _mm_castps_si128(_mm_cmpunord_ps(x, x));

    return _mm_blendv_epi8(otherwise, then, nan);
}

/* A comparison of two different vectors is unordered where either is NaN. */
static inline bool vec_any_nan(const float *samples, size_t vectors)
{
    __m128 nan = _mm_setzero_ps();

    for (; vectors >= 2; vectors -= 2) {
        nan = _mm_or_ps(nan,
                        _mm_cmpunord_ps(_mm_loadu_ps(samples), _mm_loadu_ps(samples + VEC_LANES)));
        samples += 2 * VEC_LANES;
    }
    if (vectors > 0) {
        const __m128 x = _mm_loadu_ps(samples);

        nan = _mm_or_ps(nan, _mm_cmpunord_ps(x, x));
    }
    return _mm_movemask_ps(nan) != 0;
}

#define VEC_SHIFT(was, now, by) _mm_alignr_epi8(now, was, 16 - 4 * (by))

struct vec_turn {
    vec was;
    vec now;
};

/* A shuffle gives 0 for an index with the high bit. */
static inline void vec_turn_set(int32_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++) {
        const unsigned lane = (VEC_LANES + i - by) % VEC_LANES;
        const int32_t bytes = (int32_t)(lane * 0x04040404 + 0x03020100);

        turn[i] = i < by ? bytes : -1;
        turn[VEC_LANES + i] = i < by ? -1 : bytes;
    }
}

static inline struct vec_turn vec_turn_load(const int32_t *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm_or_si128(_mm_shuffle_epi8(was, turn.was), _mm_shuffle_epi8(now, turn.now));
}

static inline void vec_store_pairs(float *at, vec low, vec high)
{
    vec_store(at, _mm_unpacklo_epi32(low, high));
    vec_store(at + VEC_LANES, _mm_unpackhi_epi32(low, high));
}

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_sse4 = COMB_KERNELS("sse4");
