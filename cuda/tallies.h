/* SPDX-License-Identifier: MIT */
/* Values made of sums, and values beside them: the host adds the frames of a device's run to the
 * tallies of the channels (cpu/block.h). */
#ifndef GPUENV_CUDA_TALLIES_H
#define GPUENV_CUDA_TALLIES_H

#include "engine/engine.h"
#include "engine/machine.h"

struct tallies;

/* Returns NULL, with errno set, when out of memory. */
struct tallies *tallies_open(const struct machine *machine, const struct engine_setup *setup);
void tallies_close(struct tallies *tallies);

/* Starts anew: the next frame is number `first` of the stream. */
void tallies_restart(struct tallies *tallies, uint64_t first);

/* Takes the next chunk, and writes its output frames. */
void tallies_take(struct tallies *tallies, const struct chunk *chunk);

#endif
