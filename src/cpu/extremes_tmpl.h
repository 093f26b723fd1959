/* The extremes of samples. A template: compiled for each instruction set, with the vectors of
 * leaf_stats_tmpl.h.
 *
 * At first a NaN gets the key of its bits. It lies beyond the infinities, so the extremes show
 * whether there is one. Only then the policy matters. */
#ifndef GPUENV_CPU_EXTREMES_TMPL_H
#define GPUENV_CPU_EXTREMES_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/leaf_stats_tmpl.h"
#include "window/rules.h"

#define EXTREMES_INLINE static inline __attribute__((always_inline))

enum { EXTREMES_LANES = LEAF_VEC_LANES };

/* Lane by lane, for operators. */
typedef int32_t extremes_vec __attribute__((vector_size(sizeof(leaf_vec))));

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
    extremes_vec low_keys = (extremes_vec){0} + KEY_ABOVE;
    extremes_vec high_keys = (extremes_vec){0} + KEY_BELOW;
    int32_t low[EXTREMES_LANES];
    int32_t high[EXTREMES_LANES];

    for (size_t at = 0; at < count; at += EXTREMES_LANES) {
        const size_t from = at + EXTREMES_LANES <= count ? at : count - EXTREMES_LANES;
        const extremes_vec bits = (extremes_vec)leaf_load(samples + from);
        const extremes_vec key = bits ^ ((bits >> 31) & INT32_MAX);
        extremes_vec low_key = key;
        extremes_vec high_key = key;

        if (omit) {
            const extremes_vec nan = (bits & INT32_MAX) > 0x7f800000;

            low_key = (key & ~nan) | (KEY_ABOVE & nan);
            high_key = (key & ~nan) | (KEY_BELOW & nan);
        }
        low_keys = (extremes_vec)leaf_least((leaf_vec)low_keys, (leaf_vec)low_key);
        high_keys = (extremes_vec)leaf_greatest((leaf_vec)high_keys, (leaf_vec)high_key);
    }
    memcpy(low, &low_keys, sizeof low);
    memcpy(high, &high_keys, sizeof high);
    if (EXTREMES_LANES > 8)
        extremes_fold(low, high, 8);
    if (EXTREMES_LANES > 4)
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

    if (count < EXTREMES_LANES) {
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
