/* SPDX-License-Identifier: MIT */
/* The squares of the deviations from the mean, from which a standard deviation is computed.
 *
 * The numbers are cut into blocks of VARIANCE_BLOCK, missing ones left out. The mean of a block and
 * the squares of the deviations from it are computed in two passes; blocks are joined in pairs, and
 * pairs in pairs, as in the summation tree (cpu/tree.h). So numbers far from 0 keep their
 * digits. */
#ifndef GPUENV_CPU_VARIANCE_H
#define GPUENV_CPU_VARIANCE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/part.h"

struct cpu_kernels;

enum { VARIANCE_LEVELS = 59 };

/* No numbers so far: `filled` and `blocks` are 0. */
struct variance {
    uint64_t filled; /* numbers in the block */
    double block[VARIANCE_BLOCK];
    uint64_t blocks;
    struct deviations level[VARIANCE_LEVELS]; /* level n is in use if bit n of `blocks` is set */
};

/* The deviations of a block, or of a part of one, whose numbers are added in order. */
DEVICE_TOO struct deviations deviations_of(const double *numbers, uint64_t count)
{
    struct deviations block = {(double)count, 0, 0};

    for (uint64_t i = 0; i < count; i++)
        block.mean += numbers[i] - numbers[0];
    if (count > 0)
        block.mean = numbers[0] + block.mean / block.count;
    for (uint64_t i = 0; i < count; i++)
        block.squares += (numbers[i] - block.mean) * (numbers[i] - block.mean);
    return block;
}

/* Adds 2^level blocks. A binary counter, as in tree_add_subtree(). */
DEVICE_TOO void variance_add_blocks(struct variance *variance, unsigned level,
                                    struct deviations blocks)
{
    variance->blocks += UINT64_C(1) << level;
    for (; (variance->blocks >> level & 1) == 0; level++)
        blocks = deviations_join(variance->level[level], blocks);
    variance->level[level] = blocks;
}

/* Joins the blocks of the first levels and `last`, the last numbers, which are no whole block. */
DEVICE_TOO struct deviations variance_join(const struct variance *variance, unsigned levels,
                                           struct deviations last)
{
    for (unsigned level = 0; level < levels && variance->blocks >> level != 0; level++) {
        if ((variance->blocks >> level & 1) != 0)
            last = deviations_join(variance->level[level], last);
    }
    return last;
}

/* Adds samples of the kind of the kernels, floats. A NaN is a missing number. */
void variance_add(struct variance *variance, const struct cpu_kernels *kernels, const void *samples,
                  size_t count);

/* Ends a leaf of the summation tree, after which there are `leaves` leaves. The blocks of a leaf
 * are a subtree even if numbers are missing, so that leaves can be computed separately. */
void variance_end_leaf(struct variance *variance, uint64_t leaves);

/* Adds 2^level leaves, where tree_add_subtree() adds their sums. */
void variance_add_leaves(struct variance *variance, unsigned level, struct deviations leaves);

struct deviations variance_total(const struct variance *variance);

#endif
