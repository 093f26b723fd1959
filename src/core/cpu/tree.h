/* SPDX-License-Identifier: MIT */
/* The summation tree: accurate sums whose bits do not depend on how the samples arrive.
 *
 * The samples of a block are cut into *leaves* of TREE_LEAF frames, counted from the start of the
 * block. Sample i of a leaf belongs to lane i mod TREE_LANES. A lane adds its samples in order, in
 * double, beginning with +0. Then the upper half of the lanes is added to the lower half until one
 * lane is left: lane j gets lane j + 16, then j + 8, j + 4, j + 2, j + 1.
 *
 * The leaves are the bottom of a perfect binary tree. Two neighbours make a node of the next level,
 * the left one plus the right one. Samples missing from the last leaf and leaves missing from the
 * tree count as +0, which changes no sum; so does a NaN. The squares of the samples, each rounded
 * to double, have a tree of their own. Any subtree can be computed separately.
 *
 * A sample takes part in at most TREE_LEAF / TREE_LANES + 5 + log2(leaves) additions, so the
 * relative error for samples of one sign is below that number times 2^-53. */
#ifndef GPUENV_CPU_TREE_H
#define GPUENV_CPU_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "engine/part.h"

enum {
    TREE_LEVELS = 53, /* a block has less than 2^64 frames, so less than 2^52 leaves */
};

struct tree_sums {
    double sum;
    double square;
};

struct tree {
    uint64_t leaves;
    unsigned filled;                     /* frames in the incomplete leaf */
    struct leaf_stats leaf;              /* the leaf of these frames; not used if there are none */
    struct tree_sums level[TREE_LEVELS]; /* level n is in use if bit n of `leaves` is set */
};

void tree_init(struct tree *tree);

/* Samples, floats of either kind, are added to a tree in two steps: fill a copy of its open leaf,
 * and take the copy back. Only the second step changes the tree, because the first one may
 * encounter a NaN. Where there can be no NaN, the copy may be the leaf itself. At most TREE_LEAF -
 * filled samples can be added at a time. */
void tree_fill_leaf(const struct tree *tree, const struct cpu_kernels *kernels, const void *samples,
                    size_t count, struct leaf_stats *leaf);
void tree_take(struct tree *tree, size_t count, const struct leaf_stats *leaf);

/* Adds the next subtree of 2^level leaves. The tree must hold whole leaves, a multiple of 2^level
 * of them. Nothing may follow a subtree that lacks leaves. */
void tree_add_subtree(struct tree *tree, unsigned level, struct tree_sums sums);

/* The sums of all samples so far. */
struct tree_sums tree_total(const struct tree *tree);

#endif
