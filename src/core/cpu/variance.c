#include "cpu/variance.h"

#include <math.h>

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

/* A binary counter, as in tree_add_subtree(). */
static void end_block(struct variance *variance)
{
    struct deviations of_block = deviations_of(variance->block, variance->filled);
    unsigned level = 0;

    for (uint64_t left = variance->blocks; (left & 1) != 0; left >>= 1)
        of_block = deviations_join(variance->level[level++], of_block);
    variance->level[level] = of_block;
    variance->blocks++;
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

struct deviations variance_total(const struct variance *variance)
{
    struct deviations all = {.count = 0};

    if (variance->filled > 0)
        all = deviations_of(variance->block, variance->filled);
    for (unsigned level = 0; variance->blocks >> level != 0; level++) {
        if ((variance->blocks >> level & 1) != 0)
            all = deviations_join(variance->level[level], all);
    }
    return all;
}
