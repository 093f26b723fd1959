/* Which parts of a chunk's statistics the device computes, and how they get there and back.
 *
 * The device processes the leaves that lie within one chunk, joined to subtrees as large as
 * possible. A leaf that spans two chunks is left to stats/. So chunks are independent, no state
 * stays on the device, and another engine can take over at any frame. The price is less than one
 * leaf at each end of a chunk: a hundredth of a chunk of half a million frames. */
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

/* The shortest block, in frames, that the device processes. For shorter ones it would write as much
 * as it reads, and the host must write a record for each block anyway. */
enum { CUDA_PARTS_LEAST = 1024 };

/* The parts of one chunk, in host memory. */
struct cuda_parts {
    struct stats_values *values; /* these two are copied */
    struct cuda_share *shares;
    struct stats_part *part;
    size_t count;
    size_t share_count;
    unsigned share_leaves;
};

/* The most that a chunk can need. */
struct cuda_parts_plan cuda_parts_plan(const struct engine_setup *setup);

/* Bytes of host memory per chunk. 0: none needed. */
uint64_t cuda_parts_host_bytes(const struct cuda_parts_plan *plan);

void cuda_parts_lay(const struct cuda_parts_plan *plan, struct cuda_parts *parts, void *memory);

/* Divides the frames first .. first+count-1 of the stream, which are copied into the rings, into
 * parts. */
void cuda_parts_cut(const struct cuda_parts_plan *plan, struct cuda_parts *parts,
                    const struct cuda_rings *rings, uint64_t first, uint64_t count);

/* Before and after cuda_stats_run(), each on its own stream. */
cudaError_t cuda_parts_copy_in(const struct cuda_parts *parts,
                               const struct cuda_stats_memory *memory, cudaStream_t stream);
cudaError_t cuda_parts_copy_out(const struct cuda_parts_plan *plan, const struct cuda_parts *parts,
                                const struct cuda_stats_memory *memory, cudaStream_t stream);

#endif
