/* SPDX-License-Identifier: MIT */
/* Statistics of float32 or float64 samples of an array on a CUDA device: extremes with their
 * positions, sums, NaN.
 *
 * The unit of work is a *part*: a block of a plane, which is a channel of a row, and the summation
 * tree over it (src/core/cpu/tree.h). A part is divided into *shares* of whole leaves, one per
 * thread block; short ones are the work of a warp or a thread. One launch processes all parts, and
 * joins their shares. The tree says which sums are added to each other, so the order in
 * which the device runs thread blocks does not matter: the kernels give the bits of src/core/cpu/.
 *
 * Calls enqueue work on a stream and return; their arguments must stay in place until the work is
 * done. */
#ifndef GPUENV_CUDA_STATS_KERNEL_H
#define GPUENV_CUDA_STATS_KERNEL_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/record.h"
#include "cuda/cuda_window.h"
#include "engine/part.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the bytes of device memory for a call, which is aligned to 256 bytes; UINT64_MAX if there
 * are more blocks than a grid can have. */
uint64_t cuda_records_bytes(enum value_kind value, const struct stats_records *records,
                            unsigned planes);

cudaError_t cuda_records_load(enum value_kind value, const struct stats_records *records);

/* Enqueues the statistics. The planes are rings that do not wrap around, `pitch` values apart, with
 * frames `stride` values apart. */
cudaError_t cuda_records_run(const struct cuda_rings *rings, const struct stats_records *records,
                             void *memory, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
