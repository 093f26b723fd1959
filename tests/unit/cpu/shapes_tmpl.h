/* Test data for kernels: the same on every run of a program. A template: included once for each
 * kind of values. */
#ifndef GPUENV_TESTS_CPU_SHAPES_TMPL_H
#define GPUENV_TESTS_CPU_SHAPES_TMPL_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"
#include "random.h"

enum data {
    RANDOM,
    ANY_BITS, /* any bits, about one in 128 a NaN of either sign, quiet or signalling */
    POSITIVE,
    NEGATIVE,
    RISING,
    FALLING,
    CONSTANT,
    FEW,
    SUBNORMAL,
    INFINITE,
    ZEROS,
    NAN_RARE,
    NAN_DENSE,
    NAN_RUNS,
    NAN_ALL,
    DATA_KINDS,
};

static kind_bits random_all_bits(void)
{
    return (kind_bits)((uint64_t)random_number() << 32 |
                       (uint32_t)(random_number() ^ random_number() << 9));
}

#ifdef KIND_IS_INTEGER

/* The shapes of floats have their counterparts: the lowest and the highest integer for infinities
 * and NaN. */
static kind_value sample_of(enum data data, size_t i)
{
    static const kind_value few[] = {KIND_BELOW, -1, 0, KIND_ABOVE};
    const kind_value any = (kind_value)random_all_bits();

    switch (data) {
    case POSITIVE:
        return any & KIND_ABOVE;
    case NEGATIVE:
        return any | KIND_BELOW;
    case RISING:
        return (kind_value)((kind_key)i - 300);
    case FALLING:
        return (kind_value)(300 - (kind_key)i);
    case CONSTANT:
    case NAN_ALL:
        return KIND_BELOW;
    case FEW:
    case INFINITE:
        return few[any & 3];
    case SUBNORMAL:
        return any % (KIND_BYTES > 1 ? 1000 : 10);
    case ZEROS:
        return any % 37 == 0 ? KIND_ABOVE : 0;
    case NAN_RARE:
        return random_below(400) == 0 ? KIND_ABOVE : any;
    case NAN_DENSE:
        return any % 8 != 0 ? KIND_BELOW : any;
    case NAN_RUNS:
        return i / 150 % 3 == 1 ? few[any & 3] : any;
    case ANY_BITS:
    case RANDOM:
    case DATA_KINDS:
        break;
    }
    return any;
}

#elif defined(KIND_F16)

static kind_value any_nan(void)
{
    return (kind_value)(random_all_bits() | 0x7c01);
}

/* The shapes of floats, as bits: of positive numbers they are in their order. */
static kind_value sample_of(enum data data, size_t i)
{
    static const kind_value few[] = {0xbc00, 0x8000, 0, 0x3c00};
    const kind_bits any = random_all_bits();
    const kind_bits number = (kind_bits)((any & 0x8000) | (any & 0x7fff) % 0x7c00);

    switch (data) {
    case ANY_BITS:
        return random_below(128) == 0 ? any_nan() : number;
    case POSITIVE:
        return number & 0x7fff;
    case NEGATIVE:
        return number | 0x8000;
    case RISING:
        return (kind_value)(i % 0x7c00);
    case FALLING:
        return (kind_value)(0x7c00 - i % 0x7c00);
    case CONSTANT:
        return 0x8000;
    case FEW:
        return few[any % 4];
    case SUBNORMAL:
        return any & 0x83ff;
    case INFINITE:
        return any % 3 == 0 ? number : any % 2 == 0 ? 0x7c00 : 0xfc00;
    case ZEROS:
        return any % 37 == 0 ? any & 0x8000 : 0x8000;
    case NAN_RARE:
        return random_below(400) == 0 ? any_nan() : number;
    case NAN_DENSE:
        return any % 8 != 0 ? any_nan() : number;
    case NAN_RUNS:
        return i / 150 % 3 == 1 ? any_nan() : number;
    case NAN_ALL:
        return any_nan();
    case RANDOM:
    case DATA_KINDS:
        break;
    }
    return number;
}

#else

#define SIGN (~(kind_bits)0 ^ (~(kind_bits)0 >> 1))

static kind_value any_nan(void)
{
    const kind_bits infinity = kind_to_bits((kind_value)INFINITY);
    const kind_bits payload = random_all_bits() & ~infinity;

    return kind_from_bits(infinity | payload | 1);
}

/* Any number from -1 to 1, with all the digits that there can be. */
static kind_value even_number(void)
{
    return (kind_value)((double)(int32_t)random_number() / 2147483648.0 +
                        random_number() * 0x1p-75);
}

static kind_value sample_of(enum data data, size_t i)
{
    static const kind_value few[] = {-1, -0.0F, 0, 1};
    const kind_bits bits = random_all_bits();
    const kind_value even = even_number();

    switch (data) {
    case ANY_BITS:
        return kind_from_bits(bits);
    case POSITIVE:
        return (kind_value)1.5 + even;
    case NEGATIVE:
        return (kind_value)-1.5 + even;
    case RISING:
        return (kind_value)i - 300;
    case FALLING:
        return 300 - (kind_value)i;
    case CONSTANT:
        return -0.0F;
    case FEW:
        return few[bits % 4];
    case SUBNORMAL:
        return kind_from_bits(bits & ~kind_to_bits((kind_value)INFINITY));
    case INFINITE:
        return bits % 3 == 0 ? even : bits % 2 == 0 ? (kind_value)INFINITY : -(kind_value)INFINITY;
    case ZEROS:
        return kind_from_bits(bits % 37 == 0 ? bits & SIGN : SIGN);
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

#endif

static void fill(enum data data, kind_value *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = sample_of(data, i);
}

#endif
