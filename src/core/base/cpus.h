/* SPDX-License-Identifier: MIT */
/* The CPUs that this process may run on. */
#ifndef GPUENV_BASE_CPUS_H
#define GPUENV_BASE_CPUS_H

#include <stdbool.h>

unsigned cpus_available(void);

/* Is there only one CPU, and are small blocks faster on it? All programs of a pipeline then take
 * turns, and data on the way between them should stay in the cache. Every page that is given away
 * must be replaced by a cleared one. On Intel's CPUs clearing takes longer than copying a block; on
 * AMD's it does not. */
bool cpus_want_small_blocks(void);

#endif
