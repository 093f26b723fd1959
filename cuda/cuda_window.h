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
 *                  and a prefix of another. Of the 4096 frames that a block reads, w-1 are halo, so
 *                  this plan is for w up to a thousand or so.
 * wide (w > tile)  A window is a suffix of one tile, a middle, and a prefix of another tile. A
 *                  block reads all three, so this plan is for w up to two tiles. Tiles of 1024,
 *                  1536 and 2048 frames.
 * far  (w > tile)  As wide, with whole tiles in between. The extremes of whole tiles, *leaves*,
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
    CUDA_PLAN_WIDE_1024,
    CUDA_PLAN_WIDE_1536,
    CUDA_PLAN_WIDE_2048,
    CUDA_PLAN_FAR_2048,
    CUDA_PLAN_FAR_4096,
    CUDA_PLANS
};

enum {
    CUDA_TILE_MOST = 4096,  /* frames; the capacity of rings is a multiple of this */
    CUDA_RECORD_VALUES = 4, /* values of a record: a minimum and a maximum with stamps */
    CUDA_ALIGNMENT = 256,   /* bytes; parts of a block of memory begin at multiples of this */
};

static inline uint64_t cuda_align(uint64_t bytes)
{
    return (bytes + CUDA_ALIGNMENT - 1) / CUDA_ALIGNMENT * CUDA_ALIGNMENT;
}

struct cuda_plan {
    enum cuda_plan_kind kind;
    enum value_kind value; /* VALUE_F32, VALUE_F64, or compact: see cuda_plan_is_narrow() */
    uint64_t width;
    unsigned tile; /* frames whose windows one block makes */

    /* For far only, see cuda_ahead.cuh. These affect only speed. */
    bool has_leaves;
    unsigned ahead; /* how far ahead of the windows leaves are made, in tiles of all channels */
    unsigned looks; /* how often a block polls for a leaf before it computes the leaf itself */
    uint64_t span;  /* leaves in a span; 0 if there are no spans */
    unsigned lag;   /* leaves from the last one of a span to the one that it is made with */
};

/* Are windows longer than a tile? Then planes must be equally far from 16-byte borders. */
static inline bool cuda_plan_is_long(const struct cuda_plan *plan)
{
    return plan->kind >= CUDA_PLAN_WIDE_1024;
}

/* Makes the best plan for values of this kind and a width of 1 or more on the current device. All
 * plans fit every supported device: their blocks use at most 48 KiB of shared memory. */
cudaError_t cuda_plan_make(struct cuda_plan *plan, enum value_kind value, uint64_t width);

/* Is there a plan for samples as they are, of a compact kind, and this width? */
bool cuda_plan_is_narrow(enum value_kind value, uint64_t width);

/* Loads the plan's kernels on the current device. Fails if the program has no code for it. */
cudaError_t cuda_plan_load(const struct cuda_plan *plan);

/* Makes a plan of the given kind, for tests and measurements. Returns false if such a plan cannot
 * do this width. cuda_plan_fit() adapts it to the current device. */
bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, enum value_kind value,
                     uint64_t width);
cudaError_t cuda_plan_fit(struct cuda_plan *plan);

/* Returns a name as "herk/4096", which has the tile in frames of the plan's values. */
const char *cuda_plan_name(const struct cuda_plan *plan);

/* Near and herk also take channels whose frames are interleaved, or have other gaps, if they never
 * wrap around: then a block has the same frames of some channels. Returns the number of these, for
 * `channels` adjacent channels with so many windows each; 0 if copying to planes is faster. */
unsigned cuda_plan_together(const struct cuda_plan *plan, uint64_t channels, uint64_t windows);

/* The rings, and for far plans the leaves: records for each tile of a ring, see cuda_records.cuh.
 * Channel c's ring begins at sample c * pitch. For long windows, and where rings wrap around, all
 * rings begin on 16-byte borders. */
struct cuda_rings {
    void *samples;
    enum value_kind value;
    uint64_t capacity;
    uint64_t pitch;
    uint64_t stride;   /* samples from frame to frame: 1 if frames have no gaps */
    unsigned together; /* channels of a block, from cuda_plan_together(); otherwise 0 */
    unsigned channels;

    /* Records of each tile: the extremes of the tile, of its last (w-1) % tile frames, and of some
     * tiles before it. */
    void *totals;
    void *suffixes;
    void *spans;
    uint64_t records_bytes;
    uint64_t kept; /* tiles of a ring */
    uint64_t made; /* leaves made so far */
    bool cleared;
};

/* Returns the frames that a ring must hold, so that `flying` frames can arrive while kernels still
 * read the windows that end just before them; UINT64_MAX on overflow. */
uint64_t cuda_rings_capacity(const struct cuda_plan *plan, uint64_t flying);

/* Returns the bytes of device memory for rings of this capacity; UINT64_MAX on overflow. */
uint64_t cuda_rings_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity);

/* Returns the bytes for the leaves alone, for samples that lie elsewhere. */
uint64_t cuda_leaves_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity);

/* Places rings into memory of that size, which is aligned to 256 bytes, for a stream whose first
 * known frame is `known_from`. */
void cuda_rings_lay(struct cuda_rings *rings, const struct cuda_plan *plan, unsigned channels,
                    uint64_t capacity, uint64_t known_from, void *memory);

/* Places only the leaves, for samples that lie elsewhere, as rings that never wrap around. Kernels
 * read only known frames of the samples. */
void cuda_rings_lay_leaves(struct cuda_rings *rings, const struct cuda_plan *plan,
                           unsigned channels, uint64_t capacity, uint64_t known_from, void *memory);

/* Where results go: an array for each emit, with distances in values from one frame, and from one
 * channel, to the next. */
struct cuda_out {
    void *item[EMIT_KINDS];
    uint64_t frame;
    uint64_t channel;

    /* For samples as they are: is an item written as the value that a sample stands for? It is
     * float32, or float64 for integers of 32 bits. A signed integer, or an unsigned one less its
     * middle, stands for itself plus `zero`, times `unit`. */
    bool wide[EMIT_KINDS];
    double zero;
    double unit;
};

struct cuda_task {
    /* The windows that end at first .. first+count-1. */
    uint64_t first;
    uint64_t count;

    /* Frames before known_from, and from known_to on, are missing. The others are in the rings, as
     * far back as the windows reach. */
    uint64_t known_from;
    uint64_t known_to;

    /* The windows that end at kept_first, kept_first + hop, ... are written; kept_first >= first.
     */
    uint64_t kept_first;
    uint64_t hop;

    /* Windows that end before whole_from, or at or after whole_to, are written as NaN. */
    uint64_t whole_from;
    uint64_t whole_to;

    enum nan_policy nan;
    struct emit_list emits;
    void *out; /* the output for kept_first, in values of the plan's kind: frames of all emits */
    const struct cuda_out *apart; /* replaces `out` by an array for each emit; may be NULL */
};

/* Returns by how many bytes `out` must be off a 16-byte boundary for full-width stores: less than
 * 16. */
size_t cuda_task_shift(const struct cuda_task *task, enum value_kind value, unsigned channels);

/* Takes the frames and writes the windows, if any are kept. The tasks of a stream follow each other
 * without gaps. */
cudaError_t cuda_window_run(const struct cuda_plan *plan, struct cuda_rings *rings,
                            const struct cuda_task *task, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
