/* The extremes of samples. A template: compiled for each instruction set, with the vectors of
 * comb_slider_tmpl.h.
 *
 * At first a NaN gets the key of its bits. It lies beyond the infinities, so the extremes show
 * whether there is one. Only then the policy matters. */
#ifndef GPUENV_CPU_EXTREMES_TMPL_H
#define GPUENV_CPU_EXTREMES_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/vec_keys_tmpl.h"
#include "window/rules.h"

#define EXTREMES_INLINE static inline __attribute__((always_inline))

/* Joins the upper half of the lanes to the lower. */
EXTREMES_INLINE void extremes_fold(int32_t *low, int32_t *high, const size_t half)
{
    for (size_t i = 0; i < half; i++) {
        low[i] = low[i + half] < low[i] ? low[i + half] : low[i];
        high[i] = high[i + half] > high[i] ? high[i + half] : high[i];
    }
}

/* For a vector of samples or more. The last vector overlaps the one before it, which changes
 * neither extreme. With `omit` a NaN loses. */
EXTREMES_INLINE struct extremes extremes_by_vectors(const float *samples, size_t count,
                                                    const bool omit)
{
    vec_ints low_keys = (vec_ints){0} + KEY_ABOVE;
    vec_ints high_keys = (vec_ints){0} + KEY_BELOW;
    int32_t low[VEC_LANES];
    int32_t high[VEC_LANES];

    for (size_t at = 0; at < count; at += VEC_LANES) {
        const size_t from = at + VEC_LANES <= count ? at : count - VEC_LANES;
        const vec_ints bits = (vec_ints)vec_load(samples + from);
        const vec_ints key = bits ^ ((bits >> 31) & INT32_MAX);
        vec_ints low_key = key;
        vec_ints high_key = key;

        if (omit) {
            const vec_ints nan = (bits & INT32_MAX) > KIND_INFINITY_BITS;

            low_key = (key & ~nan) | (KEY_ABOVE & nan);
            high_key = (key & ~nan) | (KEY_BELOW & nan);
        }
        low_keys = (vec_ints)vec_min_ints((vec)low_keys, (vec)low_key);
        high_keys = (vec_ints)vec_max_ints((vec)high_keys, (vec)high_key);
    }
    memcpy(low, &low_keys, sizeof low);
    memcpy(high, &high_keys, sizeof high);
    if (VEC_LANES > 8)
        extremes_fold(low, high, 8);
    if (VEC_LANES > 4)
        extremes_fold(low, high, 4);
    extremes_fold(low, high, 2);
    extremes_fold(low, high, 1);
    return (struct extremes){low[0], high[0]};
}

static struct extremes extremes_keys(struct extremes so_far, const void *values, size_t count,
                                     enum nan_policy policy)
{
    const float *samples = values;
    struct extremes more;

    if (count < VEC_LANES) {
        for (size_t i = 0; i < count; i++) {
            more.low = rules_low_key(samples[i], policy);
            more.high = rules_high_key(samples[i], policy);
            so_far = extremes_join(so_far, more);
        }
        return so_far;
    }
    more = extremes_by_vectors(samples, count, false);
    if (extremes_have_nan(VALUE_F32, more)) {
        more = (struct extremes){KEY_BELOW, KEY_ABOVE};
        if (policy == NAN_OMIT)
            more = extremes_by_vectors(samples, count, true);
    }
    return extremes_join(so_far, more);
}

#endif
