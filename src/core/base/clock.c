/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double clock_lap(double *from)
{
    double to = clock_seconds();
    double seconds = to - *from;

    *from = to;
    return seconds;
}
