/* Where the extremes of a channel's windows are: a part of its channel state (cpu/block.c), beside
 * a slider or a hopper. It keeps the samples of the last windows, because an extreme is searched
 * when it is known. */
#ifndef GPUENV_CPU_POSITIONS_PRIV_H
#define GPUENV_CPU_POSITIONS_PRIV_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/min_max.h"
#include "cpu/kernels.h"
#include "engine/emit.h"

struct positions {
    uint64_t next;   /* the frame after the last sample */
    size_t width;    /* of windows */
    size_t capacity; /* in samples */
    size_t held;     /* samples */
    size_t at[2];    /* no later window has its minimum, or its maximum, before this sample */
    alignas(64) unsigned char samples[];
};

/* The samples of a window move to the front once per that many: each is copied twice at most. */
static inline uint64_t positions_capacity(uint64_t width, size_t frames)
{
    return width > UINT64_MAX / 32 ? UINT64_MAX / 16 : 2 * width + frames + LOCATE_GROUP;
}

/* Bytes of one state, for runs of at most `frames` windows; it must be aligned to 64 bytes.
 * UINT64_MAX on overflow. */
static inline uint64_t positions_bytes(uint64_t width, size_t frames, enum value_kind kind)
{
    return width > UINT64_MAX / 64
               ? UINT64_MAX
               : sizeof(struct positions) + positions_capacity(width, frames) * value_bytes(kind);
}

/* Begins at frame `first` of the stream. */
static inline void positions_init(struct positions *positions, uint64_t width, size_t frames,
                                  uint64_t first)
{
    *positions = (struct positions){
        .next = first,
        .width = (size_t)width,
        .capacity = (size_t)positions_capacity(width, frames),
    };
}

/* Keeps what the next window needs. */
static inline void positions_drop(struct positions *positions, size_t bytes)
{
    const size_t kept = positions->held < positions->width ? positions->held : positions->width - 1;
    const size_t dropped = positions->held - kept;

    memmove(positions->samples, positions->samples + dropped * bytes, kept * bytes);
    positions->held = kept;
    for (int i = 0; i < 2; i++)
        positions->at[i] -= min_u64(positions->at[i], dropped);
}

/* Takes the next samples. */
static inline void positions_take(struct positions *positions, enum value_kind kind,
                                  const void *samples, size_t count)
{
    const size_t bytes = value_bytes(kind);

    if (positions->held + count + LOCATE_GROUP > positions->capacity)
        positions_drop(positions, bytes);
    memcpy(positions->samples + positions->held * bytes, samples, count * bytes);
    positions->held += count;
    positions->next += count;
}

/* The frames of the minima or the maxima (EMIT_ARGMIN, EMIT_ARGMAX) of the windows of a run that
 * are written; -1 where that is NaN. Their last samples have been taken. */
static inline void positions_find(struct positions *positions, const struct cpu_kernels *kernels,
                                  const struct emit_run *run, enum emit emit, const void *extremes,
                                  int64_t *frames)
{
    const uint64_t base = positions->next - positions->held;
    size_t *at = &positions->at[emit == EMIT_ARGMAX];
    struct locate work = {
        .samples = positions->samples,
        .count = positions->held,
        .extremes = extremes,
        .windows = run->kept,
        .first = (int64_t)(run->first + run->start + 1 - positions->width - base),
        .width = positions->width,
        .hop = run->kept > 1 ? (size_t)run->setup->window.hop : 1,
        .at = *at,
        .base = (int64_t)base,
        .origin = (int64_t)run->setup->origin,
        .turn = run->setup->backwards ? -1 : 0,
        .frames = frames,
    };

    kernels->locate(&work);
    *at = work.at;
}

#endif
