/* SPDX-License-Identifier: MIT */
#include "cuda/cuda_resources.h"

#include <stdio.h>
#include <stdlib.h>

#include "cuda/failure.h"

/* On a failed device, resources that cannot be freed are left until the process ends. */
static void close_resources(struct kept *kept)
{
    struct cuda_resources *resources = (struct cuda_resources *)kept;

    (void)cudaSetDevice((int)kept->device);
    for (unsigned i = 0; i < CUDA_CHUNKS; i++)
        cuda_block_free(&resources->buffers[i].block);
    cuda_resources_empty(resources);
    for (unsigned step = 0; step < CUDA_STEPS; step++) {
        for (unsigned i = 0; i < CUDA_SLOTS; i++) {
            if (resources->slots[i].done[step] != NULL)
                (void)cudaEventDestroy(resources->slots[i].done[step]);
        }
        if (resources->streams[step] != NULL)
            (void)cudaStreamDestroy(resources->streams[step]);
    }
    (void)cudaGetLastError();
    free(resources);
}

struct cuda_resources *cuda_resources_take(struct devices *devices, unsigned device)
{
    struct cuda_resources *resources = (struct cuda_resources *)devices_take(devices, device);

    if (resources != NULL)
        return resources;
    resources = calloc(1, sizeof *resources);
    if (resources != NULL)
        resources->kept = (struct kept){.device = device, .close = close_resources};
    return resources;
}

cudaError_t cuda_resources_open(struct cuda_resources *resources)
{
    struct cudaDeviceProp properties;
    cudaError_t result = cudaSetDevice((int)resources->kept.device);

    if (result != cudaSuccess || resources->name[0] != '\0')
        return result;
    result = cudaGetDeviceProperties(&properties, (int)resources->kept.device);
    if (result != cudaSuccess)
        return result;
    snprintf(resources->name, sizeof resources->name, "%.30s", properties.name);
    resources->major = properties.major;
    resources->minor = properties.minor;
    for (unsigned step = 0; step < CUDA_STEPS; step++) {
        THEN(result, cudaStreamCreateWithFlags(&resources->streams[step], cudaStreamNonBlocking));
        for (unsigned i = 0; i < CUDA_SLOTS; i++)
            THEN(result, cudaEventCreateWithFlags(&resources->slots[i].done[step],
                                                  cudaEventBlockingSync | cudaEventDisableTiming));
    }
    return result;
}

void cuda_resources_empty(struct cuda_resources *resources)
{
    for (unsigned i = 0; i < CUDA_SLOTS; i++)
        cuda_block_free(&resources->slots[i].memory);
    cuda_block_free(&resources->rings);
}

cudaError_t cuda_resources_wait(const struct cuda_resources *resources)
{
    cudaError_t first = cudaSuccess;

    for (unsigned step = 0; step < CUDA_STEPS; step++) {
        if (resources->streams[step] != NULL) {
            const cudaError_t result = cudaStreamSynchronize(resources->streams[step]);

            first = first == cudaSuccess ? result : first;
        }
    }
    return first;
}

void cuda_resources_give(struct cuda_resources *resources, struct devices *devices, bool failed)
{
    unsigned device = resources->kept.device;

    (void)cudaSetDevice((int)device);
    if (cuda_resources_wait(resources) == cudaSuccess && !failed) {
        devices_give(devices, &resources->kept);
        return;
    }
    (void)cudaGetLastError();
    close_resources(&resources->kept);
    devices_clear(devices, device);
}
