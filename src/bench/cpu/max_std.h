/* std::max_element of C++17 for C callers. Private to this folder. */
#ifndef GPUENV_BENCH_CPU_MAX_STD_H
#define GPUENV_BENCH_CPU_MAX_STD_H

#ifdef __cplusplus
extern "C" {
#endif

#include "bench/flavour.h"

/* The index of the first sample with the largest magnitude. */
size_t max_std_seq(const struct bench_task *task);
size_t max_std_par(const struct bench_task *task);
size_t max_std_par_unseq(const struct bench_task *task);

#ifdef __cplusplus
}
#endif

#endif
