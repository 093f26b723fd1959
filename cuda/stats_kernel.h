/* Statistics of float32 samples on a CUDA device: extremes with their places, sums, NaN.
 *
 * The unit of work is a *part*: a subtree of the summation tree (src/stats/tree.h), one channel at
 * a time. A part is divided into *shares* of whole leaves, one for each block of threads. One
 * launch does the shares of several parts, and joins them. The bits are those of src/stats/,
 * whatever the order in which the device works.
 *
 * Calls give work to a stream and return; their arguments must stay in place until it is done. */
#ifndef GPUENV_CUDA_STATS_KERNEL_H
#define GPUENV_CUDA_STATS_KERNEL_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/cuda_window.h"
#include "engine/part.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUDA_SHARE_LEAST = 8, /* leaves of a share */
    CUDA_SHARE_MOST = 32,
};

struct cuda_share {
    uint64_t place;  /* of the part's first frame, in a ring */
    uint64_t frames; /* of the part: in its last leaf there may be some missing */
    uint32_t index;  /* of this share in the part; it follows the one before it */
    uint32_t count;  /* shares of the part: as many as its frames need */
    uint32_t part;
    uint32_t unused;
};

/* How many leaves a share has, when there are `leaves` in all: small shares keep all of the device
 * busy, large ones leave little to join. */
unsigned cuda_share_leaves(uint64_t leaves);

/* Loads the kernel on the current device. An error: the program has no code for it. */
cudaError_t cuda_stats_load(void);

/* Device memory for launches that follow one another on a stream. */
struct cuda_stats_memory {
    struct cuda_share *shares;
    struct stats_values *values; /* of each part all channels, then of the next */
    void *nodes;
    unsigned *tickets;
};

/* Bytes for at most so many parts and shares. */
uint64_t cuda_stats_memory_bytes(unsigned channels, uint64_t parts, uint64_t shares);

/* Lays them into that memory, which begins on a 256-byte boundary. The stream is the one of the
 * first launch. */
cudaError_t cuda_stats_memory_lay(struct cuda_stats_memory *stats, unsigned channels,
                                  uint64_t parts, uint64_t shares, void *memory,
                                  cudaStream_t stream);

/* The shares, of `leaves` leaves each, lie in stats->shares. The results go to stats->values. */
cudaError_t cuda_stats_run(const struct cuda_rings *rings, const struct cuda_stats_memory *stats,
                           uint64_t shares, unsigned leaves, cudaStream_t stream);

/* A plain array as one part, which begins at frame 0 of its tree. `memory` is of
 * cuda_stats_array_bytes(), on a 256-byte boundary, zeroed once before its first use; `values` is
 * memory that the device can write to, also pinned memory of the host. */
uint64_t cuda_stats_array_bytes(uint64_t count);
cudaError_t cuda_stats_array(const float *samples, uint64_t count, void *memory,
                             struct stats_values *values, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
