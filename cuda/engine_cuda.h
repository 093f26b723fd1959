/* SPDX-License-Identifier: MIT */
/* The engine on a CUDA device (engine/engine.h). A build without CUDA has it too: there it finds no
 * device and reports why. */
#ifndef GPUENV_CUDA_ENGINE_CUDA_H
#define GPUENV_CUDA_ENGINE_CUDA_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/engine.h"

/* Is there a driver, and a device with this number? If not, sets STATUS_NO_DEVICE and the reason.
 * This is fast, because it creates no context. */
int engine_cuda_find(unsigned device, struct error *error);

/* Returns the number of devices by their files: asking CUDA takes as long as much work does. */
unsigned engine_cuda_files(void);

/* Is any device divided into parts (MIG), which CUDA counts as devices? */
bool engine_cuda_has_parts(void);

/* Sets the number of devices, 1 or more. */
int engine_cuda_count(unsigned *devices, struct error *error);

/* Returns the version of CUDA that this was built with: 12080 is 12.8; 0 without CUDA. */
int engine_cuda_version(void);

/* `device` of the machine selects the device. open() fails with STATUS_NO_DEVICE if there is no
 * such device, or if this program has no code for it; with STATUS_FAILED if it has too little
 * memory for the window. */
extern const struct engine_class engine_cuda;

#endif
