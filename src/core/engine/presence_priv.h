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
    uint64_t end;       /* the place of the next frame */
    unsigned char is[]; /* for each frame: is a sample there? */
};

/* UINT64_MAX on overflow. */
uint64_t presence_bytes(uint64_t width);

void presence_start(struct presence *presence, uint64_t width);

/* Takes the samples of the windows of a run (NULL: none is there) and, where results are written,
 * writes NaN for windows with fewer than the least count. `kind` is that of the samples. */
void presence_run(struct presence *presence, const struct emit_run *run, unsigned channel,
                  enum value_kind kind, const void *samples, size_t count);

#endif
