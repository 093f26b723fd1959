/* SPDX-License-Identifier: MIT */
/* What the cpu engine has beside its class: a call for each channel. */
#ifndef GPUENV_CPU_ENGINE_CPU_H
#define GPUENV_CPU_ENGINE_CPU_H

#include "engine/engine.h"

/* Do channels share their states? Then there is no cpu_submit_channel(). */
bool cpu_slides_across(const struct engine *engine);

/* submit() for one channel, whose frames (`in`) and output frames (`out`) are its own.
 * Takes each chunk once for every channel, the last channel last. Runs on the caller's thread. */
void cpu_submit_channel(struct engine *engine, const struct chunk *chunk, unsigned channel);

#endif
