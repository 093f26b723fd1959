/* SPDX-License-Identifier: MIT */
/* Turns minima and maxima into output frames: which windows are kept, which are cut, and which
 * values are written. For engines that process one channel at a time. */
#ifndef GPUENV_ENGINE_EMIT_H
#define GPUENV_ENGINE_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/part.h"

/* Where results go: an array for each emit, with distances in values from one frame, and from one
 * channel, to the next. */
struct emit_out {
    void *item[EMIT_KINDS]; /* nothing is written if item[0] is NULL */
    size_t frame;
    size_t channel;
    bool together; /* one array has all emits of channel 0, then of channel 1, ... */
};

/* Sets `out` to one array of frames. Sets all members in place, because a copy takes too long for
 * small chunks. */
void emit_out_frames(struct emit_out *out, const struct engine_setup *setup, void *frames);

/* Steps over `count` frames. */
void emit_out_skip(struct emit_out *out, const struct engine_setup *setup, uint64_t count);

/* A run of windows, those that end at first .. first+count-1, and its output frames. */
struct emit_run {
    const struct engine_setup *setup;
    uint64_t first;
    uint64_t frames; /* frames in the stream so far */
    size_t start;    /* offset of the first kept window */
    size_t kept;     /* output frames */
    const struct emit_out *out;
};

/* Describes `count` windows of a piece, starting at `offset`. `out` receives the kept frames; the
 * stream has `frames` frames. */
void emit_begin(struct emit_run *run, const struct engine_setup *setup, const struct piece *piece,
                uint64_t offset, size_t count, uint64_t frames, const struct emit_out *out);

/* The extremes of windows and, if positions are wanted, the frames of the input that they lie
 * in. */
struct emit_windows {
    const void *low;
    const void *high;
    const int64_t *low_at;
    const int64_t *high_at;
};

/* Writes the values of one channel: low[i] and high[i] belong to the window first+i. Both can be
 * read; the values of a side that no emit needs do not matter. Different threads may write
 * different channels. */
void emit_channel(const struct emit_run *run, unsigned channel, const struct emit_windows *windows);

/* Writes the results of one emit, one after the other. */
void emit_values(const struct engine_setup *setup, unsigned item,
                 const struct emit_windows *windows, size_t count, void *values);

/* The value of an emit that is made of the sums. `numbers` is the count of samples that are no
 * NaN. */
double emit_of_sums(enum emit emit, const struct stats_values *values, double numbers);

/* An extreme of 64 bits, rounded as samples are that are decoded to float32. */
float emit_rounded(const struct engine_setup *setup, uint64_t value);

enum { EMIT_STATS_MOST = 64 };

/* Writes the values of one channel of at most EMIT_STATS_MOST windows of `frames` frames each, from
 * their statistics, to `out` from frame `index` on. If positions are among the emits, those in
 * `values` count from frame 0 of the stream. The extremes are keys of the kind sample_type_value().
 * They are rounded to float32 first if the values are. Unlike emit_channel(), it knows all emits.
 */
void emit_stats(const struct engine_setup *setup, const struct stats_values *values, size_t windows,
                uint64_t frames, const struct emit_out *out, unsigned channel, size_t index);

/* Writes NaN for the channel's cut windows if the edge mode is EDGE_NAN. emit_channel() calls this;
 * call it after writing values in another way. */
void emit_cut(const struct emit_run *run, unsigned channel);

#endif
