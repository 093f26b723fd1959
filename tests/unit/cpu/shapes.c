#include "shapes.h"

#include "window/rules.h"

static uint64_t random_state = 1;

uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

size_t random_below(size_t limit)
{
    return random_bits() % limit;
}

static float any_nan(void)
{
    return rules_float(0x7f800001 | (random_bits() & 0x803fffff) | (random_bits() % 2 << 22));
}

static float sample_of(enum data data, size_t i)
{
    static const uint32_t few[] = {0xbf800000, 0x80000000, 0x00000000, 0x3f800000};
    const uint32_t bits = random_bits();
    const float even = (float)(int32_t)bits / 2147483648.0f;

    switch (data) {
    case ANY_BITS:
        return rules_float(bits ^ random_bits() << 9);
    case POSITIVE:
        return 1.5f + even;
    case NEGATIVE:
        return -1.5f + even;
    case RISING:
        return (float)i - 300.0f;
    case FALLING:
        return 300.0f - (float)i;
    case CONSTANT:
        return -0.0f;
    case FEW:
        return rules_float(few[bits % 4]);
    case SUBNORMAL:
        return rules_float(bits & 0x807fffff);
    case INFINITE:
        return bits % 3 == 0 ? even : rules_float(0x7f800000 | (bits & 0x80000000));
    case ZEROS:
        return rules_float(bits % 37 == 0 ? bits & 0x80000000 : 0x80000000);
    case NAN_RARE:
        return bits % 400 == 0 ? any_nan() : even;
    case NAN_DENSE:
        return bits % 8 != 0 ? any_nan() : even;
    case NAN_RUNS:
        return i / 150 % 3 == 1 ? any_nan() : even;
    case NAN_ALL:
        return any_nan();
    case RANDOM:
    case DATA_KINDS:
        break;
    }
    return even;
}

void fill(enum data data, float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = sample_of(data, i);
}
