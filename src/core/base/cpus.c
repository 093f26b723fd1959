/* SPDX-License-Identifier: MIT */
#include "base/cpus.h"

#include <sched.h>
#include <unistd.h>

unsigned cpus_available(void)
{
    cpu_set_t cpus;
    long online;

    /* The affinity set reflects limits by taskset and containers, which the number of online CPUs
     * does not. cpu_set_t holds 1024 CPUs; the call fails on machines with more. */
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        return (unsigned)CPU_COUNT(&cpus);
    online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

bool cpus_want_small_blocks(void)
{
#ifdef __x86_64__
    return cpus_available() == 1 && __builtin_cpu_is("intel");
#else
    return false;
#endif
}
