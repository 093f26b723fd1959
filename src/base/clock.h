/* A monotonic clock. */
#ifndef GPUENV_BASE_CLOCK_H
#define GPUENV_BASE_CLOCK_H

/* Seconds since an arbitrary point in the past. */
double clock_seconds(void);

#endif
