/* SPDX-License-Identifier: MIT */
/* Calls of the cpu engine beside its class: submit() for one channel. */
#ifndef GPUENV_CPU_ENGINE_CPU_H
#define GPUENV_CPU_ENGINE_CPU_H

#include "engine/engine.h"

/* Do channels share their states? Then there is no cpu_submit_channel(). */
bool cpu_slides_across(const struct engine *engine);

/* submit() for one channel, whose frames (`in`) and output frames (`out`) are its own. Call it once
 * for each channel of a chunk, the last channel last. Runs on the caller's thread. */
void cpu_submit_channel(struct engine *engine, const struct chunk *chunk, unsigned channel);

#endif
