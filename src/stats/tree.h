/* The summation tree: sums that are the same bits however the samples come, and accurate.
 *
 * The samples of a block are cut into *leaves* of TREE_LEAF frames, counted from the start of the
 * block. Within a leaf sample i belongs to lane i mod TREE_LANES. A lane adds its samples in
 * their order, in double, beginning with +0. Then the upper half of the lanes is added to the lower
 * half, lane by lane, until one is left: lane j gets lane j + 16, then j + 8, j + 4, j + 2, j + 1.
 *
 * Leaves are the bottom of a perfect binary tree: two neighbours make a node, the left one plus the
 * right one, two neighbouring nodes one of the next level, and so on. What is missing to fill the
 * last leaf, or the tree, counts as +0, which changes no sum; so does a NaN. The squares of the
 * samples are summed in the same way. A leaf, or any subtree, can be worked out by itself.
 *
 * Every sample takes part in TREE_LEAF / TREE_LANES + 5 + log2(leaves) additions at most, so the
 * relative error for values of one sign is below that number times 2^-53. */
#ifndef GPUENV_STATS_TREE_H
#define GPUENV_STATS_TREE_H

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
    unsigned filled;                     /* frames in the leaf that is not full */
    struct leaf_stats leaf;              /* what is known of them; nothing where there are none */
    struct tree_sums level[TREE_LEVELS]; /* level n is in use where bit n of `leaves` is set */
};

void tree_init(struct tree *tree);

/* Samples go into a tree in three steps, which leave it alone until the last, for there may turn
 * out to be a NaN among them: what is known of the leaf, that with some samples more, and that for
 * the leaf. */
void tree_copy_leaf(const struct tree *tree, struct leaf_stats *leaf);
void tree_fill_leaf(const struct tree *tree, const struct cpu_kernels *kernels,
                    const float *samples, size_t count, struct leaf_stats *leaf);
void tree_take(struct tree *tree, size_t count, const struct leaf_stats *leaf);

/* The most samples at a time: those that the leaf has room for. */
size_t tree_room(const struct tree *tree);

/* The sums of a subtree of 2^level leaves that comes next: so far there are whole leaves, and a
 * multiple of 2^level of them. After one that lacks leaves nothing may follow. */
void tree_add_subtree(struct tree *tree, unsigned level, struct tree_sums sums);

/* The sums of all samples so far. */
struct tree_sums tree_total(const struct tree *tree);

#endif
