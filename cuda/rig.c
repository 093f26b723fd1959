#include "cuda/rig.h"

#include <stdio.h>
#include <stdlib.h>

/* On a failed device, what cannot be freed is left until the process ends. */
static void close_rig(struct kept *kept)
{
    struct cuda_rig *rig = (struct cuda_rig *)kept;

    (void)cudaSetDevice((int)kept->device);
    for (unsigned i = 0; i < CUDA_CHUNKS; i++)
        cuda_block_free(&rig->buffers[i].block);
    cuda_rig_empty(rig);
    for (unsigned step = 0; step < CUDA_STEPS; step++) {
        for (unsigned i = 0; i < CUDA_SLOTS; i++) {
            if (rig->slots[i].done[step] != NULL)
                (void)cudaEventDestroy(rig->slots[i].done[step]);
        }
        if (rig->streams[step] != NULL)
            (void)cudaStreamDestroy(rig->streams[step]);
    }
    (void)cudaGetLastError();
    free(rig);
}

struct cuda_rig *cuda_rig_take(struct keep *keep, unsigned device)
{
    struct cuda_rig *rig = (struct cuda_rig *)keep_take(keep, device);

    if (rig != NULL)
        return rig;
    rig = calloc(1, sizeof *rig);
    if (rig != NULL)
        rig->kept = (struct kept){.device = device, .close = close_rig};
    return rig;
}

static cudaError_t open_step(struct cuda_rig *rig, unsigned step)
{
    cudaError_t result = cudaStreamCreateWithFlags(&rig->streams[step], cudaStreamNonBlocking);

    for (unsigned i = 0; i < CUDA_SLOTS && result == cudaSuccess; i++)
        result = cudaEventCreateWithFlags(&rig->slots[i].done[step],
                                          cudaEventBlockingSync | cudaEventDisableTiming);
    return result;
}

cudaError_t cuda_rig_open(struct cuda_rig *rig)
{
    struct cudaDeviceProp properties;
    cudaError_t result = cudaSetDevice((int)rig->kept.device);

    if (result != cudaSuccess || rig->name[0] != '\0')
        return result;
    result = cudaGetDeviceProperties(&properties, (int)rig->kept.device);
    if (result != cudaSuccess)
        return result;
    snprintf(rig->name, sizeof rig->name, "%.30s", properties.name);
    rig->major = properties.major;
    rig->minor = properties.minor;
    for (unsigned step = 0; step < CUDA_STEPS && result == cudaSuccess; step++)
        result = open_step(rig, step);
    return result;
}

void cuda_rig_empty(struct cuda_rig *rig)
{
    for (unsigned i = 0; i < CUDA_SLOTS; i++)
        cuda_block_free(&rig->slots[i].memory);
    cuda_block_free(&rig->rings);
}

cudaError_t cuda_rig_wait(const struct cuda_rig *rig)
{
    cudaError_t first = cudaSuccess;

    for (unsigned step = 0; step < CUDA_STEPS; step++) {
        cudaError_t result =
            rig->streams[step] != NULL ? cudaStreamSynchronize(rig->streams[step]) : cudaSuccess;

        if (first == cudaSuccess)
            first = result;
    }
    return first;
}

void cuda_rig_give(struct cuda_rig *rig, struct keep *keep, bool failed)
{
    unsigned device = rig->kept.device;

    (void)cudaSetDevice((int)device);
    if (cuda_rig_wait(rig) == cudaSuccess && !failed) {
        keep_give(keep, &rig->kept);
        return;
    }
    (void)cudaGetLastError();
    close_rig(&rig->kept);
    keep_clear(keep, device);
}
