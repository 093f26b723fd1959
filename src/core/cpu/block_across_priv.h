/* SPDX-License-Identifier: MIT */
/* A block of many channels, and what it has in common with one that goes channel by channel. */
#ifndef GPUENV_CPU_BLOCK_ACROSS_PRIV_H
#define GPUENV_CPU_BLOCK_ACROSS_PRIV_H

#include "cpu/block_plan.h"

/* The magnitudes of samples, to another place or to their own. */
void block_magnitudes(const struct block_plan *plan, const void *samples, size_t count, void *to);

/* The values of one emit: those of the slider itself, or `values`, computed from both of its
 * sides. */
const void *block_values(const struct block_plan *plan, unsigned item, const void *low,
                         const void *high, size_t count, void *values);

/* Moves the windows of a run that are written, of `bytes` bytes each, to the beginning of `to`,
 * which may be where they are. */
void block_keep(const struct emit_run *run, const unsigned char *windows, size_t bytes,
                unsigned char *to);

/* Are the emits just what a slider gives, in arrays of their own, each side at most once? */
bool block_slides_apart(const struct block_plan *plan, const struct emit_run *run, void **low,
                        void **high);

/* Does a stretch need no scratch memory, as its windows go from samples to where they belong? Then
 * it is one block, whose long rows are read faster than those of several. */
bool block_is_straight(const struct block_plan *plan, const struct stretch *stretch);

/* The next `count` frames of a stretch, if the plan's channels slide across. */
void block_across(const struct block_plan *plan, unsigned char *states, unsigned char *scratch,
                  const struct stretch *stretch, const struct emit_run *run, size_t count);

#endif
