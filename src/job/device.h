/* Which engine runs a stream: --device and --algorithm. */
#ifndef GPUENV_JOB_DEVICE_H
#define GPUENV_JOB_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/options.h"
#include "engine/engine.h"

/* Picks the class. The setup is complete but for its chunks and its device; the first is the
 * caller's to set, for what device_chunk_bytes() says, the second is set here. `frames` of input
 * are known to come; UINT64_MAX: not known. A device that was asked for by name and is not there
 * is STATUS_NO_DEVICE. */
int device_choose(const struct options *options, struct engine_setup *setup, uint64_t frames,
                  const struct engine_class **engine_class, struct error *error);

/* How large the larger of a chunk's two buffers should be. */
size_t device_chunk_bytes(const struct engine_class *engine_class);

#endif
