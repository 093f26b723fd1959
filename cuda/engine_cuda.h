/* The engine on a CUDA device (engine/engine.h). A build without CUDA has it too: there it finds no
 * device, and says why. */
#ifndef GPUENV_CUDA_ENGINE_CUDA_H
#define GPUENV_CUDA_ENGINE_CUDA_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/engine.h"

/* Is there a driver, and the device with this number? If not: STATUS_NO_DEVICE and why. Starts
 * no context, so it is quick. */
int engine_cuda_find(unsigned device, struct error *error);

/* How many devices there are, 1 or more. */
int engine_cuda_count(unsigned *devices, struct error *error);

/* The machine says which device. open() fails with STATUS_NO_DEVICE when that is not there, or when
 * this program has no code for it; with STATUS_FAILED when it has not the memory that the window
 * needs. */
extern const struct engine_class engine_cuda;

/* Of a device at the end of a bus. On one core of the hosts of an H200 and an H100 feeding took 0.2
 * and 0.25 ns a byte; on that of the H200 copying took 0.17 to 0.25. */
extern const struct engine_estimate engine_cuda_estimate;

#endif
