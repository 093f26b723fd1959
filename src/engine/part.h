/* The statistics of parts of a block, worked out elsewhere: what an engine hands over.
 *
 * A part is a subtree of a block's summation tree (stats/tree.h). This header has no code, so that
 * an engine may know it too. */
#ifndef GPUENV_ENGINE_PART_H
#define GPUENV_ENGINE_PART_H

#include <stddef.h>
#include <stdint.h>

/* Of the summation tree. */
enum {
    TREE_LANES = 32,
    TREE_LEAF = 4096, /* frames */
};

/* Begins where a subtree of 2^level leaves does. Has all of its frames, or ends with the block. */
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

/* Of one chunk. Parts are in order; what lies before, between and behind them belongs to none. */
struct stats_parts {
    size_t count;
    const struct stats_part *part;
    const struct stats_values *values; /* of each part all channels, then of the next */
};

#endif
