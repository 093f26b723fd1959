/* SPDX-License-Identifier: MIT */
/* Host memory of a chunk of the cuda engine: its two buffers. Both are in one pinned block, except
 * an `out` whose pages the stream gives away: it is filled from pinned memory. If too little memory
 * can be pinned, none is. */
#ifndef GPUENV_CUDA_BUFFERS_H
#define GPUENV_CUDA_BUFFERS_H

#include <stdbool.h>

#include "base/error.h"
#include "cuda/cuda_window.h"
#include "cuda/memory.h"
#include "engine/engine.h"

struct threads;

struct cuda_buffers {
    struct cuda_block block; /* pinned memory */
    void *plain;             /* replaces `block` if that could not be pinned */
    void *landing;           /* pinned memory that receives the copies; NULL if `out` does */
    bool in_use;             /* a chunk uses the buffers, from attach to detach */

    /* Valid from submit to collect. */
    bool small;              /* the chunk's copies take no longer than sleeping and waking up */
    const void *out_from;    /* the windows on the device */
    cudaStream_t out_stream; /* the stream that copies them back */
};

/* Returns the buffers of a chunk, from attach to detach. */
static inline struct cuda_buffers *cuda_buffers_of(const struct chunk *chunk)
{
    return chunk->engine_data;
}

/* Attaches buffers to a chunk, for `device`, which is the current device. A block that fits is
 * kept. */
int cuda_buffers_attach(struct cuda_buffers *buffers, const struct engine_setup *setup,
                        unsigned device, struct chunk *chunk, struct error *error);

/* Detaches the buffers. No copy from or to them may be in progress. */
void cuda_buffers_detach(const struct engine_setup *setup, struct chunk *chunk);

/* Copies the output frames of a finished chunk from pinned memory to `out`. Uses several threads:
 * one alone is slower than the pipe. */
void cuda_buffers_land(const struct chunk *chunk, size_t frame_bytes, struct threads *threads);

#endif
