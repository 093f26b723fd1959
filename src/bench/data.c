/* SPDX-License-Identifier: MIT */
#include "bench/bench_options.h"

#include <stdint.h>

const char *const data_words[] = {
    [DATA_RANDOM] = "random",   [DATA_POSITIVE] = "positive",   [DATA_SORTED] = "sorted",
    [DATA_FALLING] = "falling", [DATA_CONSTANT] = "constant",   [DATA_ZERO] = "zero",
    [DATA_TIES] = "ties",       [DATA_SUBNORMAL] = "subnormal", [DATA_KINDS] = NULL,
};

/* Splitmix64: a scrambled counter. */
static uint64_t stirred(uint64_t counter)
{
    uint64_t bits = (counter + 1) * UINT64_C(0x9e3779b97f4a7c15);

    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

/* A sample as float32 or float64: random numbers have all the bits of the type. */
static double sample_of(enum data_kind data, enum value_kind kind, uint64_t index)
{
    uint64_t bits = stirred(index);
    double even =
        kind == VALUE_F32 ? (double)(bits >> 40) * 0x1p-24 : (double)(bits >> 11) * 0x1p-53;

    switch (data) {
    case DATA_POSITIVE:
        return even;
    case DATA_SORTED:
        return (double)index;
    case DATA_FALLING:
        return -(double)index;
    case DATA_CONSTANT:
        return 0.25;
    case DATA_ZERO:
        return (bits & 1) != 0 ? 0.0 : -0.0;
    case DATA_TIES:
        return (double)(bits % 7) - 3;
    case DATA_SUBNORMAL:
        return (even - 0.5) * (kind == VALUE_F32 ? 0x1p-126 : 0x1p-1022);
    case DATA_RANDOM:
    case DATA_KINDS:
        break;
    }
    return even - 0.5;
}

void data_fill(enum data_kind data, enum value_kind kind, void *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (kind == VALUE_F32)
            ((float *)samples)[i] = (float)sample_of(data, kind, i);
        else
            ((double *)samples)[i] = sample_of(data, kind, i);
    }
}
