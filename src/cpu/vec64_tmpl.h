/* The keys of the comb for values of 64 bits, in the vectors that a kernels_<isa>_64.h defines.
 *
 * Integers are their own keys; those of missing samples lose every comparison, or are equal.
 *
 * Few processors have a minimum of integers of 64 bits, but many have one of doubles. It ignores
 * the sign of zero, and of two operands of which one is NaN it gives the second. So, where
 * VEC_MIN_DOUBLES is defined, the key of a float64 is its bits, plus one if it is negative: read as
 * a double it keeps its order, and -0 is less than +0. A key that loses is a NaN, and comes first:
 * it is always the older one. Only -infinity and NaN lose their order. Where one of them is in
 * reach, the *special* functions compare keys as integers. Elsewhere keys are integers. */
#ifndef GPUENV_CPU_VEC64_TMPL_H
#define GPUENV_CPU_VEC64_TMPL_H

#include <stdint.h>

#include "cpu/kind_tmpl.h"

typedef double vec_doubles __attribute__((vector_size(sizeof(vec))));
typedef long long vec_longs __attribute__((vector_size(sizeof(vec))));
typedef unsigned long long vec_bits __attribute__((vector_size(sizeof(vec))));

#define COMB_ABOVE INT64_MAX

static inline vec vec_select(vec_longs mask, vec then, vec otherwise)
{
    return (vec)(((vec_longs)then & mask) | ((vec_longs)otherwise & ~mask));
}

#ifndef VEC_MIN_LONGS
static inline vec vec_min_longs(vec a, vec b)
{
    return vec_select((vec_longs)a < (vec_longs)b, a, b);
}

static inline vec vec_max_longs(vec a, vec b)
{
    return vec_select((vec_longs)a > (vec_longs)b, a, b);
}
#endif

#ifdef KIND_I64

#define COMB_BELOW INT64_MIN
#define vec_key(bits) (bits)
#define vec_value(key) (key)
#define vec_min vec_min_longs
#define vec_max vec_max_longs
#define vec_min_special vec_min_longs
#define vec_max_special vec_max_longs

/* `missing` is a key that changes nothing, or that of a missing sample. */
static inline vec vec_low_key(vec bits, vec missing, vec key)
{
    (void)bits;
    return vec_max_longs(key, missing);
}

static inline vec vec_high_key(vec bits, vec missing, vec key)
{
    (void)bits;
    return vec_min_longs(key, missing);
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    (void)bits;
    (void)then;
    return otherwise;
}

static inline bool vec_any_nan(const int64_t *samples, size_t vectors)
{
    (void)samples;
    (void)vectors;
    return false;
}

#else

static inline vec vec_flip(vec x)
{
    return (vec)((vec_longs)x ^ (((vec_longs)x >> 63) & INT64_MAX));
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    const vec_doubles x = (vec_doubles)bits;

    return vec_select(x != x, then, otherwise);
}

#define vec_low_key vec_nan_to
#define vec_high_key vec_nan_to

#ifdef VEC_MIN_DOUBLES

#define COMB_BELOW INT64_C(-1) /* flipped, the lowest integer */

static inline vec vec_key(vec bits)
{
    return (vec)((vec_bits)bits + ((vec_bits)bits >> 63));
}

static inline vec vec_value(vec key)
{
    return (vec)((vec_bits)key - ((vec_bits)key >> 63));
}

static inline vec vec_min_special(vec a, vec b)
{
    return vec_select((vec_longs)vec_flip(a) < (vec_longs)vec_flip(b), a, b);
}

static inline vec vec_max_special(vec a, vec b)
{
    return vec_select((vec_longs)vec_flip(a) > (vec_longs)vec_flip(b), a, b);
}

#else

#define COMB_BELOW INT64_MIN
#define vec_key vec_flip
#define vec_value vec_flip
#define vec_min vec_min_longs
#define vec_max vec_max_longs
#define vec_min_special vec_min_longs
#define vec_max_special vec_max_longs

#endif
#endif

#endif
