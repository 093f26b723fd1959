#include "cuda/slot.h"

uint64_t cuda_slot_bytes(const struct cuda_slot_plan *plan, const struct cuda_parts_plan *parts)
{
    return (uint64_t)plan->raw + plan->out + plan->middles + cuda_parts_device_bytes(parts);
}

static cudaError_t open_memory(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
                               const struct cuda_parts_plan *parts, cudaStream_t compute)
{
    size_t stats_bytes = (size_t)cuda_parts_device_bytes(parts);
    cudaError_t result = cudaSuccess;

    if (plan->raw > 0)
        result = cudaMalloc(&slot->raw, plan->raw);
    if (result == cudaSuccess)
        result = cudaMalloc((void **)&slot->out, plan->out);
    if (result == cudaSuccess && plan->middles > 0)
        result = cudaMalloc(&slot->middles, plan->middles);
    if (result == cudaSuccess && stats_bytes > 0)
        result = cudaMalloc(&slot->stats_memory, stats_bytes);
    if (result == cudaSuccess && stats_bytes > 0)
        result = cuda_stats_memory_lay(&slot->stats, parts->channels, parts->parts, parts->shares,
                                       slot->stats_memory, compute);
    return result;
}

cudaError_t cuda_slot_open(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
                           const struct cuda_parts_plan *parts, cudaStream_t compute)
{
    const unsigned flags = cudaEventBlockingSync | cudaEventDisableTiming;
    cudaError_t result = open_memory(slot, plan, parts, compute);

    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&slot->copied_in, flags);
    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&slot->computed, flags);
    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&slot->copied_out, flags);
    return result;
}

/* In reverse order of making. What cannot be given back on a device that has failed goes with the
 * process. */
void cuda_slot_close(struct cuda_slot *slot)
{
    const cudaEvent_t events[] = {slot->copied_in, slot->computed, slot->copied_out};

    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (events[i] != NULL)
            (void)cudaEventDestroy(events[i]);
    }
    (void)cudaFree(slot->stats_memory);
    (void)cudaFree(slot->middles);
    (void)cudaFree(slot->out);
    (void)cudaFree(slot->raw);
    *slot = (struct cuda_slot){.raw = NULL};
}
