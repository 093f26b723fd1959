/* SPDX-License-Identifier: MIT */
/* A hopper: the running minimum and maximum of one channel for large hops. Each sample is read
 * once, by a plain loop, so a large hop costs about as much as reading the samples.
 *
 * The written windows begin and end at known frames. These frames divide the stream into
 * *segments*, and all written windows have an equal number of whole segments. So the hopper slides
 * over the minima and maxima of segments, not over samples. */
#ifndef GPUENV_CPU_HOPPER_PRIV_H
#define GPUENV_CPU_HOPPER_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "window/window.h"

struct hopper;

/* Where the windows of a run go: the low side, then the high side. */
struct windows_found {
    void *extremes[2]; /* if both are NULL, only the state is updated */
    void *places[2];   /* places of the extremes; not used where places are not wanted */
};

/* Is a hopper faster than a slider for this window? If `places` is set, both give places, too. */
bool hopper_pays(const struct window *window, bool places);

/* Bytes of one hopper; it must be aligned to 8 bytes. Pages that it does not need are not
 * touched. */
uint64_t hopper_bytes(const struct window *window, unsigned places);

/* Begins at frame `first` of the stream. `places` are the sides whose extremes' places are
 * wanted. */
void hopper_init(struct hopper *hopper, const struct cpu_kernels *kernels,
                 const struct window *window, enum nan_policy policy, unsigned places,
                 uint64_t first);

/* Takes `count` samples, all missing if `samples` is NULL, and gives the minimum and the maximum of
 * each written window that ends among them. There must be room for count / hop + 1 values of each.
 * Places are as in struct places, counted from frame 0. */
void hopper_run(struct hopper *hopper, const void *samples, size_t count,
                const struct windows_found *to);

/* Continues at frame `to`, past the end of a stream so short that none of its samples leaves a
 * window before `to`. */
void hopper_jump(struct hopper *hopper, uint64_t to);

#endif
