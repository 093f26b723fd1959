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

uint64_t cuda_slot_bytes(const struct cuda_slot_plan *plan, const struct cuda_parts_plan *parts)
{
    return (uint64_t)plan->raw + plan->out + cuda_parts_device_bytes(parts);
}

static cudaError_t fit_memory(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
                              const struct cuda_parts_plan *parts, cudaStream_t compute)
{
    uint64_t stats_bytes = cuda_parts_device_bytes(parts);
    cudaError_t result = cuda_block_fit(&slot->raw, plan->raw);

    if (result == cudaSuccess)
        result = cuda_block_fit(&slot->out, plan->out);
    if (result == cudaSuccess)
        result = cuda_block_fit(&slot->stats_memory, stats_bytes);
    if (result == cudaSuccess && stats_bytes > 0)
        result = cuda_stats_memory_lay(&slot->stats, parts->value, parts->channels, parts->parts,
                                       parts->shares, slot->stats_memory.memory, compute);
    return result;
}

static cudaError_t make_event(cudaEvent_t *event)
{
    return *event != NULL
               ? cudaSuccess
               : cudaEventCreateWithFlags(event, cudaEventBlockingSync | cudaEventDisableTiming);
}

static cudaError_t fit_slot(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
                            const struct cuda_parts_plan *parts, cudaStream_t compute)
{
    cudaError_t result = fit_memory(slot, plan, parts, compute);

    if (result == cudaSuccess)
        result = make_event(&slot->copied_in);
    if (result == cudaSuccess)
        result = make_event(&slot->computed);
    if (result == cudaSuccess)
        result = make_event(&slot->copied_out);
    return result;
}

cudaError_t cuda_rig_fit(struct cuda_rig *rig, const struct cuda_slot_plan *plan,
                         const struct cuda_parts_plan *parts)
{
    cudaError_t result = cudaSuccess;

    for (unsigned i = 0; i < CUDA_SLOTS && result == cudaSuccess; i++)
        result = fit_slot(&rig->slots[i], plan, parts, rig->compute);
    return result;
}

/* In reverse order of creation. On a failed device, what cannot be freed is left until the process
 * ends. */
static void close_slot(struct cuda_slot *slot)
{
    const cudaEvent_t events[] = {slot->copied_in, slot->computed, slot->copied_out};

    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (events[i] != NULL)
            (void)cudaEventDestroy(events[i]);
    }
    cuda_block_free(&slot->stats_memory);
    cuda_block_free(&slot->out);
    cuda_block_free(&slot->raw);
    *slot = (struct cuda_slot){.copied_in = NULL};
}

void cuda_rig_empty(struct cuda_rig *rig)
{
    for (unsigned i = 0; i < CUDA_SLOTS; i++)
        close_slot(&rig->slots[i]);
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
