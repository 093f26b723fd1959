/* SPDX-License-Identifier: MIT */
#include "cuda/memory.h"

/* The most bytes by which a reused block may be larger than requested: a chunk's two buffers of
 * 8 MiB, and its statistics. Small blocks are kept, so that short streams need no new ones; large
 * ones are replaced, since others may need the memory. */
static const size_t SPARE_MOST = (size_t)17 << 20;

static bool fits(const struct cuda_block *block, uint64_t bytes)
{
    return bytes <= block->bytes && block->bytes - bytes <= SPARE_MOST;
}

/* A small block grows to twice its old size, for a sequence of streams of slowly growing length. A
 * first block has exactly the requested size. */
static size_t room_for(const struct cuda_block *block, uint64_t bytes)
{
    uint64_t twice = 2 * (uint64_t)block->bytes;

    return (size_t)(bytes < twice && twice <= SPARE_MOST ? twice : bytes);
}

cudaError_t cuda_block_fit(struct cuda_block *block, uint64_t bytes)
{
    const size_t room = room_for(block, bytes);
    cudaError_t result;

    if (fits(block, bytes))
        return cudaSuccess;
    cuda_block_free(block);
    if (room == 0)
        return cudaSuccess;
    result = block->pinned ? cudaHostAlloc(&block->memory, room, cudaHostAllocDefault)
                           : cudaMalloc(&block->memory, room);
    if (result == cudaSuccess)
        block->bytes = room;
    else
        block->memory = NULL;
    return result;
}

void cuda_block_free(struct cuda_block *block)
{
    (void)(block->pinned ? cudaFreeHost(block->memory) : cudaFree(block->memory));
    block->memory = NULL;
    block->bytes = 0;
}
