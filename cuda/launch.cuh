/* SPDX-License-Identifier: MIT */
/* For all kernels: the few constructs that nvcc and the emulator of tests/emu spell differently,
 * and the channel and tile of a block. */
#ifndef GPUENV_CUDA_LAUNCH_CUH
#define GPUENV_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

#ifdef GPUENV_EMU

/* LAUNCH(kernel, grid, block, shared bytes, stream, arguments...). cudaGetLastError() reports
 * launch errors, as with <<<>>>. */
#define LAUNCH(kernel, grid, block, shared, stream, ...)                                           \
    emu_launch((const void *)(kernel), (grid), (block), (shared), (stream),                        \
               emu_call((kernel), __VA_ARGS__))

/* The dynamic shared memory of the block, as an array of `type`. */
#define SHARED_DYNAMIC(type, name) type *const name = (type *)emu_shared_memory()

#else

#define LAUNCH(kernel, grid, block, shared, stream, ...)                                           \
    (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)

#define SHARED_DYNAMIC(type, name) extern __shared__ __align__(16) type name[]

#endif

#define DEVICE __device__ __forceinline__

enum { LANES = 32 };         /* lanes of a warp */
#define WARP_ALL 0xffffffffU /* mask of all lanes */

/* Loads a kernel on the current device, which otherwise happens at the first launch. */
template <typename Kernel> static inline cudaError_t load_kernel(Kernel *kernel)
{
    struct cudaFuncAttributes attributes;

    return cudaFuncGetAttributes(&attributes, (const void *)kernel);
}

/* Block b processes channel b % channels, and tile (or share, or node) b / channels. Where a block
 * has several tiles, b is the number of a tile. */
struct block_place {
    unsigned channel;
    unsigned tile;
};

DEVICE struct block_place place_of_block(unsigned channels, unsigned block)
{
    struct block_place place;

    place.channel = 0;
    place.tile = block;
    if (channels > 1) { /* a division takes as long as a load */
        place.tile = block / channels;
        place.channel = block - place.tile * channels;
    }
    return place;
}

#endif
