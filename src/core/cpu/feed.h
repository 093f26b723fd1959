/* SPDX-License-Identifier: MIT */
/* Passes raw frames to the statistics of their channels. */
#ifndef GPUENV_CPU_FEED_H
#define GPUENV_CPU_FEED_H

#include <stdalign.h>
#include <stddef.h>

#include "cpu/channel.h"
#include "cpu/kernels.h"
#include "cpu/planes.h"
#include "sample/sample_type.h"

/* Bytes of values that are processed at a time: those of all channels, and of one. */
enum {
    FEED_BYTES = 65536,
    FEED_PLANE_BYTES = 16384,
};

struct feed {
    struct channel_samples values; /* how the samples are added */
    struct sample_type sample;
    unsigned channels;
    size_t value_bytes;
    size_t frame_bytes;
    alignas(64) unsigned char frames[FEED_BYTES];
    alignas(64) unsigned char planes[PLANES_GROUP][FEED_PLANE_BYTES];
};

/* `isa` is that of struct machine. Samples at full scale are counted. */
void feed_init(struct feed *feed, const char *isa, struct sample_type sample, unsigned channels,
               struct full_scale scale);

/* Adds the next frames of a block; `stats` has one entry per channel. */
void feed_add(struct feed *feed, const unsigned char *frames, size_t count,
              struct channel_stats *stats);

#endif
