/* Counts the samples of a window that are no NaN, for setups with a least count. */
#ifndef GPUENV_ENGINE_PRESENCE_PRIV_H
#define GPUENV_ENGINE_PRESENCE_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "engine/emit.h"

/* The last `width` frames of a channel. Frames before the first one are missing. */
struct presence {
    uint64_t there;     /* samples that are no NaN */
    uint64_t begin;     /* the place of the first one in `is`, before which the last ones are */
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
