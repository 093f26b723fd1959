/* A block of memory that serves one stream after another: it is replaced when it does not fit. */
#ifndef GPUENV_CUDA_MEMORY_H
#define GPUENV_CUDA_MEMORY_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_block {
    void *memory; /* NULL: there is none */
    size_t bytes;
};

/* Makes it a block of at least so many bytes, and of few more, on the current device. What was in
 * it may be lost. After a failure it is empty. */
cudaError_t cuda_block_fit(struct cuda_block *block, uint64_t bytes);
void cuda_block_free(struct cuda_block *block);

/* The same in pinned memory of the host. */
cudaError_t cuda_block_fit_pinned(struct cuda_block *block, uint64_t bytes);
void cuda_block_free_pinned(struct cuda_block *block);

#endif
