/* SPDX-License-Identifier: MIT */
#include "cpu/variance.h"

#include <math.h>
#include <stdbool.h>

#include "base/min_max.h"

enum {
    LEAF_LEVEL = 7, /* a leaf has 2^7 blocks */
    BESIDE = 8,
    NUMBERS_BESIDE = BESIDE * VARIANCE_BLOCK,
};

_Static_assert(TREE_LEAF == VARIANCE_BLOCK << LEAF_LEVEL, "leaves are whole blocks");

static void end_block(struct variance *variance)
{
    variance_add_blocks(variance, 0, deviations_of(variance->block, variance->filled));
    variance->filled = 0;
}

/* Adds BESIDE blocks. Returns false, and adds nothing, if there may be NaN among the numbers. */
static bool add_beside(struct variance *variance, const double *numbers)
{
    struct deviations blocks[BESIDE];
    double squares = 0;

    deviations_of_blocks(numbers, VARIANCE_BLOCK, blocks, BESIDE);
    for (size_t i = 0; i < BESIDE; i++)
        squares += blocks[i].squares;
    for (size_t i = 0; i < BESIDE && !isnan(squares); i++)
        variance_add_blocks(variance, 0, blocks[i]);
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
        const uint64_t filled = variance->filled;
        const size_t some = min_u64(count, filled == 0 ? NUMBERS_BESIDE : VARIANCE_BLOCK - filled);

        if (some < NUMBERS_BESIDE || !add_beside(variance, numbers))
            add_singly(variance, numbers, some);
        numbers += some;
        count -= some;
    }
}

void variance_add_leaves(struct variance *variance, unsigned level, struct deviations leaves)
{
    variance_add_blocks(variance, LEAF_LEVEL + level, leaves);
}

/* The deviations of all numbers in the block and in the first levels. */
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
