# The flavours' files: those that the emulated device of tests/emu can run as well, and Thrust's.
set(flavour_c flavour_state.c window_cuda.c window_resident.c stats_cuda.c)
set(flavour_kernels
  window_malloc.cu
  window_pagelocked.cu
  window_pagelocked_shared.cu
  window_cooperative.cu
  window_tiled.cu
  max_sequential.cu
  max_local.cu
  max_shared.cu
  max_blocks.cu
  max_warp.cu
  max_warp_shared.cu
  max_vecmax.cu
  sum_atomics.cu
  sum_pairwise.cu
  sum_shared.cu
  sum_no_divergence.cu
  sum_no_bank_conflict.cu
  sum_two_loads.cu
  sum_unrolled_warp.cu)
set(flavour_thrust window_thrust_naive.cu window_thrust.cu)
