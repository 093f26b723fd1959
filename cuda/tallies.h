/* Values made of sums: the device computes the statistics of parts of a chunk, and the host adds
 * them, and the frames between them, to the tallies of the channels (cpu/block.h). */
#ifndef GPUENV_CUDA_TALLIES_H
#define GPUENV_CUDA_TALLIES_H

#include "engine/engine.h"
#include "engine/machine.h"

struct tallies;

/* Returns NULL, with errno set, when out of memory. */
struct tallies *tallies_open(const struct machine *machine, const struct engine_setup *setup);
void tallies_close(struct tallies *tallies);

/* The next frame is number `first` of the stream. */
void tallies_restart(struct tallies *tallies, uint64_t first);

/* Takes the next chunk, whose parts are known, and writes its output frames. */
void tallies_take(struct tallies *tallies, const struct chunk *chunk);

#endif
