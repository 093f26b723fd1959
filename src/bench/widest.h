/* SPDX-License-Identifier: MIT */
/* Copying and reading samples with the widest loads and stores of this machine: the yardsticks for
 * kernels. */
#ifndef GPUENV_BENCH_WIDEST_H
#define GPUENV_BENCH_WIDEST_H

#include <stddef.h>
#include <stdint.h>

/* Writes each sample twice: 4 bytes in, 8 out, like the windows. A float64 counts as two
 * samples. */
typedef void copy_function(const float *samples, size_t count, float *pairs);
/* Returns the sum of the samples' bits. */
typedef uint32_t read_function(const float *samples, size_t count);

struct widest {
    copy_function *copy;
    read_function *read;
};

const struct widest *widest(void);

#endif
