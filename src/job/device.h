/* Which engine runs a stream: --device and --algorithm. */
#ifndef GPUENV_JOB_DEVICE_H
#define GPUENV_JOB_DEVICE_H

#include <stdint.h>

#include "base/error.h"
#include "cli/settings.h"
#include "engine/engine.h"

/* Picks the class, and sets the device and the chunks of the setup, which is complete otherwise.
 * `frames` of input are known to come; UINT64_MAX: not known. A device that was asked for by name
 * and is not there is STATUS_NO_DEVICE. */
int device_choose(const struct settings *settings, struct engine_setup *setup, uint64_t frames,
                  const struct engine_class **engine_class, struct error *error);

#endif
