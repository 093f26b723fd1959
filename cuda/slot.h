/* What one chunk in flight takes of the device: its buffers there, and the events that say how far
 * the device is with it. */
#ifndef GPUENV_CUDA_SLOT_H
#define GPUENV_CUDA_SLOT_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/memory.h"
#include "cuda/stats_parts.h"

/* Bytes of device memory; 0: none is needed. */
struct cuda_slot_plan {
    size_t raw;
    size_t out;
    size_t middles;
};

struct cuda_slot {
    struct cuda_block raw; /* unused where frames go straight to the ring */
    struct cuda_block out;
    struct cuda_block middles;
    struct cuda_block stats_memory;
    struct cuda_stats_memory stats;
    cudaEvent_t copied_in;
    cudaEvent_t computed;
    cudaEvent_t copied_out;
};

uint64_t cuda_slot_bytes(const struct cuda_slot_plan *plan, const struct cuda_parts_plan *parts);

/* Makes a slot for chunks of this plan, of an empty one or of one that has served another stream,
 * with which the device is through. The stream is the one of the kernels. After a failure, too,
 * cuda_slot_close() is due. */
cudaError_t cuda_slot_fit(struct cuda_slot *slot, const struct cuda_slot_plan *plan,
                          const struct cuda_parts_plan *parts, cudaStream_t compute);

/* Leaves an empty slot, which may be closed again. */
void cuda_slot_close(struct cuda_slot *slot);

#endif
