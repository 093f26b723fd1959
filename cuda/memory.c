#include "cuda/memory.h"

#include <stdbool.h>

/* The most bytes by which a reused block may be larger than requested. Small blocks are kept, so
 * that short streams need no new ones; large ones are replaced, since others may need the
 * memory. */
static const size_t SPARE_MOST = (size_t)16 << 20;

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

static cudaError_t allocate_pinned(void **memory, size_t bytes)
{
    return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}

static cudaError_t allocate(void **memory, size_t bytes)
{
    return cudaMalloc(memory, bytes);
}

static cudaError_t replace(struct cuda_block *block, size_t bytes,
                           cudaError_t (*get)(void **memory, size_t bytes),
                           void (*give_up)(struct cuda_block *block))
{
    cudaError_t result;

    give_up(block);
    if (bytes == 0)
        return cudaSuccess;
    result = get(&block->memory, bytes);
    if (result == cudaSuccess)
        block->bytes = bytes;
    else
        block->memory = NULL;
    return result;
}

cudaError_t cuda_block_fit(struct cuda_block *block, uint64_t bytes)
{
    return fits(block, bytes) ? cudaSuccess
                              : replace(block, room_for(block, bytes), allocate, cuda_block_free);
}

void cuda_block_free(struct cuda_block *block)
{
    (void)cudaFree(block->memory);
    *block = (struct cuda_block){.memory = NULL};
}

cudaError_t cuda_block_fit_pinned(struct cuda_block *block, uint64_t bytes)
{
    return fits(block, bytes)
               ? cudaSuccess
               : replace(block, room_for(block, bytes), allocate_pinned, cuda_block_free_pinned);
}

void cuda_block_free_pinned(struct cuda_block *block)
{
    (void)cudaFreeHost(block->memory);
    *block = (struct cuda_block){.memory = NULL};
}
