/* The keys of the comb for values of 64 bits, in the vectors that a kernels_<isa>_64.h defines.
 *
 * Integers are their own keys; those of missing samples lose every comparison, or are equal.
 *
 * Few processors have a minimum of integers of 64 bits, but many have one of doubles. Where
 * VEC_RANGE_DOUBLES is defined, it is one for which -0 is less than +0, and which of a number and a
 * NaN gives the number: the key of a float64 is its bits, and a key that loses is a NaN. Only NaN
 * lose their order. Where one of them is in reach, the *special* functions compare keys as
 * integers.
 *
 * Where VEC_MIN_DOUBLES is defined, the minimum ignores the sign of zero, and of two operands of
 * which one is NaN it gives the second. There a key is the bits, plus one if they are negative:
 * read as a double it keeps its order, and -0 is less than +0. A key that loses comes first: it is
 * always the older one. -infinity loses its order as well: it becomes a NaN, and is special.
 *
 * Elsewhere keys are integers. */
#ifndef GPUENV_CPU_VEC64_TMPL_H
#define GPUENV_CPU_VEC64_TMPL_H

#include <stdint.h>

#include "cpu/kind_tmpl.h"

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

static inline vec vec_min_special(vec a, vec b)
{
    return vec_min_longs(a, b);
}

static inline vec vec_max_special(vec a, vec b)
{
    return vec_max_longs(a, b);
}

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
    const vec_longs nan = ((vec_longs)bits & INT64_MAX) > INT64_C(0x7ff0000000000000);

    return vec_select(nan, then, otherwise);
}

#define vec_low_key vec_nan_to
#define vec_high_key vec_nan_to

#if defined(VEC_MIN_DOUBLES) || defined(VEC_RANGE_DOUBLES)

#define COMB_BELOW INT64_C(-1) /* flipped, the lowest integer */

#ifdef VEC_RANGE_DOUBLES
#define vec_key(bits) (bits)
#define vec_value(key) (key)
#else

static inline vec vec_key(vec bits)
{
    return (vec)((vec_bits)bits + ((vec_bits)bits >> 63));
}

static inline vec vec_value(vec key)
{
    return (vec)((vec_bits)key - ((vec_bits)key >> 63));
}
#endif

static inline vec vec_min_special(vec a, vec b)
{
    return vec_flip(vec_min_longs(vec_flip(a), vec_flip(b)));
}

static inline vec vec_max_special(vec a, vec b)
{
    return vec_flip(vec_max_longs(vec_flip(a), vec_flip(b)));
}

#else

#define COMB_BELOW INT64_MIN
#define vec_key vec_flip
#define vec_value vec_flip
#define vec_min vec_min_longs
#define vec_max vec_max_longs

static inline vec vec_min_special(vec a, vec b)
{
    return vec_min_longs(a, b);
}

static inline vec vec_max_special(vec a, vec b)
{
    return vec_max_longs(a, b);
}

#endif
#endif

#endif
