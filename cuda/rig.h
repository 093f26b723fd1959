/* Resources of a cuda engine that do not depend on the stream: CUDA streams, events, device memory
 * and pinned host memory. Consecutive engines share them through a keep (engine/keep.h); what does
 * not fit the next engine is replaced. */
#ifndef GPUENV_CUDA_RIG_H
#define GPUENV_CUDA_RIG_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/buffers.h"
#include "cuda/memory.h"
#include "cuda/stats_parts.h"
#include "engine/keep.h"

enum { CUDA_SLOTS = 3 }; /* one being copied in, one being processed, one being copied out */

/* Device resources of one chunk in flight: its buffers, and the events that track its progress. */
struct cuda_slot {
    struct cuda_block raw; /* unused if frames are copied straight into the ring */
    struct cuda_block out;
    struct cuda_block stats_memory;
    struct cuda_stats_memory stats;
    cudaEvent_t copied_in;
    cudaEvent_t computed;
    cudaEvent_t copied_out;
};

/* Bytes of device memory; 0: none needed. */
struct cuda_slot_plan {
    size_t raw;
    size_t out;
};

struct cuda_rig {
    struct kept kept;
    char name[64]; /* of the device */
    int major;     /* its compute capability */
    int minor;
    cudaStream_t in;
    cudaStream_t compute;
    cudaStream_t out;
    struct cuda_block rings;
    struct cuda_slot slots[CUDA_SLOTS];
    struct cuda_buffers *buffers; /* spare ones */
};

/* Takes one from the keep, or creates an empty one. NULL when out of memory. */
struct cuda_rig *cuda_rig_take(struct keep *keep, unsigned device);

/* Makes the device the current one, and queries its properties once. */
cudaError_t cuda_rig_look(struct cuda_rig *rig);

/* Creates missing streams. */
cudaError_t cuda_rig_streams(struct cuda_rig *rig);

/* Device memory of one slot. */
uint64_t cuda_slot_bytes(const struct cuda_slot_plan *plan, const struct cuda_parts_plan *parts);

/* Fits all slots to this plan, after cuda_rig_streams(). They are empty, or of an earlier stream
 * whose work is done. */
cudaError_t cuda_rig_fit(struct cuda_rig *rig, const struct cuda_slot_plan *plan,
                         const struct cuda_parts_plan *parts);

/* Frees the device memory. */
void cuda_rig_empty(struct cuda_rig *rig);

/* Waits for all work on its streams. */
cudaError_t cuda_rig_wait(const struct cuda_rig *rig);

/* Returns the rig to the keep for the next engine, unless this one has `failed` or the device
 * cannot finish its work. In that case all resources of this device are closed, and the next caller
 * probes it again. */
void cuda_rig_give(struct cuda_rig *rig, struct keep *keep, bool failed);

#endif
