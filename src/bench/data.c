#include "bench/data.h"

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

static float sample_of(enum data_kind kind, uint64_t index)
{
    uint64_t bits = stirred(index);
    /* 24 bits: the precision of a float. */
    float even = (float)(bits >> 40) * 0x1p-24F;

    switch (kind) {
    case DATA_POSITIVE:
        return even;
    case DATA_SORTED:
        return (float)index;
    case DATA_FALLING:
        return -(float)index;
    case DATA_CONSTANT:
        return 0.25F;
    case DATA_ZERO:
        return (bits & 1) != 0 ? 0.0F : -0.0F;
    case DATA_TIES:
        return (float)(int)(bits % 7) - 3.0F;
    case DATA_SUBNORMAL:
        return (even - 0.5F) * 0x1p-126F;
    case DATA_RANDOM:
    case DATA_KINDS:
        break;
    }
    return even - 0.5F;
}

void data_fill(enum data_kind kind, float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = sample_of(kind, i);
}
