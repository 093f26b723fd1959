/* The flavours of gpuenv-bench on a CUDA device, each in the file of its name. Private to this
 * room. */
#ifndef GPUENV_BENCH_CUDA_CUDA_FLAVOURS_H
#define GPUENV_BENCH_CUDA_CUDA_FLAVOURS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "bench/flavour.h"

extern const struct bench_flavour flavour_window_malloc;
extern const struct bench_flavour flavour_window_pagelocked;
extern const struct bench_flavour flavour_window_pagelocked_shared;
extern const struct bench_flavour flavour_window_thrust_naive;
extern const struct bench_flavour flavour_window_thrust;
extern const struct bench_flavour flavour_window_cooperative;
extern const struct bench_flavour flavour_window_tiled;
extern const struct bench_flavour flavour_window_cuda;
extern const struct bench_flavour flavour_window_resident;
extern const struct bench_flavour flavour_window_near;
extern const struct bench_flavour flavour_window_vanherk_4096;
extern const struct bench_flavour flavour_window_vanherk_8192;
extern const struct bench_flavour flavour_window_far_2048;
extern const struct bench_flavour flavour_window_far_4096;

extern const struct bench_flavour flavour_max_sequential;
extern const struct bench_flavour flavour_max_local;
extern const struct bench_flavour flavour_max_shared;
extern const struct bench_flavour flavour_max_blocks;
extern const struct bench_flavour flavour_max_warp;
extern const struct bench_flavour flavour_max_warp_shared;
extern const struct bench_flavour flavour_max_vecmax;
extern const struct bench_flavour flavour_max_cuda;

extern const struct bench_flavour flavour_sum_atomics;
extern const struct bench_flavour flavour_sum_pairwise;
extern const struct bench_flavour flavour_sum_shared;
extern const struct bench_flavour flavour_sum_no_divergence;
extern const struct bench_flavour flavour_sum_no_bank_conflict;
extern const struct bench_flavour flavour_sum_two_loads;
extern const struct bench_flavour flavour_sum_unrolled_warp;
extern const struct bench_flavour flavour_sum_cuda;

#ifdef __cplusplus
}
#endif

#endif
