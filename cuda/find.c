/* SPDX-License-Identifier: MIT */
/* Finds devices, before anything is set up and without creating a context. Whether there is code
 * for a device is known only once it is loaded: see cuda_plan_load(). */
#include <cuda_runtime_api.h>
#include <glob.h>

#include "cuda/engine_cuda.h"
#include "cuda/failure.h"

/* Files of the devices. The emulator sets two that every machine has. */
#ifndef GPUENV_CUDA_FILES
#define GPUENV_CUDA_FILES "/dev/nvidia[0-9]*"
#endif
#define PARTS_OF_DEVICES "/proc/driver/nvidia/capabilities/gpu*/mig/gi*"

static unsigned count_files(const char *pattern)
{
    glob_t found;
    unsigned count = 0;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        count = (unsigned)found.gl_pathc;
        globfree(&found);
    }
    return count;
}

unsigned engine_cuda_files(void)
{
    return count_files(GPUENV_CUDA_FILES);
}

bool engine_cuda_has_parts(void)
{
    return count_files(PARTS_OF_DEVICES) > 0;
}

int engine_cuda_count(unsigned *devices, struct error *error)
{
    int count = 0;
    cudaError_t result = cudaGetDeviceCount(&count);

    (void)cudaGetLastError(); /* the error has been handled */
    *devices = 0;
    if (result == cudaErrorInsufficientDriver)
        return error_set(error, ERROR_DEVICE, "cuda",
                         "no CUDA driver on this machine, or one that is older than "
                         "this gpuenv needs (CUDA %d.%d)",
                         CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    if (result == cudaErrorNoDevice || (result == cudaSuccess && count == 0))
        return error_set(error, ERROR_DEVICE, "cuda", "no CUDA device on this machine");
    if (result != cudaSuccess)
        return error_set(error, ERROR_DEVICE, "cuda", "%s", cudaGetErrorString(result));
    *devices = (unsigned)count;
    return 0;
}

int engine_cuda_find(unsigned device, struct error *error)
{
    char name[CUDA_NAME];
    unsigned count;

    if (engine_cuda_count(&count, error) != 0)
        return -1;
    if (device < count)
        return 0;
    return error_set(error, ERROR_DEVICE, cuda_name(name, device),
                     "no such device: this machine has %u, numbered from 0", count);
}

int engine_cuda_version(void)
{
    return CUDART_VERSION;
}
