/* SPDX-License-Identifier: MIT */
#include "cpu/variance.h"

#include <math.h>

enum { LEAF_LEVEL = 7 }; /* a leaf has 2^7 blocks */

_Static_assert(TREE_LEAF == VARIANCE_BLOCK << LEAF_LEVEL, "leaves are whole blocks");

static struct deviations deviations_of(const double *numbers, uint64_t count)
{
    struct deviations of_block = {.count = (double)count};

    for (uint64_t i = 0; i < count; i++)
        of_block.mean += numbers[i] - numbers[0];
    of_block.mean = numbers[0] + of_block.mean / (double)count;
    for (uint64_t i = 0; i < count; i++)
        of_block.squares += (numbers[i] - of_block.mean) * (numbers[i] - of_block.mean);
    return of_block;
}

/* Adds 2^level blocks. A binary counter, as in tree_add_subtree(). */
static void add_blocks(struct variance *variance, unsigned level, struct deviations blocks)
{
    variance->blocks += UINT64_C(1) << level;
    for (; (variance->blocks >> level & 1) == 0; level++)
        blocks = deviations_join(variance->level[level], blocks);
    variance->level[level] = blocks;
}

static void end_block(struct variance *variance)
{
    add_blocks(variance, 0, deviations_of(variance->block, variance->filled));
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
    add_blocks(variance, LEAF_LEVEL + level, leaves);
}

/* All that is in the block, and in the first levels. */
static struct deviations total(const struct variance *variance, unsigned levels)
{
    struct deviations all = {.count = 0};

    if (variance->filled > 0)
        all = deviations_of(variance->block, variance->filled);
    for (unsigned level = 0; level < levels && variance->blocks >> level != 0; level++) {
        if ((variance->blocks >> level & 1) != 0)
            all = deviations_join(variance->level[level], all);
    }
    return all;
}

void variance_end_leaf(struct variance *variance, uint64_t leaves)
{
    const struct deviations leaf = total(variance, LEAF_LEVEL);

    if (variance->blocks == leaves << LEAF_LEVEL)
        return; /* nothing is missing */
    variance->filled = 0;
    variance->blocks = (leaves - 1) << LEAF_LEVEL;
    add_blocks(variance, LEAF_LEVEL, leaf);
}

struct deviations variance_total(const struct variance *variance)
{
    return total(variance, VARIANCE_LEVELS);
}
