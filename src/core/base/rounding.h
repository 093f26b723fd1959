/* SPDX-License-Identifier: MIT */
/* The floating-point mode of a thread. */
#ifndef GPUENV_BASE_ROUNDING_H
#define GPUENV_BASE_ROUNDING_H

#include <stdint.h>

/* The caller of a library may have set another rounding, that subnormals are flushed to zero, or
 * traps; results must not depend on it. rounding_begin() sets the usual mode and returns the one
 * that was set before. New threads have the mode of the one that starts them. */
uint64_t rounding_begin(void);
void rounding_end(uint64_t before);

#endif
