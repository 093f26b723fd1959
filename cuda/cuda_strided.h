/* Arrays on a device, of any layout and type, to and from planes: float32 or float64 without gaps,
 * a plane for each channel of each row. */
#ifndef GPUENV_CUDA_CUDA_STRIDED_H
#define GPUENV_CUDA_CUDA_STRIDED_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "sample/strided.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the kernels, like cuda_plan_load(). */
cudaError_t cuda_strided_load(enum value_kind value);

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
