/* SPDX-License-Identifier: MIT */
/* Conversion of raw samples on a device to and from float32 or float64, or without a change: into
 * rings, and to and from planes. Each channel of each row of an array has a plane, which has no
 * gaps. */
#ifndef GPUENV_CUDA_CUDA_SAMPLES_H
#define GPUENV_CUDA_CUDA_SAMPLES_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "cuda/cuda_window.h"
#include "sample/sample_type.h"
#include "sample/strided.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Load the kernels as cuda_plan_load() does: that of cuda_gather() and cuda_decode(), and that of
 * cuda_scatter(). */
cudaError_t cuda_gather_load(enum value_kind value);
cudaError_t cuda_scatter_load(enum value_kind value);

/* Decodes raw frames on the device into the rings: the frames first .. first+count-1. */
cudaError_t cuda_decode(const struct cuda_rings *rings, struct sample_type type, void *raw,
                        uint64_t first, uint64_t count, cudaStream_t stream);

/* Decodes an array into planes, `pitch` values apart. Samples must be aligned. */
cudaError_t cuda_gather(const struct strided *from, enum value_kind value, void *values,
                        uint64_t pitch, cudaStream_t stream);

/* Encodes planes as an array of any type that is not complex, nor an integer of 64 bits. */
cudaError_t cuda_scatter(const void *values, enum value_kind value, uint64_t pitch,
                         const struct strided *to, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
