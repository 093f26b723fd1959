/* SPDX-License-Identifier: MIT */
/* Loops over values that need no vectors of their own: compilers vectorise them. A template:
 * compiled for each instruction set and kind, see cpu/kind_tmpl.h. */
#ifndef GPUENV_CPU_VALUES_TMPL_H
#define GPUENV_CPU_VALUES_TMPL_H

#include <stddef.h>

#include "cpu/kernels.h"
#include "cpu/kind_tmpl.h"

/* The index of the first sample with these bits. First finds a group of samples with a hit: only a
 * loop without an early exit is vectorised. */
static inline size_t values_find(const void *values, size_t count, uint64_t wanted)
{
    enum { GROUP = 64 };
    const kind_value *samples = values;
    const kind_bits bits = (kind_bits)wanted;
    size_t i = 0;

    for (; i + GROUP <= count; i += GROUP) {
        kind_bits hits = 0;

        for (unsigned j = 0; j < GROUP; j++)
            hits |= kind_to_bits(samples[i + j]) == bits ? 1U : 0U;
        if (hits != 0)
            break;
    }
    while (i < count && kind_to_bits(samples[i]) != bits)
        i++;
    return i;
}

static inline size_t values_reach(struct full_scale scale, const void *values, size_t count,
                                  size_t *first)
{
    const kind_value *samples = values;
    const kind_value low = kind_from_key((kind_key)scale.low);
    const kind_value high = kind_from_key((kind_key)scale.high);
    kind_bits reached = 0; /* as wide as a sample, for vectors */
    size_t i = 0;

    for (size_t j = 0; j < count; j++)
        reached += samples[j] <= low || samples[j] >= high ? 1U : 0U;
    while (reached > 0 && !(samples[i] <= low || samples[i] >= high))
        i++;
    *first = i;
    return (size_t)reached;
}

/* A range of keys, counted from one end of it on. Counts wrap, and begin at the least integer, so
 * that those of keys within the range are at most `limit`. */
struct values_range {
    kind_bits from;
    kind_bits turn; /* 0; or all ones: keys are counted backwards */
    kind_key limit;
};

static inline kind_key values_count(const struct values_range *range, kind_value sample)
{
    return (kind_key)((kind_flip(kind_to_bits(sample)) ^ range->turn) - range->from);
}

/* Passes groups of samples within the range. A group has no early exit, and its size is a constant,
 * so that the loop is vectorised. `*most` becomes the largest count. */
static inline __attribute__((always_inline)) size_t values_pass(const struct values_range *range,
                                                                const kind_value *samples,
                                                                size_t stride, size_t count,
                                                                const size_t group, kind_key *most)
{
    const struct values_range copy = *range;
    size_t at = 0;

    for (; at + group <= count; at += group) {
        kind_key largest = KIND_BELOW;

        for (size_t i = 0; i < group; i++) {
            const kind_key next = values_count(&copy, samples[(at + i) * stride]);

            largest = next > largest ? next : largest;
        }
        if (largest > copy.limit)
            break;
        *most = largest > *most ? largest : *most;
    }
    return at;
}

static inline __attribute__((always_inline)) size_t values_run(const struct values_range *range,
                                                               const kind_value *samples,
                                                               size_t stride, size_t count,
                                                               kind_key *most)
{
    size_t at = values_pass(range, samples, stride, count, 64, most);

    at += values_pass(range, samples + at * stride, stride, count - at, 16, most);
    return at + values_pass(range, samples + at * stride, stride, count - at, 1, most);
}

/* The stride is a constant for one and two channels, too. */
static inline size_t values_within(struct extremes keys, bool low, const void *values,
                                   size_t stride, size_t count, int64_t *extreme)
{
    const struct values_range range = {
        .from = (low ? ~(kind_bits)keys.high : (kind_bits)keys.low) - (kind_bits)KIND_BELOW,
        .turn = low ? ~(kind_bits)0 : 0,
        .limit = (kind_key)((kind_bits)keys.high - (kind_bits)keys.low + (kind_bits)KIND_BELOW),
    };
    const kind_value *samples = values;
    kind_key most = KIND_BELOW;
    const size_t run = stride == 1   ? values_run(&range, samples, 1, count, &most)
                       : stride == 2 ? values_run(&range, samples, 2, count, &most)
                                     : values_run(&range, samples, stride, count, &most);

    *extreme = (kind_key)(((kind_bits)most + range.from) ^ range.turn);
    return run;
}

#ifdef KIND_I64

#define values_clean NULL
#define values_make NULL

#else

static inline uint32_t values_clean(const void *restrict values, size_t count,
                                    void *restrict cleaned)
{
    const kind_value *samples = values;
    kind_value *clean = cleaned;
    uint32_t nans = 0;

    for (size_t i = 0; i < count; i++) {
        bool nan = kind_is_nan_bits(kind_to_bits(samples[i]));

        clean[i] = nan ? 0 : samples[i];
        nans += nan ? 1U : 0U;
    }
    return nans;
}

/* `combine` is a constant in each call, so that each loop is compiled for one kind. */
static inline __attribute__((always_inline)) void
values_by(enum combine combine, const kind_value *restrict low, const kind_value *restrict high,
          size_t count, kind_value *restrict values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = kind_combine(combine, low[i], high[i]);
}

static inline void values_make(enum combine combine, const void *low, const void *high,
                               size_t count, void *values)
{
    if (combine == COMBINE_ABS)
        values_by(COMBINE_ABS, low, high, count, values);
    else if (combine == COMBINE_RANGE)
        values_by(COMBINE_RANGE, low, high, count, values);
    else
        values_by(COMBINE_MID, low, high, count, values);
}

#endif

#endif
