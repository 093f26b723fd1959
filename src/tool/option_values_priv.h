/* SPDX-License-Identifier: MIT */
/* Setters of options whose values have a grammar; the others stand above the rows. */
#ifndef GPUENV_TOOL_OPTION_VALUES_PRIV_H
#define GPUENV_TOOL_OPTION_VALUES_PRIV_H

#include "tool/command.h"

/* The name of a setter says what its field is; set_device() sets the struct settings. */
option_setter set_emit, set_size, set_scale, set_level, set_name, set_device;

/* What the values of --scale and --device may begin with; both end with NULL. */
extern const char *const scale_words[];
extern const char *const device_words[];

#endif
