/* From minima and maxima to output frames: which windows are kept, which are cut, and which values
 * are written. For the engines that work on one channel at a time. */
#ifndef GPUENV_ENGINE_EMIT_H
#define GPUENV_ENGINE_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

/* A run of windows, those that end at first .. first+count-1, and its output frames. */
struct emit_run {
    const struct engine_setup *setup;
    uint64_t first;
    uint64_t frames; /* of the stream, so far */
    size_t start;    /* the offset of the first window that is kept */
    size_t kept;     /* output frames */
    float *out;      /* the first of them */
    float *out_end;
};

/* The run of `count` windows of a piece, from the one at `offset` on. `out` is where its first kept
 * frame goes; the stream has `frames` frames. */
void emit_begin(struct emit_run *run, const struct engine_setup *setup, const struct piece *piece,
                uint64_t offset, size_t count, uint64_t frames, float *out);

/* Writes the values of one channel: low[i] and high[i] belong to the window first+i. A side that
 * no emit needs may be NULL. Channels may be written by different threads. */
void emit_channel(const struct emit_run *run, unsigned channel, const float *low,
                  const float *high);

/* Puts NaN into the channel's cut windows where the edge asks for it. emit_channel() includes this;
 * call it after writing the values in another way. */
void emit_cut(const struct emit_run *run, unsigned channel);

#endif
