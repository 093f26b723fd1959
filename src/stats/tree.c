#include "stats/tree.h"

#include <string.h>

void tree_init(struct tree *tree)
{
    tree->leaves = 0;
    tree->filled = 0;
    memset(tree->sum, 0, sizeof tree->sum);
    memset(tree->square, 0, sizeof tree->square);
}

static double fold(const double lanes[SUMS_LANES])
{
    double sums[SUMS_LANES];

    memcpy(sums, lanes, sizeof sums);
    for (unsigned half = SUMS_LANES / 2; half > 0; half /= 2) {
        for (unsigned lane = 0; lane < half; lane++)
            sums[lane] += sums[lane + half];
    }
    return sums[0];
}

static struct tree_sums fold_leaf(const struct tree *tree)
{
    return (struct tree_sums){fold(tree->sum), fold(tree->square)};
}

static struct tree_sums add(struct tree_sums left, struct tree_sums right)
{
    return (struct tree_sums){left.sum + right.sum, left.square + right.square};
}

/* A binary counter: where a level is taken, its node is the left neighbour, and the two make one of
 * the next level. */
void tree_add_subtree(struct tree *tree, unsigned level, struct tree_sums sums)
{
    uint64_t leaves = UINT64_C(1) << level;

    for (uint64_t left = tree->leaves >> level; (left & 1) != 0; left >>= 1)
        sums = add(tree->level[level++], sums);
    tree->level[level] = sums;
    tree->leaves += leaves;
}

static void end_leaf(struct tree *tree)
{
    tree_add_subtree(tree, 0, fold_leaf(tree));
    tree->filled = 0;
    memset(tree->sum, 0, sizeof tree->sum);
    memset(tree->square, 0, sizeof tree->square);
}

/* Samples one by one. */
static void add_few(struct tree *tree, const float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t lane = (tree->filled + i) % SUMS_LANES;
        double sample = samples[i];

        tree->sum[lane] += sample;
        tree->square[lane] += sample * sample;
    }
    tree->filled += (unsigned)count;
}

/* All within one leaf. The kernel begins with lane 0. */
static void add_to_leaf(struct tree *tree, const struct cpu_kernels *kernels, const float *samples,
                        size_t count)
{
    size_t first = (SUMS_LANES - tree->filled % SUMS_LANES) % SUMS_LANES;
    size_t whole;

    if (first > count)
        first = count;
    whole = (count - first) / SUMS_LANES * SUMS_LANES;
    add_few(tree, samples, first);
    if (whole > 0)
        kernels->sums(samples + first, whole, tree->sum, tree->square);
    tree->filled += (unsigned)whole;
    add_few(tree, samples + first + whole, count - first - whole);
}

void tree_add(struct tree *tree, const struct cpu_kernels *kernels, const float *samples,
              size_t count)
{
    while (count > 0) {
        size_t room = TREE_LEAF - tree->filled;
        size_t run = count < room ? count : room;

        add_to_leaf(tree, kernels, samples, run);
        if (tree->filled == TREE_LEAF)
            end_leaf(tree);
        samples += run;
        count -= run;
    }
}

/* Up the right edge of the tree, from the leaf that is not full: what stands on a level is the left
 * neighbour. Where nothing stands, the right neighbour is missing, and the node goes up as it
 * is. */
struct tree_sums tree_total(const struct tree *tree)
{
    struct tree_sums total = fold_leaf(tree);

    for (unsigned level = 0; level < TREE_LEVELS; level++) {
        if ((tree->leaves >> level & 1) != 0)
            total = add(tree->level[level], total);
    }
    return total;
}
