/* The least and the greatest key of samples. A template: compiled for each instruction set. The
 * loop is plain, which compilers turn into good vector code. */
#ifndef GPUENV_CPU_EXTREMES_TMPL_H
#define GPUENV_CPU_EXTREMES_TMPL_H

#include <stddef.h>

#include "window/rules.h"

/* The rules of window/rules.h without branches, as vectors want them. `nan_low` and `nan_high`
 * are the keys of a NaN. */
static inline void extremes_one(float sample, int32_t nan_low, int32_t nan_high, int32_t *low,
                                int32_t *high)
{
    int32_t bits = (int32_t)rules_bits(sample);
    int32_t key = bits ^ ((bits >> 31) & INT32_MAX);
    int32_t nan = -((bits & INT32_MAX) > 0x7f800000);
    int32_t key_low = (key & ~nan) | (nan_low & nan);
    int32_t key_high = (key & ~nan) | (nan_high & nan);

    *low = key_low < *low ? key_low : *low;
    *high = key_high > *high ? key_high : *high;
}

/* Several partial results side by side, for the compiler to keep in vectors. */
static inline __attribute__((always_inline)) void extremes_by(const float *samples, size_t count,
                                                              int32_t nan_low, int32_t nan_high,
                                                              int32_t *low_key, int32_t *high_key)
{
    enum { LANES = 16 };
    int32_t low[LANES];
    int32_t high[LANES];
    size_t i = 0;

    for (int lane = 0; lane < LANES; lane++) {
        low[lane] = *low_key;
        high[lane] = *high_key;
    }
    for (; i + LANES <= count; i += LANES) {
        for (int lane = 0; lane < LANES; lane++)
            extremes_one(samples[i + (size_t)lane], nan_low, nan_high, &low[lane], &high[lane]);
    }
    for (; i < count; i++)
        extremes_one(samples[i], nan_low, nan_high, &low[0], &high[0]);
    for (int lane = 0; lane < LANES; lane++) {
        *low_key = low[lane] < *low_key ? low[lane] : *low_key;
        *high_key = high[lane] > *high_key ? high[lane] : *high_key;
    }
}

static inline void extremes_keys(const float *samples, size_t count, enum nan_policy policy,
                                 int32_t *low_key, int32_t *high_key)
{
    if (policy == NAN_OMIT)
        extremes_by(samples, count, KEY_ABOVE, KEY_BELOW, low_key, high_key);
    else
        extremes_by(samples, count, KEY_BELOW, KEY_ABOVE, low_key, high_key);
}

#endif
