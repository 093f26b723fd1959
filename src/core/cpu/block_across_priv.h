/* SPDX-License-Identifier: MIT */
/* A block whose channels slide across, and functions that cpu/block.c uses as well. */
#ifndef GPUENV_CPU_BLOCK_ACROSS_PRIV_H
#define GPUENV_CPU_BLOCK_ACROSS_PRIV_H

#include "cpu/block_plan.h"

/* Writes the magnitudes of samples to `to`, which may be `samples`. */
void block_magnitudes(const struct block_plan *plan, const void *samples, size_t count, void *to);

/* The values of one emit: a side of the slider, or `values`, computed from both sides. */
const void *block_values(const struct block_plan *plan, unsigned item, const void *low,
                         const void *high, size_t count, void *values);

/* Moves the windows of a run that are written, each of `bytes` bytes, to the beginning of `to`,
 * which may be `windows`. */
void block_keep(const struct emit_run *run, const unsigned char *windows, size_t bytes,
                unsigned char *to);

/* Are the emits the sides of a slider, each at most once, in arrays of their own? */
bool block_slides_apart(const struct block_plan *plan, const struct emit_run *run, void **low,
                        void **high);

/* Does a stretch need no scratch memory, because its windows go straight to the results? Then it is
 * one block: long rows are read faster than those of several blocks. */
bool block_is_straight(const struct block_plan *plan, const struct stretch *stretch);

/* Processes the next `count` frames of a stretch, if the plan's channels slide across. */
void block_across(const struct block_plan *plan, unsigned char *states, unsigned char *scratch,
                  const struct stretch *stretch, const struct emit_run *run, size_t count);

#endif
