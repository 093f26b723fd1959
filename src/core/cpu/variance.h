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

enum { VARIANCE_BLOCK = 32, VARIANCE_LEVELS = 59 };

/* No numbers so far: `filled` and `blocks` are 0. */
struct variance {
    uint64_t filled; /* numbers in the block */
    double block[VARIANCE_BLOCK];
    uint64_t blocks;
    struct deviations level[VARIANCE_LEVELS]; /* level n is in use if bit n of `blocks` is set */
};

/* The deviations of `beside` blocks of `count` numbers each, one block after the other in
 * `numbers`. Each sum adds the numbers of its block in order. The sums of several blocks run side
 * by side, because a processor waits for each addition to one sum. */
DEVICE_TOO void deviations_of_blocks(const double *numbers, size_t count, struct deviations *blocks,
                                     size_t beside)
{
    for (size_t b = 0; b < beside; b++) {
        blocks[b].count = (double)count;
        blocks[b].mean = 0;
        blocks[b].squares = 0;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < beside; b++)
            blocks[b].mean += numbers[b * count + i] - numbers[b * count];
    }
    for (size_t b = 0; b < beside; b++)
        blocks[b].mean = numbers[b * count] + blocks[b].mean / (double)count;
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < beside; b++)
            blocks[b].squares += (numbers[b * count + i] - blocks[b].mean) *
                                 (numbers[b * count + i] - blocks[b].mean);
    }
}

/* The deviations of a block, or of a part of one. */
DEVICE_TOO struct deviations deviations_of(const double *numbers, uint64_t count)
{
    struct deviations block = {0, 0, 0};

    if (count > 0)
        deviations_of_blocks(numbers, (size_t)count, &block, 1);
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

/* Adds numbers. A NaN is a missing number. */
void variance_add(struct variance *variance, const double *numbers, size_t count);

/* Ends a leaf of the summation tree, after which there are `leaves` leaves. The blocks of a leaf
 * are a subtree even if numbers are missing, so that leaves can be computed separately. */
void variance_end_leaf(struct variance *variance, uint64_t leaves);

/* Adds 2^level leaves, where tree_add_subtree() adds their sums. */
void variance_add_leaves(struct variance *variance, unsigned level, struct deviations leaves);

struct deviations variance_total(const struct variance *variance);

#endif
