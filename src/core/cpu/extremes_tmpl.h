/* SPDX-License-Identifier: MIT */
/* The extremes of samples. A template: compiled for each instruction set and kind, with the vectors
 * of comb_slider_tmpl.h.
 *
 * At first a NaN gets the key of its bits. It lies beyond the infinities, so the extremes show
 * whether there is one. Only if there is one, the policy matters. */
#ifndef GPUENV_CPU_EXTREMES_TMPL_H
#define GPUENV_CPU_EXTREMES_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/comb_spans_tmpl.h"
#include "cpu/kernels.h"
#include "cpu/vec_keys_tmpl.h"
#include "window/rules.h"

#define EXTREMES_INLINE static inline __attribute__((always_inline))

/* Joins the upper half of the lanes to the lower. */
EXTREMES_INLINE void extremes_fold(kind_key *low, kind_key *high, const size_t half)
{
    for (size_t i = 0; i < half; i++) {
        low[i] = (kind_key)(low[i + half] < low[i] ? low[i + half] : low[i]);
        high[i] = (kind_key)(high[i + half] > high[i] ? high[i + half] : high[i]);
    }
}

EXTREMES_INLINE struct extremes extremes_of_lanes(vec low, vec high)
{
    kind_key lows[VEC_LANES];
    kind_key highs[VEC_LANES];

    memcpy(lows, &low, sizeof lows);
    memcpy(highs, &high, sizeof highs);
    if (VEC_LANES > 32)
        extremes_fold(lows, highs, 32);
    if (VEC_LANES > 16)
        extremes_fold(lows, highs, 16);
    if (VEC_LANES > 8)
        extremes_fold(lows, highs, 8);
    if (VEC_LANES > 4)
        extremes_fold(lows, highs, 4);
    if (VEC_LANES > 2)
        extremes_fold(lows, highs, 2);
    if (VEC_LANES > 1)
        extremes_fold(lows, highs, 1);
    return (struct extremes){lows[0], highs[0]};
}

/* Joins the keys of a vector to the extremes. With `omit` a NaN loses. The keys of integers are
 * turned by `middle`, the key of 0. */
EXTREMES_INLINE void extremes_take(vec *low, vec *high, vec bits, const bool omit,
                                   const kind_key middle)
{
    const vec key = vec_turned(vec_flip(bits), vec_all(middle));

    *low = vec_min_ints(*low, omit ? vec_nan_to(bits, vec_all(KIND_ABOVE), key) : key);
    *high = vec_max_ints(*high, omit ? vec_nan_to(bits, vec_all(KIND_BELOW), key) : key);
}

/* The extremes of at least a vector of samples. The last vector overlaps the one before it, which
 * changes neither extreme. Several vectors hide each other's latency. */
EXTREMES_INLINE struct extremes extremes_by_vectors(const kind_value *samples, size_t count,
                                                    const bool omit, const kind_key middle)
{
    enum { group = 4 };
    vec low[GROUP_MOST];
    vec high[GROUP_MOST];
    size_t at = 0;

    EACH(low[i] = vec_all(KIND_ABOVE));
    EACH(high[i] = vec_all(KIND_BELOW));
    for (; at + group * VEC_LANES <= count; at += group * VEC_LANES)
        EACH(
            extremes_take(&low[i], &high[i], vec_load(samples + at + i * VEC_LANES), omit, middle));
    for (; at < count; at += VEC_LANES) {
        const size_t from = at + VEC_LANES <= count ? at : count - VEC_LANES;

        extremes_take(&low[0], &high[0], vec_load(samples + from), omit, middle);
    }
    EACH(low[0] = vec_min_ints(low[0], low[i]));
    EACH(high[0] = vec_max_ints(high[0], high[i]));
    return extremes_of_lanes(low[0], high[0]);
}

EXTREMES_INLINE struct extremes extremes_more(struct extremes so_far, const void *values,
                                              size_t count, enum nan_policy policy,
                                              const kind_key middle)
{
    const kind_value *samples = values;
    struct extremes more;

    if (count < VEC_LANES) {
        for (size_t i = 0; i < count; i++) {
            more.low = kind_low_key(samples[i], policy) ^ middle;
            more.high = kind_high_key(samples[i], policy) ^ middle;
            so_far = extremes_join(so_far, more);
        }
        return so_far;
    }
    more = extremes_by_vectors(samples, count, false, middle);
    if (extremes_have_nan(KIND, more)) {
        more = (struct extremes){KIND_BELOW, KIND_ABOVE};
        if (policy == NAN_OMIT)
            more = extremes_by_vectors(samples, count, true, middle);
    }
    return extremes_join(so_far, more);
}

static struct extremes extremes_plain(struct extremes so_far, const void *samples, size_t count,
                                      enum nan_policy policy)
{
    return extremes_more(so_far, samples, count, policy, 0);
}

#ifdef KIND_UNSIGNED
static struct extremes extremes_unsigned(struct extremes so_far, const void *samples, size_t count,
                                         enum nan_policy policy)
{
    return extremes_more(so_far, samples, count, policy, KIND_BELOW);
}
#endif

#endif
