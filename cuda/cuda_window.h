/* SPDX-License-Identifier: MIT */
/* Running minimum and maximum on a CUDA device: plans and launches.
 *
 * The last frames of a stream are kept on the device in *rings*, one of samples for each channel:
 * frame f at place f % capacity. Samples and results are float32, or float64. A *task* asks for the
 * windows that end at some of these frames. Everything is in terms of ends, see
 * src/core/window/window.h; the bytes follow src/core/window/rules.h.
 *
 * In all plans, the cost per sample does not grow with the width. A *run* is the frames that
 * one thread processes: 64 bytes, so 16 float32 or 8 float64. The following widths and tiles are
 * those of float32; tiles of float64 are half as large, and docs/kernels.md has their widths:
 *
 * near (w <= 17)   Doubling with overlap, in registers. The width is known at compile time.
 * herk (w >= 18)   van Herk and Gil-Werman over runs: a window is a suffix of one run, whole runs,
 *                  and a prefix of another. Of the 4096 or 8192 frames that a block reads, w-1 are
 *                  halo, so this plan is for w up to a few thousand.
 * far  (w > tile)  The same, with whole tiles in between. The extremes of whole tiles, *leaves*,
 * are kept with the rings, so a long window causes no further reads: a frame is read for the leaf
 * of its tile, then for the windows that end in its tile, and for those that begin near it. One
 * kernel makes leaves a little ahead of the windows, so that the second read, and for windows of a
 * few dozen tiles the third one, hits the second-level cache. Tiles of 2048 or 4096 frames; those
 * of 2048 are for windows of up to 33 tiles.
 *
 * Arrays of integers and float16 are windowed as they are by near and herk, see cuda_narrow.cuh;
 * these read as many frames as for float32.
 *
 * docs/kernels.md has the measurements, and the plans that were tried and dropped.
 *
 * Calls enqueue work on a stream and return; the caller orders streams by events. */
#ifndef GPUENV_CUDA_CUDA_WINDOW_H
#define GPUENV_CUDA_CUDA_WINDOW_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/emit_list.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are tiles of float32. */
enum cuda_plan_kind {
    CUDA_PLAN_NEAR,
    CUDA_PLAN_VANHERK_4096,
    CUDA_PLAN_VANHERK_8192, /* for float32 only */
    CUDA_PLAN_FAR_1024,     /* for float64 only */
    CUDA_PLAN_FAR_2048,
    CUDA_PLAN_FAR_4096,
    CUDA_PLANS
};

enum {
    CUDA_TILE_MOST = 4096,  /* frames; the capacity of rings is a multiple of it */
    CUDA_RECORD_VALUES = 4, /* a minimum and a maximum with stamps */
    CUDA_ALIGNMENT = 256,   /* bytes, of what lies in one block of memory */
};

static inline uint64_t cuda_align(uint64_t bytes)
{
    return (bytes + CUDA_ALIGNMENT - 1) / CUDA_ALIGNMENT * CUDA_ALIGNMENT;
}

struct cuda_plan {
    enum cuda_plan_kind kind;
    enum value_kind value; /* VALUE_F32, VALUE_F64, or of compact ones those below */
    uint64_t width;
    unsigned tile; /* frames whose windows one block gives */

    /* far only, see cuda_ahead.cuh. Affects only speed. */
    bool has_leaves;
    unsigned ahead; /* how far ahead of the windows leaves are made, in tiles of all channels */
    unsigned looks; /* how often a block polls for a leaf before it computes the leaf itself */
    uint64_t span;  /* leaves in a span; 0: there are no spans */
    unsigned lag;   /* how many leaves after the last one in a span it is made */
};

/* The best plan for values of this kind and a width of 1 or more on the current device. All but
 * herk/8192 fit every supported device: their blocks use at most 48 KiB of shared memory. */
cudaError_t cuda_plan_make(struct cuda_plan *plan, enum value_kind value, uint64_t width);

/* Is there a plan for samples as they are, of a compact kind, and this width? */
bool cuda_plan_is_narrow(enum value_kind value, uint64_t width);

/* Loads the plan's kernels on the current device. Fails if the program has no code for it. */
cudaError_t cuda_plan_load(const struct cuda_plan *plan);

/* A plan of the given kind, for tests and measurements. Returns false if it cannot do this width.
 * cuda_plan_fit() adapts it to the current device, and requests the shared memory that it needs. */
bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, enum value_kind value,
                     uint64_t width);
cudaError_t cuda_plan_fit(struct cuda_plan *plan);

/* "herk/4096": with the tile in frames of its values. */
const char *cuda_plan_name(const struct cuda_plan *plan);

/* Near and herk also take channels whose frames are interleaved, or have other gaps, if they never
 * wrap around: then a block has the same frames of some channels. Returns how many, for `channels`
 * that are side by side, with so many windows each; 0 if copying to planes is faster. */
unsigned cuda_plan_together(const struct cuda_plan *plan, uint64_t channels, uint64_t windows);

/* The rings, and for far plans the leaves: records for each tile of a ring, see cuda_records.cuh.
 * Channel c's ring begins at sample c * pitch. For far plans, and where rings wrap around, all
 * begin on 16-byte borders. */
struct cuda_rings {
    void *samples;
    enum value_kind value;
    uint64_t capacity;
    uint64_t pitch;
    uint64_t stride;   /* samples from frame to frame: 1, unless there are */
    unsigned together; /* cuda_plan_together(); or 0 */
    unsigned channels;

    void *totals;   /* the extremes of each tile, */
    void *suffixes; /* of its last (w-1) % tile frames, */
    void *spans;    /* and of some tiles before it */
    uint64_t records_bytes;
    uint64_t kept; /* tiles of a ring */
    uint64_t made; /* leaves made so far */
    bool cleared;
};

/* Frames that a ring must hold, so that `flying` frames can arrive while kernels still read the
 * windows that end just before them. UINT64_MAX on overflow. */
uint64_t cuda_rings_capacity(const struct cuda_plan *plan, uint64_t flying);

/* Bytes of device memory for rings of this capacity. UINT64_MAX on overflow. */
uint64_t cuda_rings_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity);

/* Bytes for the leaves alone, for samples that lie elsewhere. */
uint64_t cuda_leaves_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity);

/* Places rings into that memory, which is aligned to 256 bytes, for a stream whose first known
 * frame is `known_from`. */
void cuda_rings_lay(struct cuda_rings *rings, const struct cuda_plan *plan, unsigned channels,
                    uint64_t capacity, uint64_t known_from, void *memory);

/* Places only the leaves, for samples that lie elsewhere: rings that never wrap around. Of these, a
 * kernel reads no more than the known frames. */
void cuda_rings_lay_leaves(struct cuda_rings *rings, const struct cuda_plan *plan,
                           unsigned channels, uint64_t capacity, uint64_t known_from, void *memory);

/* Where results go: an array for each emit, with distances in values from one frame, and from one
 * channel, to the next. */
struct cuda_out {
    void *item[EMIT_KINDS];
    uint64_t frame;
    uint64_t channel;

    /* For samples as they are: is an item written as the value that they stand for, float32, or
     * float64 for integers of 32 bits? A signed integer, or an unsigned one less its middle, stands
     * for itself plus `zero`, times `unit`. */
    bool wide[EMIT_KINDS];
    double zero;
    double unit;
};

struct cuda_task {
    uint64_t first; /* the windows that end at first .. first+count-1 */
    uint64_t count;
    uint64_t known_from; /* frames before this one and from known_to on are missing; */
    uint64_t known_to;   /* the others are in the rings, as far back as the windows reach */

    uint64_t kept_first; /* of these windows, the ones that end at kept_first, */
    uint64_t hop;        /* kept_first + hop, ... are written; kept_first >= first */
    uint64_t whole_from; /* windows that end before this one, or at or after */
    uint64_t whole_to;   /* whole_to, are written as NaN */

    enum nan_policy nan;
    struct emit_list emits;
    void *out; /* the output for kept_first, in values of the plan's kind: frames of all emits */
    const struct cuda_out *apart; /* or an array for each emit; NULL: none */
};

/* By how many bytes `out` must be off a 16-byte boundary for full-width stores: less than 16. */
size_t cuda_task_shift(const struct cuda_task *task, enum value_kind value, unsigned channels);

/* Takes the frames and writes the windows, if any are kept. The tasks of a stream follow each other
 * without gaps. */
cudaError_t cuda_window_run(const struct cuda_plan *plan, struct cuda_rings *rings,
                            const struct cuda_task *task, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
