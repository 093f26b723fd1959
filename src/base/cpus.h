/* How many CPUs this process may run on. */
#ifndef GPUENV_BASE_CPUS_H
#define GPUENV_BASE_CPUS_H

unsigned cpus_available(void);

#endif
