/* The statistics of parts of a block, worked out by an engine or a worker.
 *
 * A part is a subtree of a block's summation tree (stats/tree.h). Here frames are cut into parts,
 * as large as they go; what they come to is put together by stats/. */
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
    uint32_t unused;    /* 0: devices copy whole structures */
};

/* The parts of one chunk, in order. Frames before, between and behind them belong to no part. */
struct stats_parts {
    size_t count;
    const struct stats_part *part;
    const struct stats_values *values; /* of each part all channels, then of the next */
};

/* The most parts of so many frames, in blocks of `every`. */
uint64_t parts_most(uint64_t every, uint64_t count);

/* Cuts the frames first .. first+count-1 of the stream. What belongs to no part is less than a leaf
 * at each end. Returns how many parts there are; `*frames` is how many frames they have. */
size_t parts_cut(struct stats_part *part, uint64_t every, uint64_t first, uint64_t count,
                 uint64_t *frames);

#endif
