/* SPDX-License-Identifier: MIT */
/* Resources of a cuda engine that do not depend on the stream: CUDA streams, events, device memory
 * and pinned host memory. Consecutive engines share them through a pool (engine/devices.h); an
 * engine replaces what does not fit it. */
#ifndef GPUENV_CUDA_CUDA_RESOURCES_H
#define GPUENV_CUDA_CUDA_RESOURCES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "cuda/buffers.h"
#include "cuda/memory.h"
#include "engine/devices.h"

enum {
    CUDA_SLOTS = 3, /* one being copied in, one being processed, one being copied out */
    CUDA_CHUNKS = CUDA_SLOTS + 2, /* the slots, one being read, one being written */
};

/* The steps of a chunk, each in a stream of its own. */
enum cuda_step { CUDA_IN, CUDA_COMPUTE, CUDA_OUT, CUDA_STEPS };

/* Device resources of one chunk in flight. */
struct cuda_slot {
    cudaEvent_t done[CUDA_STEPS];

    /* The memory is divided by each engine. `raw` has frames as read, unless they are copied
     * straight into the ring. */
    struct cuda_block memory;
    unsigned char *raw;
    unsigned char *out;
};

struct cuda_resources {
    struct kept kept;
    char name[64]; /* name of the device */
    int major;     /* compute capability, with `minor` */
    int minor;
    cudaStream_t streams[CUDA_STEPS];
    struct cuda_block rings;
    struct cuda_slot slots[CUDA_SLOTS];
    struct cuda_buffers buffers[CUDA_CHUNKS];
};

/* Takes resources from the pool, or creates empty ones. Returns NULL when out of memory. */
struct cuda_resources *cuda_resources_take(struct devices *devices, unsigned device);

/* Makes the device of the resources the current one. Gives empty resources their streams and
 * events. */
cudaError_t cuda_resources_open(struct cuda_resources *resources);

/* Frees the device memory. */
void cuda_resources_empty(struct cuda_resources *resources);

/* Waits for all work on the streams. */
cudaError_t cuda_resources_wait(const struct cuda_resources *resources);

/* Returns the resources to the pool for the next engine, unless this one has `failed` or the device
 * cannot finish its work. In that case all resources of this device are closed, and the next engine
 * probes it again. */
void cuda_resources_give(struct cuda_resources *resources, struct devices *devices, bool failed);

#endif
