/* SPDX-License-Identifier: MIT */
/* Counts the samples of a window that are no NaN, for setups with a least count. */
#ifndef GPUENV_ENGINE_PRESENCE_PRIV_H
#define GPUENV_ENGINE_PRESENCE_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "engine/emit.h"

/* The last frames of a channel, of a window's width or more, in a ring. Frames before the first one
 * are missing. */
struct presence {
    uint64_t there;     /* samples of the last window that are no NaN */
    uint64_t end;       /* the place of the next frame in the ring */
    unsigned char is[]; /* 1 for a frame whose sample is a number, otherwise 0 */
};

/* The bytes of the presence of a channel; UINT64_MAX on overflow. */
uint64_t presence_bytes(uint64_t width);

void presence_start(struct presence *presence, uint64_t width);

/* Takes the samples of the windows of a run; `samples` is NULL if all are missing. Where results
 * are written, writes NaN for windows with fewer than the least count. `kind` is the kind of the
 * samples. */
void presence_run(struct presence *presence, const struct emit_run *run, unsigned channel,
                  enum value_kind kind, const void *samples, size_t count);

#endif
