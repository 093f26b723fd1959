/* Running minimum and maximum on a CUDA device: the plans, and what launches them.
 *
 * A stream's last frames lie on the device in *rings*, one of float32 samples for each channel:
 * frame f at place f % capacity. A *task* asks for the windows that end at some of these frames.
 * Everything is in terms of ends, see src/window/window.h; the bytes follow src/window/rules.h.
 *
 * No plan's cost a sample grows with the width, and none keeps more than the rings. A *run* is the
 * sixteen frames that one thread works on:
 *
 * near (w <= 17)   Doubling with overlap, in registers. The width is known at compile time.
 * herk (w >= 18)   van Herk and Gil-Werman over runs: a window is a suffix of one run, whole runs,
 *                  and a prefix of another. Of the 4096 or 8192 frames that a block reads, w-1 are
 *                  halo, so this plan is for w up to a few thousand.
 * far  (w > tile)  The same, with whole tiles in between. A tree of the extremes of whole tiles
 *                  lies beside the rings, so a long window causes no further reads: a frame is read
 *                  when it arrives, for the tree, then for the windows that end in its tile, and
 *                  for those that begin near it. Tiles of 2048 or 4096 frames. Where a window has
 *                  33 tiles at most, one kernel does it all: leaves are made a little ahead of the
 *                  windows, and the second-level cache has the samples for the later reads. Tiles
 *                  of 2048 have no other kernels.
 *
 * docs/kernels.md has the measurements, and the plans that were tried and dropped.
 *
 * Calls give work to a stream and return; the caller orders streams by events. */
#ifndef GPUENV_CUDA_CUDA_WINDOW_H
#define GPUENV_CUDA_CUDA_WINDOW_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cuda_plan_kind {
    CUDA_PLAN_NEAR,
    CUDA_PLAN_VANHERK_4096,
    CUDA_PLAN_VANHERK_8192,
    CUDA_PLAN_FAR_2048,
    CUDA_PLAN_FAR_4096,
    CUDA_PLANS
};

enum {
    CUDA_RUN = 16,          /* frames of one thread */
    CUDA_TILE_MOST = 4096,  /* frames; the capacity of rings is a multiple of it */
    CUDA_LEVELS = 8,        /* of the tree, at most */
    CUDA_RADIX = 32,        /* nodes below a node of the tree */
    CUDA_NODE_BYTES = 8,    /* a minimum and a maximum */
    CUDA_RECORD_BYTES = 16, /* the same with stamps: a leaf that is made ahead */
};

/* What lies beside the rings. */
enum cuda_tree {
    CUDA_TREE_NONE,
    CUDA_TREE_LEAVES, /* which are made ahead of the windows, see cuda_ahead.cuh */
    CUDA_TREE_WHOLE,
};

struct cuda_plan {
    enum cuda_plan_kind kind;
    enum cuda_tree tree;
    uint64_t width;
    unsigned threads; /* of a block */
    unsigned tile;    /* frames whose windows one block gives */
    size_t shared;    /* bytes of shared memory that a block takes */

    /* Where leaves are made ahead. Any numbers will do, but for the speed. */
    unsigned ahead; /* tiles, of all channels, that leaves are made ahead of the windows */
    unsigned looks; /* for a leaf, before a block makes it itself */
};

/* The best plan for a width of 1 or more on the current device. All but herk/8192 fit every device
 * that this is built for: their blocks take at most 48 KiB of shared memory. */
cudaError_t cuda_plan_choose(struct cuda_plan *plan, uint64_t width);

/* Loads the plan's kernels on the current device. An error: the program has no code for it. */
cudaError_t cuda_plan_load(const struct cuda_plan *plan);

/* Fits the plan to the current device, and asks that for the shared memory that the plan needs. */
cudaError_t cuda_plan_fit(struct cuda_plan *plan);

/* The best plan, which fits. */
cudaError_t cuda_plan_make(struct cuda_plan *plan, uint64_t width);

/* A plan of the given kind, for tests and measurements. False: it cannot do this width. */
bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, uint64_t width);

const char *cuda_plan_name(const struct cuda_plan *plan);

/* The rings, and for far plans the tree: for each level its nodes, how many of them are kept, and
 * how many have ever been made. Level 0 has one node a tile. */
struct cuda_rings {
    float *samples; /* channel c's ring begins at samples + c * capacity */
    uint64_t capacity;
    unsigned channels;

    void *suffixes; /* the extremes of each tile's last (w-1) % tile frames */
    void *nodes[CUDA_LEVELS];
    uint64_t kept[CUDA_LEVELS];
    uint64_t made[CUDA_LEVELS];
    unsigned levels;
    bool cleared; /* leaves made ahead: nothing is left of what lay in their place */
};

/* Frames that a ring must hold, so that `flying` frames can arrive while kernels still read the
 * windows that end just before them. UINT64_MAX: too many to count. */
uint64_t cuda_rings_capacity(const struct cuda_plan *plan, uint64_t flying);

/* Bytes of device memory for rings of this capacity. UINT64_MAX: more than can be counted. */
uint64_t cuda_rings_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity);

/* Lays rings into that memory, which begins on a 256-byte boundary, for a stream whose first known
 * frame is `known_from`. */
void cuda_rings_lay(struct cuda_rings *rings, const struct cuda_plan *plan, unsigned channels,
                    uint64_t capacity, uint64_t known_from, void *memory);

struct cuda_task {
    uint64_t first; /* the windows that end at first .. first+count-1 */
    uint64_t count;
    uint64_t known_from; /* frames before this one and from known_to on are missing; */
    uint64_t known_to;   /* the others lie in the rings as far as the windows reach */

    uint64_t kept_first; /* of these windows, the ones that end at kept_first, */
    uint64_t hop;        /* kept_first + hop, ... are written; kept_first >= first */
    uint64_t whole_from; /* what is written of windows that end before this one, or from */
    uint64_t whole_to;   /* whole_to on, is NaN */

    enum nan_policy nan;
    struct emit_list emits;
    float *out; /* where the frame that belongs to kept_first goes */
};

/* By how many floats `out` should lie off a 16-byte boundary for full-width stores. */
unsigned cuda_task_shift(const struct cuda_task *task, unsigned channels);

/* Loads the kernel of cuda_decode(): see cuda_plan_load(). */
cudaError_t cuda_decode_load(void);

/* Raw frames, on the device, into the rings: the frames first .. first+count-1. */
cudaError_t cuda_decode(const struct cuda_rings *rings, struct sample_type type, const void *raw,
                        uint64_t first, uint64_t count, cudaStream_t stream);

/* Takes in the frames up to first+count of the task, and writes no windows: for the history. */
cudaError_t cuda_window_take(const struct cuda_plan *plan, struct cuda_rings *rings,
                             const struct cuda_task *task, cudaStream_t stream);

/* Takes them in and writes the windows. Tasks of a stream come in order, without gaps. `middles`
 * is device memory of cuda_middles_bytes() for this task, free when the work is done. */
cudaError_t cuda_window_run(const struct cuda_plan *plan, struct cuda_rings *rings,
                            const struct cuda_task *task, void *middles, cudaStream_t stream);

/* Bytes for a task of `count` windows; 0 for plans that need none. */
uint64_t cuda_middles_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif
