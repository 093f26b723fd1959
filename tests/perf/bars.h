/* What the programs here share: data, medians and bars. */
#ifndef GPUENV_TESTS_PERF_BARS_H
#define GPUENV_TESTS_PERF_BARS_H

#include <stddef.h>

/* "random", "sorted", "falling", "constant", "subnormal" or "nan": random, with one in a thousand.
 */
void bars_fill(float *samples, size_t count, const char *kind);

/* Sorts them. */
double bars_median(double *values, size_t count);

/* Prints the rate, and the ratios against the bar; 0: there is none. It is missed when even the
 * better quarter of them misses it. `sign` 1: it is a lower limit; -1: an upper one. Sorts them. */
void bars_show(const char *name, double rate, double *ratios, size_t count, double bar,
               double reach, int sign);

/* 1 when a bar was missed: the exit status. */
int bars_end(void);

#endif
