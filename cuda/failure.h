/* SPDX-License-Identifier: MIT */
/* Failed calls of the CUDA runtime. */
#ifndef GPUENV_CUDA_FAILURE_H
#define GPUENV_CUDA_FAILURE_H

#include <cuda_runtime_api.h>
#include <stdio.h>

#include "base/device_number.h"
#include "base/error.h"

/* Makes the next of several calls, unless one has failed. */
#define THEN(result, call) ((result) = (result) == cudaSuccess ? (call) : (result))

/* Writes a device in the notation of the command line: "cuda:0". Returns `name`. */
enum { CUDA_NAME = 32 };
static inline const char *cuda_name(char name[CUDA_NAME], unsigned device)
{
    snprintf(name, CUDA_NAME, "cuda:%u", device_number(device));
    return name;
}

/* Sets ERROR_RESOURCE, and returns -1. `what` is the step that failed. */
static inline int cuda_failure(struct error *error, unsigned device, const char *what,
                               cudaError_t result)
{
    char name[ERROR_DEVICE_NAME];

    return error_set(error, ERROR_RESOURCE, error_device(name, device), "%s: %s", what,
                     cudaGetErrorString(result));
}

#endif
