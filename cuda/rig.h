/* What a cuda engine works with: the streams, events and memory of a device, and pinned memory of
 * the host. It knows nothing of a stream of frames. So engines leave it to one another where
 * something is kept (engine/keep.h), and what does not fit the next one is replaced. */
#ifndef GPUENV_CUDA_RIG_H
#define GPUENV_CUDA_RIG_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "cuda/buffers.h"
#include "cuda/memory.h"
#include "cuda/slot.h"
#include "engine/keep.h"

enum { CUDA_SLOTS = 3 }; /* one coming in, one being worked on, one going out */

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

/* One that was kept, or a new one without anything. NULL when there is no memory. */
struct cuda_rig *cuda_rig_take(struct keep *keep, unsigned device);

/* Makes the device the current one, and asks it what it is, unless that is known. */
cudaError_t cuda_rig_look(struct cuda_rig *rig);

/* Makes the streams that are not there. */
cudaError_t cuda_rig_streams(struct cuda_rig *rig);

/* Gives back the memory on the device. */
void cuda_rig_empty(struct cuda_rig *rig);

/* Waits for all that is under way on its streams. */
cudaError_t cuda_rig_wait(const struct cuda_rig *rig);

/* For the next engine, when this one has not `failed` and the device is through with its work. Else
 * nothing is kept of this device: whoever comes next finds out by himself how it is. */
void cuda_rig_give(struct cuda_rig *rig, struct keep *keep, bool failed);

#endif
