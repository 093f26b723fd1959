/* Resources of a cuda engine that do not depend on the stream: CUDA streams, events, device memory
 * and pinned host memory. Consecutive engines share them through a keep (engine/keep.h); what does
 * not fit the next engine is replaced. */
#ifndef GPUENV_CUDA_RIG_H
#define GPUENV_CUDA_RIG_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "cuda/buffers.h"
#include "cuda/memory.h"
#include "cuda/stats_kernel.h"
#include "engine/keep.h"

enum {
    CUDA_SLOTS = 3, /* one being copied in, one being processed, one being copied out */
    CUDA_CHUNKS = CUDA_SLOTS + 2, /* one being read, one being written */
};

/* The steps of a chunk, each in a stream of its own. */
enum cuda_step { CUDA_IN, CUDA_COMPUTE, CUDA_OUT, CUDA_STEPS };

/* Device resources of one chunk in flight. */
struct cuda_slot {
    cudaEvent_t done[CUDA_STEPS];
    struct cuda_block memory; /* divided by each engine: */
    unsigned char *raw;       /* frames as read, unless they are copied straight into the ring */
    unsigned char *out;
    struct cuda_stats_memory stats;
};

struct cuda_rig {
    struct kept kept;
    char name[64]; /* of the device */
    int major;     /* its compute capability */
    int minor;
    cudaStream_t streams[CUDA_STEPS];
    struct cuda_block rings;
    struct cuda_slot slots[CUDA_SLOTS];
    struct cuda_buffers buffers[CUDA_CHUNKS];
};

/* Takes one from the keep, or creates an empty one. NULL when out of memory. */
struct cuda_rig *cuda_rig_take(struct keep *keep, unsigned device);

/* Makes the device the current one. Gives an empty rig its streams and events. */
cudaError_t cuda_rig_open(struct cuda_rig *rig);

/* Frees the device memory. */
void cuda_rig_empty(struct cuda_rig *rig);

/* Waits for all work on its streams. */
cudaError_t cuda_rig_wait(const struct cuda_rig *rig);

/* Returns the rig to the keep for the next engine, unless this one has `failed` or the device
 * cannot finish its work. In that case all resources of this device are closed, and the next caller
 * probes it again. */
void cuda_rig_give(struct cuda_rig *rig, struct keep *keep, bool failed);

#endif
