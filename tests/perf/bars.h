/* Shared by the programs here: data, medians and bars. */
#ifndef GPUENV_TESTS_PERF_BARS_H
#define GPUENV_TESTS_PERF_BARS_H

#include <stddef.h>

/* "random", "sorted", "falling", "constant", "subnormal" or "nan": random, with one NaN in a
 * thousand. */
void bars_fill(float *samples, size_t count, const char *kind);

/* Sorts the values. */
double bars_median(double *values, size_t count);

/* Prints the rate, and the ratios against the bar; 0: no bar. It is missed if even the better
 * quarter of the ratios misses it. `sign` 1: a lower limit; -1: an upper one. Sorts the ratios. */
void bars_show(const char *name, double rate, double *ratios, size_t count, double bar,
               double reach, int sign);

/* Returns 1 if a bar was missed: the exit status. */
int bars_end(void);

#endif
