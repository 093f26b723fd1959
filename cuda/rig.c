#include "cuda/rig.h"

#include <stdio.h>
#include <stdlib.h>

enum { STREAMS = 3 };

static void close_rig(struct kept *kept)
{
    struct cuda_rig *rig = (struct cuda_rig *)kept;
    const cudaStream_t streams[STREAMS] = {rig->in, rig->compute, rig->out};

    (void)cudaSetDevice((int)kept->device);
    cuda_buffers_free(&rig->buffers);
    cuda_rig_empty(rig);
    for (size_t i = 0; i < STREAMS; i++) {
        if (streams[i] != NULL)
            (void)cudaStreamDestroy(streams[i]);
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

cudaError_t cuda_rig_look(struct cuda_rig *rig)
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
    return cudaSuccess;
}

static cudaError_t make_stream(cudaStream_t *stream)
{
    return *stream != NULL ? cudaSuccess : cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}

cudaError_t cuda_rig_streams(struct cuda_rig *rig)
{
    cudaError_t result = make_stream(&rig->in);

    if (result == cudaSuccess)
        result = make_stream(&rig->compute);
    if (result == cudaSuccess)
        result = make_stream(&rig->out);
    return result;
}

void cuda_rig_empty(struct cuda_rig *rig)
{
    for (unsigned i = 0; i < CUDA_SLOTS; i++)
        cuda_slot_close(&rig->slots[i]);
    cuda_block_free(&rig->rings);
}

cudaError_t cuda_rig_wait(const struct cuda_rig *rig)
{
    const cudaStream_t streams[STREAMS] = {rig->in, rig->compute, rig->out};
    cudaError_t first = cudaSuccess;

    for (size_t i = 0; i < STREAMS; i++) {
        cudaError_t result = streams[i] != NULL ? cudaStreamSynchronize(streams[i]) : cudaSuccess;

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
