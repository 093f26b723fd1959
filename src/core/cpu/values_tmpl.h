/* SPDX-License-Identifier: MIT */
/* Loops over values that need no vectors of their own: compilers vectorise them. A template:
 * compiled for each instruction set and kind, see cpu/kind_tmpl.h. */
#ifndef GPUENV_CPU_VALUES_TMPL_H
#define GPUENV_CPU_VALUES_TMPL_H

#include <stddef.h>

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
