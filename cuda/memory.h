/* SPDX-License-Identifier: MIT */
/* A block of memory that is reused by consecutive streams, and replaced when it does not fit. */
#ifndef GPUENV_CUDA_MEMORY_H
#define GPUENV_CUDA_MEMORY_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_block {
    void *memory; /* NULL if there is none */
    size_t bytes;
    bool pinned; /* host memory; otherwise memory of the current device */
};

/* Makes the block have at least `bytes` bytes, and little more. Its contents may be lost. After a
 * failure it is empty. */
cudaError_t cuda_block_fit(struct cuda_block *block, uint64_t bytes);
void cuda_block_free(struct cuda_block *block);

#endif
