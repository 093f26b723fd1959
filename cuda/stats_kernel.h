/* Statistics of float32 or float64 samples on a CUDA device: extremes with their positions, sums,
 * NaN.
 *
 * The unit of work is a *part*: a subtree of the summation tree (src/core/cpu/tree.h), one
 * channel at a time. A part is divided into *shares* of whole leaves, one per thread block. One
 * launch processes the shares of several parts, and joins them. The bits are the same as in
 * src/core/cpu/, in whatever order the device works. The parts of a stream's chunks are listed by
 * the host, which joins their values; those of an array are its blocks, which all have records.
 *
 * Calls enqueue work on a stream and return; their arguments must stay in place until the work is
 * done. */
#ifndef GPUENV_CUDA_STATS_KERNEL_H
#define GPUENV_CUDA_STATS_KERNEL_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/record.h"
#include "cuda/cuda_window.h"
#include "engine/part.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUDA_SHARE_LEAST = 8, /* leaves per share */
    CUDA_SHARE_MOST = 32,
    CUDA_NODE_BYTES = 64, /* of memory, for the statistics of a share */
};

struct cuda_share {
    uint64_t place;  /* of the part's first frame, in a ring */
    uint64_t frames; /* of the part: its last leaf may be short */
    uint32_t index;  /* of this share in the part; shares are consecutive */
    uint32_t count;  /* shares of the part: as many as its frames need */
    uint32_t part;
};

/* How many leaves a share has, for `leaves` in all: small shares keep the whole device busy, large
 * ones leave little to join. */
unsigned cuda_share_leaves(uint64_t leaves);

/* The shares of a part, of so many leaves each. Returns their number. */
uint32_t cuda_shares_cut(struct cuda_share *shares, unsigned leaves, uint32_t part, uint64_t place,
                         uint64_t frames);

/* What a launch can need at most: without statistics, no parts and no shares. */
struct cuda_parts_plan {
    uint64_t every; /* frames of a block; 0: no statistics */
    enum value_kind value;
    struct full_scale scale;
    unsigned channels;
    uint64_t parts;
    uint64_t shares;
};

/* Loads the kernel on the current device. Fails if the program has no code for it. */
cudaError_t cuda_stats_load(enum value_kind value);

/* A channel of a part while it is computed; all zero between launches. */
struct cuda_tally {
    unsigned long long clipped;    /* samples at full scale, */
    unsigned long long clipped_at; /* and the complement of the first one's frame in the part */
    unsigned ticket;               /* shares that are done */
};

/* Device memory for consecutive launches on a stream. Of values and tallies, there are all channels
 * of the first part, then of the next. */
struct cuda_stats_memory {
    struct cuda_share *shares;
    struct stats_values *values;
    struct cuda_tally *tallies;
    void *nodes; /* one per share and channel */
};

uint64_t cuda_stats_memory_bytes(const struct cuda_parts_plan *plan);

/* Places it into memory of that size, which is aligned to 256 bytes. `stream` is the one of the
 * first launch. */
cudaError_t cuda_stats_memory_lay(struct cuda_stats_memory *stats,
                                  const struct cuda_parts_plan *plan, void *memory,
                                  cudaStream_t stream);

/* The shares, one or more, of `leaves` leaves each, are in stats->shares. The results go to
 * stats->values. */
cudaError_t cuda_stats_run(const struct cuda_rings *rings, const struct cuda_stats_memory *stats,
                           struct full_scale scale, uint64_t shares, unsigned leaves,
                           cudaStream_t stream);

/* ---- of arrays: a record for each block of each plane, a channel of a row */

/* Bytes of device memory for a call, aligned to 256 bytes. UINT64_MAX: there are more blocks than a
 * grid can have. */
uint64_t cuda_records_bytes(const struct stats_records *records, unsigned planes);

cudaError_t cuda_records_load(enum value_kind value, const struct stats_records *records);

/* The planes are rings that do not wrap around, `pitch` values apart, with frames `stride` values
 * apart. */
cudaError_t cuda_records_run(const struct cuda_rings *rings, const struct stats_records *records,
                             void *memory, cudaStream_t stream);

/* ---- of the chunks of a stream */

/* The parts of one chunk, in host memory. */
struct cuda_parts {
    struct stats_values *values; /* these two are copied */
    struct cuda_share *shares;
    struct stats_part *part;
    size_t count;
    size_t share_count;
    unsigned share_leaves;
};

struct engine_setup;

/* The most that a chunk can need. */
struct cuda_parts_plan cuda_parts_plan(const struct engine_setup *setup);

/* Bytes of host memory per chunk. 0: none needed. */
uint64_t cuda_parts_host_bytes(const struct cuda_parts_plan *plan);

void cuda_parts_lay(const struct cuda_parts_plan *plan, struct cuda_parts *parts, void *memory);

/* Divides the frames first .. first+count-1 of the stream, which are copied into the rings, into
 * parts. */
void cuda_parts_cut(const struct cuda_parts_plan *plan, struct cuda_parts *parts,
                    const struct cuda_rings *rings, uint64_t first, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif
