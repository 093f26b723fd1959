/* std::max_element of C++17, behind names that C can call. Private to this room. */
#ifndef GPUENV_BENCH_CPU_MAX_STD_H
#define GPUENV_BENCH_CPU_MAX_STD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the first sample with the largest magnitude is. `count` is at least 1. */
size_t max_std_seq(const float *samples, size_t count);
size_t max_std_par(const float *samples, size_t count);
size_t max_std_par_unseq(const float *samples, size_t count);

#ifdef __cplusplus
}
#endif

#endif
