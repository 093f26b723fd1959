/* The CPUs that this process may run on. */
#ifndef GPUENV_BASE_CPUS_H
#define GPUENV_BASE_CPUS_H

#include <stdbool.h>

unsigned cpus_available(void);

/* Is there one CPU, and are small blocks faster on it? Then all programs of a pipeline take turns,
 * and what is on its way between them best stays in the cache. A page that is given away is always
 * a fresh one, which Intel's CPUs take longer to clear than to copy a block to; AMD's do not. */
bool cpus_want_small_blocks(void);

#endif
