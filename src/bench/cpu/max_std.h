/* std::max_element of C++17 for C callers. Private to this folder. */
#ifndef GPUENV_BENCH_CPU_MAX_STD_H
#define GPUENV_BENCH_CPU_MAX_STD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The index of the first sample with the largest magnitude. `count` is at least 1. */
size_t max_std_seq(const float *samples, size_t count);
size_t max_std_par(const float *samples, size_t count);
size_t max_std_par_unseq(const float *samples, size_t count);

#ifdef __cplusplus
}
#endif

#endif
