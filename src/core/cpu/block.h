/* SPDX-License-Identifier: MIT */
/* The work of the cpu engine on one stretch of frames: decode, slide, write output frames. What a
 * channel carries from one stretch to the next is its *channel state*: a slider or a hopper, with
 * the positions of extremes where these are wanted, or a tally (cpu/tally.h). Where many channels
 * slide across, a vector of neighbouring channels has one state. */
#ifndef GPUENV_CPU_BLOCK_H
#define GPUENV_CPU_BLOCK_H

#include "cpu/block_plan.h"

/* Restarts all channel states at frame `first` of the stream. `states` is aligned to 64 bytes. */
void block_start(const struct block_plan *plan, unsigned char *states, uint64_t first);

/* Continues at frame `to` of the stream, see hopper_jump(). */
void block_jump(const struct block_plan *plan, unsigned char *states, uint64_t to);

/* Passes the stretch through the channel states and writes its output frames. The stretch's
 * `frames` and `out` move past them. `scratch` is aligned to 64 bytes and has the plan's
 * scratch.bytes. */
void block_run(const struct block_plan *plan, unsigned char *states, unsigned char *scratch,
               struct stretch *stretch);

#endif
