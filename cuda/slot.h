/* Device resources of one chunk in flight: its buffers, and the events that track its progress. */
#ifndef GPUENV_CUDA_SLOT_H
#define GPUENV_CUDA_SLOT_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/memory.h"
#include "cuda/stats_parts.h"

/* Bytes of device memory; 0: none needed. */
struct cuda_slot_plan {
    size_t raw;
    size_t out;
};

struct cuda_slot {
    struct cuda_block raw; /* unused if frames are copied straight into the ring */
    struct cuda_block out;
    struct cuda_block stats_memory;
    struct cuda_stats_memory stats;
    cudaEvent_t copied_in;
    cudaEvent_t computed;
    cudaEvent_t copied_out;
};

uint64_t cuda_slot_bytes(const struct cuda_slot_plan *plan, const struct cuda_parts_plan *parts);

/* Fits a slot to this plan: an empty slot, or one of an earlier stream whose work is done. `stream`
 * is the one of the kernels. Call cuda_slot_close() even after a failure. */
cudaError_t cuda_slot_fit(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
                          const struct cuda_parts_plan *parts, cudaStream_t compute);

/* Leaves an empty slot, which may be closed again. */
void cuda_slot_close(struct cuda_slot *slot);

#endif
