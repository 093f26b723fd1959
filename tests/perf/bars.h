/* SPDX-License-Identifier: MIT */
/* Shared by the programs here: data, medians and bars. */
#ifndef GPUENV_TESTS_PERF_BARS_H
#define GPUENV_TESTS_PERF_BARS_H

#include <stddef.h>

/* "random", "sorted", "falling", "constant", "subnormal" or "nan": random, with one NaN in a
 * thousand. */
void bars_fill(float *samples, size_t count, const char *kind);

/* What is timed: returns how many samples a second. */
typedef double timed_function(const void *work);

/* Takes turns with ours and theirs, prints the median of our rate, and how many times as fast ours
 * is against the bar; 0: no bar. It is missed if even the better quarter of the ratios misses it.
 * `sign` 1: a lower limit; -1: the ratio is that of the times, and the bar an upper limit. */
void bars_compare(const char *name, timed_function *rate, const void *ours,
                  timed_function *their_rate, const void *theirs, double bar, double reach,
                  int sign);

/* Compares values, which it sorts, with an upper limit. */
void bars_show(const char *name, double rate, double *values, size_t count, double bar,
               double reach, int sign);

/* Returns 1 if a bar was missed: the exit status. */
int bars_end(void);

#endif
