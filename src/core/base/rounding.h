/* SPDX-License-Identifier: MIT */
/* The floating-point mode of a thread. */
#ifndef GPUENV_BASE_ROUNDING_H
#define GPUENV_BASE_ROUNDING_H

#include <stdint.h>

/* The caller of a library may have set another rounding, flushing of subnormals to zero, or traps;
 * results must not depend on that. rounding_begin() sets the usual mode and returns the mode that
 * was set before. A new thread has the mode of the thread that starts it. */
uint64_t rounding_begin(void);
void rounding_end(uint64_t before);

#endif
