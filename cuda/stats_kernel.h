/* Statistics of float32 or float64 samples on a CUDA device: extremes with their positions, sums,
 * NaN.
 *
 * The unit of work is a *part*: a subtree of the summation tree (src/stats/tree.h), one channel at
 * a time. A part is divided into *shares* of whole leaves, one per thread block. One launch
 * processes the shares of several parts, and joins them. The bits are the same as in src/stats/, in
 * whatever order the device works.
 *
 * Calls enqueue work on a stream and return; their arguments must stay in place until the work is
 * done. */
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
    CUDA_SHARE_LEAST = 8, /* leaves per share */
    CUDA_SHARE_MOST = 32,
};

struct cuda_share {
    uint64_t place;  /* of the part's first frame, in a ring */
    uint64_t frames; /* of the part: its last leaf may be short */
    uint32_t index;  /* of this share in the part; shares are consecutive */
    uint32_t count;  /* shares of the part: as many as its frames need */
    uint32_t part;
    uint32_t unused;
};

/* How many leaves a share has, for `leaves` in all: small shares keep the whole device busy, large
 * ones leave little to join. */
unsigned cuda_share_leaves(uint64_t leaves);

/* Loads the kernel on the current device. Fails if the program has no code for it. */
cudaError_t cuda_stats_load(enum value_kind value);

/* Device memory for consecutive launches on a stream. */
struct cuda_stats_memory {
    struct cuda_share *shares;
    struct stats_values *values; /* all channels of the first part, then of the next */
    void *nodes;
    unsigned *tickets;
    struct cuda_clipped *clipped;
};

/* Samples at full scale, of a channel of a part, while they are counted. */
struct cuda_clipped {
    unsigned long long count;
    unsigned long long first; /* the complement of its frame in the part: 0 is none */
};

/* Bytes for at most this many parts and shares. */
uint64_t cuda_stats_memory_bytes(enum value_kind value, unsigned channels, uint64_t parts,
                                 uint64_t shares);

/* Places them into that memory, which is aligned to 256 bytes. `stream` is the one of the first
 * launch. */
cudaError_t cuda_stats_memory_lay(struct cuda_stats_memory *stats, enum value_kind value,
                                  unsigned channels, uint64_t parts, uint64_t shares, void *memory,
                                  cudaStream_t stream);

/* The shares, one or more, of `leaves` leaves each, are in stats->shares. The results go to
 * stats->values. */
cudaError_t cuda_stats_run(const struct cuda_rings *rings, const struct cuda_stats_memory *stats,
                           struct full_scale scale, uint64_t shares, unsigned leaves,
                           cudaStream_t stream);

/* Treats a plain array as one part, which begins at frame 0 of its tree, with full scale not known.
 * `memory` has cuda_stats_array_bytes(), is aligned to 256 bytes and zeroed once before its first
 * use; `values` is any memory that the device can write to, including pinned host memory. */
uint64_t cuda_stats_array_bytes(enum value_kind value, uint64_t count);
cudaError_t cuda_stats_array(enum value_kind value, const void *samples, uint64_t count,
                             void *memory, struct stats_values *values, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
