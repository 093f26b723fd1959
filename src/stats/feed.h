/* Passes raw frames to the statistics of their channels. */
#ifndef GPUENV_STATS_FEED_H
#define GPUENV_STATS_FEED_H

#include <stddef.h>

#include "cpu/kernels.h"
#include "cpu/planes.h"
#include "sample/sample_type.h"
#include "stats/channel.h"

enum {
    FEED_FRAMES = TREE_LEAF, /* at a time */
    FEED_FLOATS = 16384,
};

struct feed {
    const struct cpu_kernels *kernels;
    struct sample_type sample;
    unsigned channels;
    size_t frame_bytes;
    float frames[FEED_FLOATS];
    float planes[PLANES_GROUP][FEED_FRAMES];
};

void feed_init(struct feed *feed, const struct cpu_kernels *kernels, struct sample_type sample,
               unsigned channels);

/* Adds the next frames of a block; `stats` has one entry per channel. */
void feed_add(struct feed *feed, const unsigned char *frames, size_t count,
              struct channel_stats *stats);

#endif
