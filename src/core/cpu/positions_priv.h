/* SPDX-License-Identifier: MIT */
/* The channel state where positions of extremes are wanted (cpu/block.c): a slider with places for
 * each wanted side. */
#ifndef GPUENV_CPU_POSITIONS_PRIV_H
#define GPUENV_CPU_POSITIONS_PRIV_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/hopper_priv.h"
#include "cpu/kernels.h"
#include "engine/emit.h"

struct positions {
    uint64_t first; /* the frame that the sliders began at */
    unsigned sides; /* the wanted sides */
    size_t slider_bytes;
    alignas(64) unsigned char sliders[];
};

static inline struct slider *positions_slider(struct positions *positions, unsigned side)
{
    return (struct slider *)(void *)(positions->sliders + side * positions->slider_bytes);
}

/* Bytes of one state; it must be aligned to 64 bytes. UINT64_MAX on overflow. */
static inline uint64_t positions_bytes(const struct cpu_kernels *kernels, uint64_t width)
{
    const uint64_t bytes = kernels->slider_bytes(width, SLIDER_LOW | SLIDER_PLACES);

    return bytes > UINT64_MAX / 4 ? UINT64_MAX
                                  : sizeof(struct positions) + (bytes + 63) / 64 * 64 * 2;
}

/* Begins at frame `first` of the stream. */
static inline void positions_init(struct positions *positions, const struct cpu_kernels *kernels,
                                  uint64_t width, unsigned sides, enum nan_policy policy,
                                  uint64_t first)
{
    positions->first = first;
    positions->sides = sides;
    positions->slider_bytes =
        (size_t)(kernels->slider_bytes(width, SLIDER_LOW | SLIDER_PLACES) + 63) / 64 * 64;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned side = i == 0 ? SLIDER_LOW : SLIDER_HIGH;

        if ((sides & side) != 0)
            kernels->slider_init(positions_slider(positions, i), width, side | SLIDER_PLACES,
                                 policy);
    }
}

/* Takes the next samples, which are missing if `samples` is NULL. */
static inline void positions_slide(struct positions *positions, const struct cpu_kernels *kernels,
                                   const void *samples, size_t count,
                                   const struct windows_found *found)
{
    for (unsigned i = 0; i < 2; i++) {
        struct slider *slider = positions_slider(positions, i);

        if ((positions->sides & (i == 0 ? SLIDER_LOW : SLIDER_HIGH)) == 0)
            continue;
        if (samples == NULL)
            kernels->slide_missing(slider, count, found->extremes[i], found->places[i]);
        else
            kernels->slide(slider, samples, count, found->extremes[i], found->places[i]);
    }
}

/* The frames of the minima or the maxima (EMIT_ARGMIN, EMIT_ARGMAX) of the windows of a run that
 * are written; -1 where the extreme is NaN. The places that were found count from frame `first`. */
static inline void positions_frames(uint64_t first, const struct cpu_kernels *kernels,
                                    const struct emit_run *run, enum emit emit,
                                    const struct windows_found *found, int64_t *frames)
{
    const unsigned side = emit == EMIT_ARGMAX;
    const struct places work = {
        .extremes = found->extremes[side],
        .places = found->places[side],
        .none = extremes_missing_bits(kernels->kind, side == 0 ? SLIDER_LOW : SLIDER_HIGH),
        .windows = run->kept,
        .width = run->setup->window.width,
        .hop = run->setup->window.hop,
        .end = run->first + run->start,
        .first = first,
        .origin = (int64_t)run->setup->origin,
        .turn = run->setup->backwards ? -1 : 0,
        .frames = frames,
    };

    kernels->frames(&work);
}

#endif
