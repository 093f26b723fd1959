/* SPDX-License-Identifier: MIT */
#include "cpu/variance.h"

#include <math.h>
#include <stdbool.h>

#include "base/min_max.h"
#include "cpu/kernels.h"

enum {
    LEAF_LEVEL = 7,  /* a leaf has 2^7 blocks */
    LEVEL_LEAST = 3, /* of fewer blocks a kernel takes longer than one number at a time */
};

_Static_assert(TREE_LEAF == VARIANCE_BLOCK << LEAF_LEVEL, "leaves are whole blocks");

static void end_block(struct variance *variance)
{
    variance_add_blocks(variance, 0, deviations_of(variance->block, variance->filled));
    variance->filled = 0;
}

static void add_singly(struct variance *variance, enum value_kind kind, const void *samples,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double number =
            kind == VALUE_F32 ? (double)((const float *)samples)[i] : ((const double *)samples)[i];

        if (isnan(number))
            continue;
        variance->block[variance->filled++] = number;
        if (variance->filled == VARIANCE_BLOCK)
            end_block(variance);
    }
}

/* The level of the subtree that the next blocks are, for a kernel; 0 where a kernel would take
 * longer than the samples one by one. */
static unsigned level_of(const struct variance *variance, size_t count)
{
    for (unsigned level = VARIANCE_LEVEL_MOST; variance->filled == 0 && level >= LEVEL_LEAST;
         level--) {
        if (count >> level >= VARIANCE_BLOCK && variance->blocks % (1U << level) == 0)
            return level;
    }
    return 0;
}

void variance_add(struct variance *variance, const struct cpu_kernels *kernels, const void *samples,
                  size_t count)
{
    const unsigned char *from = samples;

    while (count > 0) {
        const unsigned level = level_of(variance, count);
        const size_t some = min_u64(count, ((uint64_t)VARIANCE_BLOCK << level) - variance->filled);
        const struct deviations blocks =
            level > 0 ? kernels->deviations(from, level) : (struct deviations){.squares = NAN};

        if (isnan(blocks.squares)) /* there may be NaN among the numbers */
            add_singly(variance, kernels->kind, from, some);
        else
            variance_add_blocks(variance, level, blocks);
        from += some * value_bytes(kernels->kind);
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
