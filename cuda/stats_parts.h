/* Statistics of the chunks of the cuda engine: which parts of a chunk the device works out, and
 * what comes back with its output.
 *
 * The device takes the leaves that lie within one chunk, put together to subtrees as large as they
 * go. A leaf that goes from one chunk to the next has lanes that are half full, and belongs to
 * whoever computes the statistics: so each chunk stands for itself, no state stays on the device,
 * and another engine can take over anywhere. That is less than a leaf at each end of a chunk, the
 * hundredth part of a chunk of half a million frames. */
#ifndef GPUENV_CUDA_STATS_PARTS_H
#define GPUENV_CUDA_STATS_PARTS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/cuda_window.h"
#include "cuda/stats_kernel.h"
#include "engine/engine.h"
#include "engine/part.h"

/* From blocks of so many frames on, the device works them out: shorter ones would make it write as
 * much as it reads, and the host has all their records to write anyway. */
enum { CUDA_PARTS_LEAST = 1024 };

/* What is there once for an engine: the room that each chunk needs. */
struct cuda_parts_plan {
    uint64_t every; /* 0: nothing is worked out */
    unsigned channels;
    uint64_t parts; /* the most of a chunk */
    uint64_t shares;
};

/* One chunk's, in memory of the host. */
struct cuda_parts {
    struct stats_values *values; /* these two are copied */
    struct cuda_share *shares;
    struct stats_part *part;
    size_t count;
    size_t share_count;
    unsigned share_leaves;
};

void cuda_parts_plan(struct cuda_parts_plan *plan, const struct engine_setup *setup);

/* Bytes of a chunk's memory, and of a slot's on the device. 0: none is needed. */
uint64_t cuda_parts_host_bytes(const struct cuda_parts_plan *plan);
uint64_t cuda_parts_device_bytes(const struct cuda_parts_plan *plan);

void cuda_parts_lay(const struct cuda_parts_plan *plan, struct cuda_parts *parts, void *memory);

/* Cuts the frames first .. first+count-1 of the stream, which go into the rings. */
void cuda_parts_cut(const struct cuda_parts_plan *plan, struct cuda_parts *parts,
                    const struct cuda_rings *rings, uint64_t first, uint64_t count);

/* The steps of a chunk's work: each in its stream, one after the other. */
cudaError_t cuda_parts_copy_in(const struct cuda_parts *parts,
                               const struct cuda_stats_memory *memory, cudaStream_t stream);
cudaError_t cuda_parts_run(const struct cuda_parts *parts, const struct cuda_rings *rings,
                           const struct cuda_stats_memory *memory, cudaStream_t stream);
cudaError_t cuda_parts_copy_out(const struct cuda_parts_plan *plan, const struct cuda_parts *parts,
                                const struct cuda_stats_memory *memory, cudaStream_t stream);

/* What has come back. */
struct stats_parts cuda_parts_done(const struct cuda_parts *parts);

#endif
