/* SPDX-License-Identifier: MIT */
/* Windows of frames with many adjacent channels, as down the columns of an image: samples of their
 * own type are read and written in place, in one launch. */
#ifndef GPUENV_CUDA_CUDA_ACROSS_H
#define GPUENV_CUDA_CUDA_ACROSS_H

#include "cuda/cuda_window.h"
#include "sample/strided.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Can windows be made across rows? All samples and results must be values of this kind. A thread
 * has room for the frames of a window in shared memory, so windows must be short. */
bool cuda_across_can(const struct strided *in, const struct strided *out, enum value_kind value,
                     uint64_t width);

/* Loads the kernel like cuda_plan_load(). */
cudaError_t cuda_across_load(enum value_kind value);

/* Makes minima or maxima. Frames are counted from the first sample. The outputs in the task are not
 * used. */
cudaError_t cuda_across_run(const struct strided *in, const struct strided *out,
                            enum value_kind value, uint64_t width, const struct cuda_task *task,
                            bool is_minimum, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
