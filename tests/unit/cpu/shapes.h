/* Test data for kernels: the same on every run of a program. */
#ifndef GPUENV_TESTS_CPU_SHAPES_H
#define GPUENV_TESTS_CPU_SHAPES_H

#include <stddef.h>
#include <stdint.h>

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

uint32_t random_bits(void);
size_t random_below(size_t limit);

void fill(enum data data, float *samples, size_t count);

#endif
