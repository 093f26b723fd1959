/* SPDX-License-Identifier: MIT */
/* A monotonic clock. */
#ifndef GPUENV_BASE_CLOCK_H
#define GPUENV_BASE_CLOCK_H

/* Seconds since an arbitrary point in the past. */
double clock_seconds(void);

/* Seconds since `*from`, which is then set to now. */
double clock_lap(double *from);

#endif
