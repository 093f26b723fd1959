/* Statistics that an engine has worked out: the results of parts.
 *
 * A *part* is a subtree of a block's summation tree (stats/tree.h). An engine hands over the parts
 * of each chunk; stats/ adds them up with the frames that belong to no part. The two constants of
 * the tree that kernels need stand here too. */
#ifndef GPUENV_ENGINE_PART_H
#define GPUENV_ENGINE_PART_H

#include <stddef.h>
#include <stdint.h>

/* The summation tree: a leaf, and the lanes that it is summed in. */
enum {
    TREE_LEAF = 4096, /* frames */
    TREE_LANES = 32,
};

/* A subtree of 2^level leaves. Only the last one of a block may lack frames at its end. */
struct stats_part {
    uint64_t first; /* from the start of the chunk */
    uint64_t frames;
    unsigned level;
};

/* One channel of a part. Without a number, `low` is greater than `high`. */
struct stats_values {
    double sum;
    double square;
    uint64_t nans;
    uint64_t low_at; /* frames from the start of the part, the first of equals */
    uint64_t high_at;
    uint64_t magnitude_at;
    int32_t low; /* keys, as in window/rules.h */
    int32_t high;
    uint32_t magnitude; /* bits */
};

/* The parts of one chunk, in order. Frames before, between and behind them belong to no part. */
struct stats_parts {
    size_t count;
    const struct stats_part *part;
    const struct stats_values *values; /* of each part all channels, then of the next */
};

#endif
