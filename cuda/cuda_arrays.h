/* Whole arrays on a CUDA device, filtered where they lie. */
#ifndef GPUENV_CUDA_CUDA_ARRAYS_H
#define GPUENV_CUDA_CUDA_ARRAYS_H

#include <stddef.h>

#include "base/error.h"
#include "engine/engine.h"
#include "sample/strided.h"

/* Enqueues on the stream (a cudaStream_t) and returns: nothing is allocated or waited for, and the
 * number of launches does not depend on the arrays. `setup` has one channel; `out` has an array for
 * each emit.
 *
 * `work` NULL: sets `*bytes` to the memory that it needs on the device, and loads the kernels.
 * Otherwise `*bytes` is the size of `work`, which is aligned to 256 bytes. The device that was
 * current stays so. */
int cuda_arrays_filter(const struct engine_setup *setup, const struct strided *in,
                       const struct strided *out, void *work, size_t *bytes, unsigned device,
                       void *stream, struct error *error);

#endif
