/* SPDX-License-Identifier: MIT */
/* The last additions of a leaf (cpu/tree.h). */
#ifndef GPUENV_CPU_TREE_FOLD_PRIV_H
#define GPUENV_CPU_TREE_FOLD_PRIV_H

#include <string.h>

#include "cpu/kernels.h"

/* Two lanes: with vectors of any machine, sums stay in registers. */
typedef double tree_pair __attribute__((vector_size(16)));

_Static_assert(TREE_LANES == 32, "five halvings");

/* Adds the upper half of the lanes to the lower half, until one lane is left. */
static inline double tree_fold(const double lanes[TREE_LANES])
{
    tree_pair pairs[TREE_LANES / 2];

#pragma GCC unroll 16
    for (size_t i = 0; i < TREE_LANES / 2; i++)
        memcpy(&pairs[i], lanes + 2 * i, sizeof pairs[i]);
#pragma GCC unroll 4
    for (size_t half = TREE_LANES / 4; half > 0; half /= 2) {
#pragma GCC unroll 8
        for (size_t i = 0; i < half; i++)
            pairs[i] += pairs[i + half];
    }
    return pairs[0][0] + pairs[0][1];
}

#endif
