/* The plain loops of the statistics, for each instruction set to compile. */
#ifndef GPUENV_CPU_SUMS_H
#define GPUENV_CPU_SUMS_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "window/rules.h"

/* A vector of doubles of the instruction set, and as many floats. */
#ifdef VEC_LANES
enum { SUMS_VECTOR = VEC_LANES / 2 };
#else
enum { SUMS_VECTOR = 2 };
#endif
typedef double sums_doubles __attribute__((vector_size(SUMS_VECTOR * sizeof(double))));
typedef float sums_floats __attribute__((vector_size(SUMS_VECTOR * sizeof(float))));

/* Each lane takes its samples in order, so the result does not depend on how many lanes a vector
 * has. The square of a float is exact in double: a fused multiply-add would change nothing. A few
 * vectors of lanes at a time go over all samples, for their sums to stay in registers. */
static inline void sums_add(const float *samples, size_t count, double *sum, double *square)
{
    enum { VECTORS = 4 };

    for (size_t first = 0; first < SUMS_LANES; first += (size_t)VECTORS * SUMS_VECTOR) {
        sums_doubles sums[VECTORS];
        sums_doubles squares[VECTORS];

        memcpy(sums, sum + first, sizeof sums);
        memcpy(squares, square + first, sizeof squares);
        for (size_t i = first; i < count; i += SUMS_LANES) {
            for (size_t j = 0; j < VECTORS; j++) {
                sums_floats floats;
                sums_doubles doubles;

                memcpy(&floats, samples + i + j * SUMS_VECTOR, sizeof floats);
                doubles = __builtin_convertvector(floats, sums_doubles);
                sums[j] += doubles;
                squares[j] += doubles * doubles;
            }
        }
        memcpy(sum + first, sums, sizeof sums);
        memcpy(square + first, squares, sizeof squares);
    }
}

/* Looks for a group of samples with a hit first: a loop without a way out is one for vectors. */
static inline size_t sums_find(const float *samples, size_t count, uint32_t mask, uint32_t bits)
{
    enum { GROUP = 64 };
    size_t i = 0;

    for (; i + GROUP <= count; i += GROUP) {
        uint32_t hits = 0;

        for (unsigned j = 0; j < GROUP; j++)
            hits |= (rules_bits(samples[i + j]) & mask) == bits ? 1U : 0U;
        if (hits != 0)
            break;
    }
    while (i < count && (rules_bits(samples[i]) & mask) != bits)
        i++;
    return i;
}

#endif
