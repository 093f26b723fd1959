#include "base/cpus.h"

#include <sched.h>
#include <unistd.h>

unsigned cpus_available(void)
{
    cpu_set_t cpus;
    long online;

    /* The set says more than the number: taskset and containers narrow it. It has room for 1024
     * CPUs; with more, the call fails. */
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        return (unsigned)CPU_COUNT(&cpus);
    online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}
