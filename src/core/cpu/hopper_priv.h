/* A hopper: the running minimum and maximum of one channel for large hops. Each sample is read
 * once, by a plain loop, so a large hop costs about as much as reading the samples.
 *
 * The written windows begin and end at known frames. These frames divide the stream into
 * *segments*, and every written window is the same number of whole segments. So the minimum and
 * maximum of each segment slide, not the samples. */
#ifndef GPUENV_CPU_HOPPER_PRIV_H
#define GPUENV_CPU_HOPPER_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "window/window.h"

struct hopper;

/* Is a hopper faster than a slider for this window? */
bool hopper_pays(const struct window *window);

/* Bytes of one hopper; it must be aligned to 8 bytes. Pages that it does not need are not
 * touched. */
uint64_t hopper_bytes(const struct window *window);

/* Begins at frame `first` of the stream. */
void hopper_init(struct hopper *hopper, const struct cpu_kernels *kernels,
                 const struct window *window, enum nan_policy policy, uint64_t first);

/* Takes `count` samples (NULL: missing samples) and gives the minimum and the maximum of each
 * written window that ends among them. low and high have room for count / hop + 1 values; NULL:
 * only updates the state. */
void hopper_run(struct hopper *hopper, const void *samples, size_t count, void *low, void *high);

/* Continues at frame `to`, past the end of a stream so short that none of its samples leaves a
 * window before that. */
void hopper_jump(struct hopper *hopper, uint64_t to);

#endif
