/* SPDX-License-Identifier: MIT */
/* The keys of the comb, in the vectors that a kernels_<isa> file defines.
 *
 * Integers are their own keys, unsigned ones with the top bit flipped by vec_turned(); the keys of
 * missing samples lose every comparison, or are equal.
 *
 * Few processors have a minimum of integers of 64 bits, and the first x86-64 ones have none of 32
 * bits, but many have one of floats. Where VEC_RANGE_FLOATS is defined, this minimum takes -0 as
 * less than +0, and gives the number if one operand is NaN: the key of a float is its bits, and a
 * key that loses is a NaN. Only NaN lose their order. Where one of them is in reach, the *special*
 * functions compare keys as integers.
 *
 * Where VEC_MIN_FLOATS and VEC_MAX_FLOATS are defined, the minimum ignores the sign of zero, and
 * gives the second operand if one is NaN. There a key is the bits, plus one if they are negative:
 * read as a float it keeps its order, and -0 is less than +0. A key that loses is always the first
 * operand, the older one. -infinity loses its order as well: it becomes a NaN, and is special.
 *
 * Elsewhere keys are integers. */
#ifndef GPUENV_CPU_VEC_KEYS_TMPL_H
#define GPUENV_CPU_VEC_KEYS_TMPL_H

#include <math.h>
#include <string.h>

#include "cpu/vec_tmpl.h"

#ifndef VEC_SELECT
#define VEC_SELECT(mask, then, otherwise)                                                          \
    (vec)(((vec_ints)(then) & (vec_ints)(mask)) | ((vec_ints)(otherwise) & ~(vec_ints)(mask)))
#endif

/* Lane by lane: `then` where the mask is all ones, `otherwise` where it is 0. */
static inline vec vec_select(vec_ints mask, vec then, vec otherwise)
{
    return VEC_SELECT((vec)mask, then, otherwise);
}

#ifndef VEC_IF_LESS
/* Lane by lane: `then` where a < b as integers, else `otherwise`. */
static inline vec vec_if_less(vec a, vec b, vec then, vec otherwise)
{
    return vec_select((vec_ints)a < (vec_ints)b, then, otherwise);
}
#endif

#ifndef VEC_MIN_INTS
#define VEC_MIN_INTS(a, b) vec_select((vec_ints)(a) < (vec_ints)(b), a, b)
#define VEC_MAX_INTS(a, b) vec_select((vec_ints)(a) > (vec_ints)(b), a, b)
#endif

static inline vec vec_min_ints(vec a, vec b)
{
    return VEC_MIN_INTS(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return VEC_MAX_INTS(a, b);
}

/* Complements the lanes where `turn` is all ones. With the key of 0 as `turn`, converts between
 * samples and keys, in either direction. */
static inline vec keys_turned(vec v, vec turn)
{
    return (vec)((vec_bits)v ^ (vec_bits)turn);
}

#ifdef KIND_IS_INTEGER

#define vec_flip(bits) (bits)
#define vec_turned keys_turned

/* `missing` is a key that changes nothing, or the key of a missing sample. */
static inline vec vec_low_key(vec bits, vec missing, vec key)
{
    (void)bits;
    return vec_max_ints(key, missing);
}

static inline vec vec_high_key(vec bits, vec missing, vec key)
{
    (void)bits;
    return vec_min_ints(key, missing);
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    (void)bits;
    (void)then;
    return otherwise;
}

static inline bool vec_any_nan(const kind_value *samples, size_t step, size_t vectors)
{
    (void)samples;
    (void)step;
    (void)vectors;
    return false;
}

#else

#define vec_turned(v, turn) ((void)(turn), (v))

#ifndef VEC_FLIP
static inline vec vec_flip(vec x)
{
    return (vec)((vec_ints)x ^ (((vec_ints)x >> (8 * sizeof(kind_key) - 1)) & KIND_ABOVE));
}

static inline vec_ints vec_is_nan(vec bits)
{
#ifdef KIND_F16
    return ((vec_ints)bits & KIND_ABOVE) > KIND_INFINITY_BITS;
#else
    return (vec_floats)bits != (vec_floats)bits; // NOLINT(misc-redundant-expression): so is a NaN
#endif
}

static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    return vec_select(vec_is_nan(bits), then, otherwise);
}
#endif

#ifndef VEC_ANY_NAN
/* Is there a NaN, or, with VEC_MIN_FLOATS, a -infinity? */
static inline bool vec_any_nan(const kind_value *samples, size_t step, size_t vectors)
{
    vec_ints any = {0};
    kind_key lane[VEC_LANES];
    kind_key found = 0;

    for (; vectors > 0; vectors--) {
#ifdef VEC_MIN_FLOATS
        any |= ~((vec_floats)vec_load(samples) > -(kind_value)INFINITY);
#else
        any |= vec_is_nan(vec_load(samples));
#endif
        samples += step;
    }
    memcpy(lane, &any, sizeof lane);
    for (size_t i = 0; i < VEC_LANES; i++)
        found = (kind_key)(found | lane[i]);
    return found != 0;
}
#endif

#define vec_low_key vec_nan_to
#define vec_high_key vec_nan_to

#endif

#define COMB_ABOVE KIND_ABOVE

/* vec_order() converts between keys and integers in order, in either direction. */
#if defined(VEC_MIN_FLOATS) || defined(VEC_RANGE_FLOATS)

#define COMB_BELOW ((kind_key)-1) /* flipped, the lowest integer */
#define vec_order vec_flip

#ifdef VEC_RANGE_FLOATS
#define vec_key(bits) (bits)
#define vec_value(key) (key)
#else

static inline vec vec_key(vec bits)
{
    return (vec)((vec_bits)bits + ((vec_bits)bits >> (8 * sizeof(kind_key) - 1)));
}

static inline vec vec_value(vec key)
{
    return (vec)((vec_bits)key - ((vec_bits)key >> (8 * sizeof(kind_key) - 1)));
}

static inline vec vec_min(vec older, vec newer)
{
    return (vec)VEC_MIN_FLOATS((vec_floats)older, (vec_floats)newer);
}

static inline vec vec_max(vec older, vec newer)
{
    return (vec)VEC_MAX_FLOATS((vec_floats)older, (vec_floats)newer);
}
#endif

static inline vec vec_min_special(vec a, vec b)
{
    return vec_flip(vec_min_ints(vec_flip(a), vec_flip(b)));
}

static inline vec vec_max_special(vec a, vec b)
{
    return vec_flip(vec_max_ints(vec_flip(a), vec_flip(b)));
}

#else

#define COMB_BELOW KIND_BELOW
#define vec_order(key) (key)
#define vec_key vec_flip
#define vec_value vec_flip
#define vec_min vec_min_ints
#define vec_max vec_max_ints

static inline vec vec_min_special(vec a, vec b)
{
    return vec_min_ints(a, b);
}

static inline vec vec_max_special(vec a, vec b)
{
    return vec_max_ints(a, b);
}

#endif

#endif
