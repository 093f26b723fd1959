/* SPDX-License-Identifier: MIT */
/* Which engine `--device auto` chooses: once, before the run, from what is known then. */
#ifndef GPUENV_JOB_CHOICE_PRIV_H
#define GPUENV_JOB_CHOICE_PRIV_H

#include <stdbool.h>

#include "engine/engine.h"

struct choice {
    bool device;     /* a device does the run; otherwise the cores */
    const char *why; /* words for people; NULL if the user has named the engine */
    /* The expected times; both are 0 if they were not compared. */
    double cpu_seconds;
    double device_seconds;
};

/* Compares the times that `cores` cores and a device take for `frames` frames. The choice falls on
 * the device only if it is plainly faster. Pure. */
struct choice choice_make(const struct engine_costs *costs, const struct engine_setup *setup,
                          double frames, unsigned cores);

#endif
