/* SPDX-License-Identifier: MIT */
/* Contexts and engines for the program, which needs more of them than gpuenv.h shows: buffers to
 * attach, restarts, devices, a limit for each stream. Only this room names the engines. */
#ifndef GPUENV_LIB_ENGINES_H
#define GPUENV_LIB_ENGINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/machine.h"
#include "lib/gpuenv.h"

/* A context whose engines run on `device`, if they do on one. `threads` 0: as many as pay off. The
 * CPU has the instruction set. With `keeps`, devices stay started between streams. Returns NULL,
 * with errno set, when out of memory or threads. */
gpuenv_context *context_make(unsigned threads, const char *isa, unsigned device, bool keeps);

const struct machine *context_machine(const gpuenv_context *context);

/* Does this CPU have the instruction set? NULL: the best one that it has. */
bool engines_have_isa(const char *isa);

enum engine_choice {
    ENGINE_CPU,
    ENGINE_CUDA,   /* in a build without it, it cannot be opened */
    ENGINE_LEMIRE, /* the sequential reference */
    ENGINE_NONE,   /* writes no frames */
};

const struct engine_class *engines_class(enum engine_choice choice);

/* Like the functions of cuda/engine_cuda.h with such names. */
unsigned engines_device_files(void);
bool engines_devices_have_parts(void);
int engines_find_device(unsigned device, struct error *error);
int engines_count_devices(unsigned *devices, struct error *error);

/* As CUDA counts: 12080 is 12.8. 0: this build has none. */
int engines_cuda_version(void);

#endif
