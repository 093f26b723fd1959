/* SPDX-License-Identifier: MIT */
#include "cpu/variance.h"

enum { LEAF_LEVEL = 7 }; /* a leaf has 2^7 blocks */

_Static_assert(TREE_LEAF == VARIANCE_BLOCK << LEAF_LEVEL, "leaves are whole blocks");

static void end_block(struct variance *variance)
{
    variance_add_blocks(variance, 0, deviations_of(variance->block, variance->filled));
    variance->filled = 0;
}

void variance_add(struct variance *variance, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(numbers[i]))
            continue;
        variance->block[variance->filled++] = numbers[i];
        if (variance->filled == VARIANCE_BLOCK)
            end_block(variance);
    }
}

void variance_add_leaves(struct variance *variance, unsigned level, struct deviations leaves)
{
    variance_add_blocks(variance, LEAF_LEVEL + level, leaves);
}

/* All that is in the block, and in the first levels. */
static struct deviations total(const struct variance *variance, unsigned levels)
{
    return variance_join(variance, levels, deviations_of(variance->block, variance->filled));
}

void variance_end_leaf(struct variance *variance, uint64_t leaves)
{
    const struct deviations leaf = total(variance, LEAF_LEVEL);

    if (variance->blocks == leaves << LEAF_LEVEL)
        return; /* nothing is missing */
    variance->filled = 0;
    variance->blocks = (leaves - 1) << LEAF_LEVEL;
    variance_add_blocks(variance, LEAF_LEVEL, leaf);
}

struct deviations variance_total(const struct variance *variance)
{
    return total(variance, VARIANCE_LEVELS);
}
