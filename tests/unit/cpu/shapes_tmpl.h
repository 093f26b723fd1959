/* SPDX-License-Identifier: MIT */
/* Test data for kernels: the same on every run of a program. A template: included once for each
 * kind of values. */
#ifndef GPUENV_TESTS_CPU_SHAPES_TMPL_H
#define GPUENV_TESTS_CPU_SHAPES_TMPL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cpu/kind_tmpl.h"
#include "random.h"

/* The shapes of integers have the lowest and the highest one in place of infinities and NaN. */
enum data {
    RANDOM,
    ANY_BITS, /* about one in 128 a NaN of either sign, quiet or signalling */
    POSITIVE,
    NEGATIVE,
    RISING,
    FALLING,
    CONSTANT,
    FEW,
    SUBNORMAL, /* or small */
    INFINITE,
    ZEROS,
    NAN_RARE,
    NAN_DENSE,
    NAN_RUNS,
    NAN_ALL,
    DATA_KINDS,
};

#define SIGN (UINT64_C(1) << (8 * KIND_BYTES - 1))

/* From any bits: those of a number, of a small one, of an infinity, and of a NaN; and those of the
 * number `at`, or of one that is in the same order. */
#ifdef KIND_IS_INTEGER

static const kind_value few[] = {KIND_BELOW, -1, 0, KIND_ABOVE};

static uint64_t number_of(uint64_t any)
{
    return any;
}

static uint64_t small_of(uint64_t any)
{
    return any % 100 - 50;
}

static uint64_t infinity_of(uint64_t any)
{
    return any % 2 == 0 ? SIGN : SIGN - 1;
}

#define nan_of infinity_of

static uint64_t step_of(int64_t at)
{
    return (uint64_t)at;
}

#else

static uint64_t number_of(uint64_t any)
{
    return (any & SIGN) | (any & (SIGN - 1)) % KIND_INFINITY_BITS;
}

static uint64_t small_of(uint64_t any)
{
    return any & ~(uint64_t)KIND_INFINITY_BITS;
}

static uint64_t infinity_of(uint64_t any)
{
    return (any & SIGN) | KIND_INFINITY_BITS;
}

static uint64_t nan_of(uint64_t any)
{
    return any | KIND_INFINITY_BITS | 1;
}

#ifdef KIND_F16

static const kind_value few[] = {0xbc00, 0x8000, 0, 0x3c00};

static uint64_t step_of(int64_t at)
{
    return (at < 0 ? SIGN : 0) | (uint64_t)llabs(at) % KIND_INFINITY_BITS;
}

#else

static const kind_value few[] = {-1, -0.0F, 0, 1};

static uint64_t step_of(int64_t at)
{
    return kind_to_bits((kind_value)at);
}

#endif
#endif

static uint64_t sample_of(enum data data, size_t i)
{
    const uint64_t any = random_word();
    const uint64_t number = number_of(any);

    switch (data) {
    case ANY_BITS:
        return random_below(128) == 0 ? nan_of(any) : number;
    case POSITIVE:
        return number & ~SIGN;
    case NEGATIVE:
        return number | SIGN;
    case RISING:
        return step_of((int64_t)i - 300);
    case FALLING:
        return step_of(300 - (int64_t)i);
    case CONSTANT:
        return SIGN;
    case FEW:
        return kind_to_bits(few[any % 4]);
    case SUBNORMAL:
        return small_of(any);
    case INFINITE:
        return random_below(3) == 0 ? number : infinity_of(any);
    case ZEROS:
        return random_below(37) == 0 ? any & SIGN : SIGN;
    case NAN_RARE:
        return random_below(400) == 0 ? nan_of(any) : number;
    case NAN_DENSE:
        return random_below(8) != 0 ? nan_of(any) : number;
    case NAN_RUNS:
        return i / 150 % 3 == 1 ? nan_of(any) : number;
    case NAN_ALL:
        return nan_of(any);
    case RANDOM:
    case DATA_KINDS:
        break;
    }
    return number;
}

static inline void fill(enum data data, kind_value *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = kind_from_bits((kind_bits)sample_of(data, i));
}

#endif
