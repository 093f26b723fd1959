/* SPDX-License-Identifier: MIT */
/* Contexts and engines for the program, which needs more of them than gpuenv.h shows: buffers to
 * attach, restarts, devices, a limit for each stream. Only this room names the engines. */
#ifndef GPUENV_LIB_ENGINES_H
#define GPUENV_LIB_ENGINES_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/machine.h"
#include "lib/gpuenv.h"

/* A context whose engines run on `device`, if they run on a device. `threads` may be 0, which means
 * as many as pay off. `isa` is one that the CPU has; NULL means the best. With `keeps`, devices
 * stay started between streams. Returns NULL, with errno set, when out of memory or threads. */
gpuenv_context *context_make(unsigned threads, const char *isa, unsigned device, bool keeps);

const struct machine *context_machine(const gpuenv_context *context);

/* Does this CPU have the instruction set? NULL means the best one that it has. */
bool engines_have_isa(const char *isa);

enum engine_choice {
    ENGINE_CPU,
    ENGINE_CUDA,   /* cannot be opened in a build without CUDA */
    ENGINE_LEMIRE, /* sequential reference */
    ENGINE_NONE,   /* writes no frames */
};

const struct engine_class *engines_class(enum engine_choice choice);

/* The devices of the cuda engine: the functions of cuda/engine_cuda.h. */
struct engine_devices {
    unsigned (*files)(void);
    bool (*have_parts)(void);
    int (*find)(unsigned device, struct error *error);
    int (*count)(unsigned *devices, struct error *error);
    int (*version)(void); /* of CUDA, as it counts: 12080 is 12.8; 0 if this build has none */
};

extern const struct engine_devices engines_devices;

#endif
