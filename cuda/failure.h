/* What a call of CUDA's runtime that failed says to the user. */
#ifndef GPUENV_CUDA_FAILURE_H
#define GPUENV_CUDA_FAILURE_H

#include <cuda_runtime_api.h>

#include "base/error.h"

/* Returns -1, with STATUS_FAILED. `what` is the step that failed. */
static inline int cuda_failure(struct error *error, unsigned device, const char *what,
                               cudaError_t result)
{
    return error_set(error, STATUS_FAILED, "cuda device %u: %s: %s", device, what,
                     cudaGetErrorString(result));
}

#endif
