/* The median of several times, and their spread. */
#ifndef GPUENV_BENCH_SPREAD_H
#define GPUENV_BENCH_SPREAD_H

#include <stddef.h>

struct spread {
    double median; /* of an even number the mean of the two in the middle */
    double least;
    double most;
};

/* Sorts the times; there is at least one. */
struct spread spread_of(double *times, size_t count);

#endif
