/* SPDX-License-Identifier: MIT */
#include "cpu/variance.h"

#include <math.h>
#include <stdbool.h>

#include "base/min_max.h"

enum {
    LEAF_LEVEL = 7, /* a leaf has 2^7 blocks */
    BESIDE = 8,
};

_Static_assert(TREE_LEAF == VARIANCE_BLOCK << LEAF_LEVEL, "leaves are whole blocks");

/* Blocks of so many numbers, one behind the other. The sums of each are made in the order of its
 * numbers; those of several go on side by side, for a processor that would wait for one. */
static inline void sum_blocks(const double *numbers, size_t count, struct deviations *blocks,
                              size_t beside)
{
    for (size_t b = 0; b < beside; b++)
        blocks[b] = (struct deviations){.count = (double)count};
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
    struct deviations block;

    sum_blocks(variance->block, variance->filled, &block, 1);
    add_blocks(variance, 0, block);
    variance->filled = 0;
}

/* False, and nothing is added: there may be NaN among the numbers. */
static bool add_beside(struct variance *variance, const double *numbers)
{
    struct deviations blocks[BESIDE];
    double squares = 0;

    sum_blocks(numbers, VARIANCE_BLOCK, blocks, BESIDE);
    for (size_t i = 0; i < BESIDE; i++)
        squares += blocks[i].squares;
    for (size_t i = 0; i < BESIDE && !isnan(squares); i++)
        add_blocks(variance, 0, blocks[i]);
    return !isnan(squares);
}

static void add_singly(struct variance *variance, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(numbers[i]))
            continue;
        variance->block[variance->filled++] = numbers[i];
        if (variance->filled == VARIANCE_BLOCK)
            end_block(variance);
    }
}

void variance_add(struct variance *variance, const double *numbers, size_t count)
{
    while (count > 0) {
        const size_t left = (variance->filled == 0 ? BESIDE : 1) * VARIANCE_BLOCK;
        const size_t some = min_u64(count, left - variance->filled);

        if (some < BESIDE * VARIANCE_BLOCK || !add_beside(variance, numbers))
            add_singly(variance, numbers, some);
        numbers += some;
        count -= some;
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
        sum_blocks(variance->block, variance->filled, &all, 1);
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
