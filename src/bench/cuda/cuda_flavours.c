#include "bench/cuda/cuda_flavours.h"

const struct bench_flavour *const bench_cuda_flavours[] = {
    &flavour_window_malloc,
    &flavour_window_pagelocked,
    &flavour_window_pagelocked_shared,
#ifndef FLAVOURS_WITHOUT_THRUST /* the emulated device has none */
    &flavour_window_thrust_naive,
    &flavour_window_thrust,
#endif
    &flavour_window_cooperative,
    &flavour_window_tiled,
    &flavour_window_cuda,
    &flavour_window_resident,
    &flavour_window_near,
    &flavour_window_vanherk_4096,
    &flavour_window_vanherk_8192,
    &flavour_window_far_2048,
    &flavour_window_far_4096,

    &flavour_max_sequential,
    &flavour_max_local,
    &flavour_max_shared,
    &flavour_max_blocks,
    &flavour_max_warp,
    &flavour_max_warp_shared,
    &flavour_max_vecmax,
    &flavour_max_cuda,

    &flavour_sum_atomics,
    &flavour_sum_pairwise,
    &flavour_sum_shared,
    &flavour_sum_no_divergence,
    &flavour_sum_no_bank_conflict,
    &flavour_sum_two_loads,
    &flavour_sum_unrolled_warp,
    &flavour_sum_cuda,

    NULL,
};
