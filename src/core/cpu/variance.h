/* SPDX-License-Identifier: MIT */
/* The squares of the deviations from the mean, of which a standard deviation is made.
 *
 * The numbers are cut into blocks of VARIANCE_BLOCK, missing ones left out. The mean of a block and
 * the squares of its deviations from that are computed in two passes; blocks are joined in pairs,
 * and pairs in pairs, as in the summation tree (cpu/tree.h). So numbers far from 0 keep their
 * digits. */
#ifndef GPUENV_CPU_VARIANCE_H
#define GPUENV_CPU_VARIANCE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/part.h"

enum { VARIANCE_BLOCK = 32, VARIANCE_LEVELS = 59 };

/* No numbers so far: `filled` and `blocks` are 0. */
struct variance {
    uint64_t filled; /* of the block */
    double block[VARIANCE_BLOCK];
    uint64_t blocks;
    struct deviations level[VARIANCE_LEVELS]; /* level n is in use if bit n of `blocks` is set */
};

/* Adds numbers and NaN, which are missing. */
void variance_add(struct variance *variance, const double *numbers, size_t count);

/* Ends the last of so many leaves of the summation tree: the blocks of a leaf are a subtree, though
 * numbers are missing, so that leaves can be computed separately. */
void variance_end_leaf(struct variance *variance, uint64_t leaves);

/* Adds 2^level leaves, where tree_add_subtree() adds their sums. */
void variance_add_leaves(struct variance *variance, unsigned level, struct deviations leaves);

struct deviations variance_total(const struct variance *variance);

#endif
