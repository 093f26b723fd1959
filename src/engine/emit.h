/* Turns minima and maxima into output frames: which windows are kept, which are cut, and which
 * values are written. For engines that process one channel at a time. */
#ifndef GPUENV_ENGINE_EMIT_H
#define GPUENV_ENGINE_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

/* A run of windows, those that end at first .. first+count-1, and its output frames. */
struct emit_run {
    const struct engine_setup *setup;
    uint64_t first;
    uint64_t frames; /* in the stream so far */
    size_t start;    /* offset of the first kept window */
    size_t kept;     /* output frames */
    void *out;       /* the first output frame */
    void *out_end;
};

/* Describes `count` windows of a piece, starting at `offset`. `out` receives the kept frames; the
 * stream has `frames` frames. */
void emit_begin(struct emit_run *run, const struct engine_setup *setup, const struct piece *piece,
                uint64_t offset, size_t count, uint64_t frames, void *out);

/* Writes the values of one channel: low[i] and high[i] belong to the window first+i. `low` or
 * `high` may be NULL if no emit needs it. Different threads may write different channels. */
void emit_channel(const struct emit_run *run, unsigned channel, const void *low, const void *high);

/* The results of one emit, one after the other. */
void emit_values(const struct engine_setup *setup, unsigned item, const void *low, const void *high,
                 size_t count, void *values);

/* Writes NaN for the channel's cut windows if the edge mode is EDGE_NAN. emit_channel() calls this;
 * call it after writing values in another way. */
void emit_cut(const struct emit_run *run, unsigned channel);

#endif
