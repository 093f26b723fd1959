/* SPDX-License-Identifier: MIT */
/* Which devices CUDA shows to this process. */
#ifndef GPUENV_TOOL_VISIBLE_PRIV_H
#define GPUENV_TOOL_VISIBLE_PRIV_H

#include <stdbool.h>

#include "job/settings.h"

/* Lets CUDA see only the devices that the run may use: on a host with four, CUDA starts three times
 * as fast. Several share the inputs of a batch; one input (`alone`) is done by the first. Before
 * any thread and any call of CUDA. The devices in `settings` are renumbered as CUDA counts them
 * then; messages show the numbers that the user knows (base/device_number.h). */
void visible_devices(struct settings *settings, bool alone);

#endif
