#include "cuda/slot.h"

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

cudaError_t cuda_slot_fit(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
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

/* In reverse order of creation. On a failed device, what cannot be freed is left until the process
 * ends. */
void cuda_slot_close(struct cuda_slot *slot)
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
