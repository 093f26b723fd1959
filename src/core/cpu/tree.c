/* SPDX-License-Identifier: MIT */
#include "cpu/tree.h"

#include "base/min_max.h"
#include "cpu/tree_fold_priv.h"
#include "window/rules.h"

void tree_init(struct tree *tree)
{
    tree->leaves = 0;
    tree->filled = 0;
}

static struct tree_sums fold_leaf(const struct leaf_stats *leaf)
{
    return (struct tree_sums){tree_fold(leaf->sum), tree_fold(leaf->square)};
}

static struct tree_sums add(struct tree_sums left, struct tree_sums right)
{
    return (struct tree_sums){left.sum + right.sum, left.square + right.square};
}

/* A binary counter: an occupied level holds the left neighbour, and the two make a node of the next
 * level. */
void tree_add_subtree(struct tree *tree, unsigned level, struct tree_sums sums)
{
    uint64_t leaves = UINT64_C(1) << level;

    for (uint64_t left = tree->leaves >> level; (left & 1) != 0; left >>= 1)
        sums = add(tree->level[level++], sums);
    tree->level[level] = sums;
    tree->leaves += leaves;
}

/* Adds samples one by one, starting with lane `first`. */
static void add_few(enum value_kind kind, const void *samples, size_t count, size_t first,
                    struct leaf_stats *leaf)
{
    for (size_t i = 0; i < count; i++) {
        const size_t lane = (first + i) % TREE_LANES;
        const float narrow = kind == VALUE_F32 ? ((const float *)samples)[i] : 0;
        const double sample = kind == VALUE_F32 ? (double)narrow : ((const double *)samples)[i];
        const int64_t key = kind == VALUE_F32 ? (int32_t)rules_flip(rules_bits(narrow))
                                              : (int64_t)rules_flip64(rules_bits64(sample));

        leaf->sum[lane] += sample;
        leaf->square[lane] += sample * sample;
        leaf->low = key < leaf->low ? key : leaf->low;
        leaf->high = key > leaf->high ? key : leaf->high;
    }
}

/* The kernel begins with lane 0: the rest of a row of lanes is added one by one before. */
void tree_fill_leaf(const struct tree *tree, const struct cpu_kernels *kernels, const void *samples,
                    size_t count, struct leaf_stats *leaf)
{
    const unsigned char *from = samples;
    const size_t bytes = value_bytes(kernels->kind);
    const struct extremes none = extremes_none(kernels->kind);
    const size_t first =
        (size_t)min_u64(count, (TREE_LANES - tree->filled % TREE_LANES) % TREE_LANES);
    const size_t whole = (count - first) / TREE_LANES * TREE_LANES;

    if (tree->filled > 0 && leaf != &tree->leaf)
        *leaf = tree->leaf;
    if (tree->filled == 0)
        *leaf = (struct leaf_stats){.low = none.low, .high = none.high};
    add_few(kernels->kind, from, first, tree->filled, leaf);
    if (whole > 0)
        kernels->leaf_stats(from + first * bytes, whole, leaf);
    add_few(kernels->kind, from + (first + whole) * bytes, count - first - whole, 0, leaf);
}

void tree_take(struct tree *tree, size_t count, const struct leaf_stats *leaf)
{
    tree->filled += (unsigned)count;
    if (tree->filled == TREE_LEAF) {
        tree_add_subtree(tree, 0, fold_leaf(leaf));
        tree->filled = 0;
    } else if (leaf != &tree->leaf) {
        tree->leaf = *leaf;
    }
}

/* Goes up the right edge of the tree, from the incomplete leaf. An occupied level holds the left
 * neighbour. On other levels the right neighbour is missing, and the node moves up unchanged. */
struct tree_sums tree_total(const struct tree *tree)
{
    struct tree_sums total = {0, 0};

    if (tree->filled > 0)
        total = fold_leaf(&tree->leaf);
    for (unsigned level = 0; level < TREE_LEVELS && tree->leaves >> level != 0; level++) {
        if ((tree->leaves >> level & 1) != 0)
            total = add(tree->level[level], total);
    }
    return total;
}
