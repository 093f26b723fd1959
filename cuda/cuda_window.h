/* Running minimum and maximum on a CUDA device: the plans, and what launches them.
 *
 * A stream's last frames lie on the device in *rings*, one of float32 samples for each channel:
 * frame f at place f % capacity. A *task* asks for the windows that end at some of these frames.
 * Everything is in terms of ends, see src/window/window.h; the bytes follow src/window/rules.h.
 *
 * No plan's cost a sample grows with the width, and none keeps more than the rings:
 *
 * near (w <= 17)   Doubling with overlap, in registers, for a width known when it is compiled.
 * herk (w >= 18)   Runs of 16 samples, one a thread. A window is the end of one run, whole
 *                  runs, and the beginning of another. A block reads 4096 or 8192 frames, w-1
 *                  more than it gives windows for, so this is for w up to a few thousand.
 * far  (w > tile)  The same, with whole tiles in between. A tree of what whole tiles come to lies
 *                  beside the rings, so nothing is read twice because a window is long: a frame
 *                  is read when it comes (for the tree), as the end of a window, and as its
 *                  beginning. Tiles of 1024 frames, or of 4096.
 *
 * Two other ways for long windows were tried on an H200 and came out no faster than far: one pass
 * in which each block goes through a long piece of the stream and keeps what lies behind it
 * (march), and one in which blocks tell one another what their tiles come to (chain: 0.69 to 0.77
 * of a copy, far 0.73). What they save in reads they lose in waiting, and the beginnings of windows
 * fall out of the second-level cache.
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
    CUDA_PLAN_FAR_1024,
    CUDA_PLAN_FAR_4096,
    CUDA_PLANS
};

enum {
    CUDA_RUN = 16,         /* frames that one thread works on */
    CUDA_TILE_MOST = 4096, /* frames; the capacity of rings is a multiple of it */
    CUDA_LEVELS = 8,       /* of the tree, at most */
    CUDA_RADIX = 32,       /* a node is what so many nodes below it come to */
};

struct cuda_plan {
    enum cuda_plan_kind kind;
    uint64_t width;
    unsigned threads; /* of a block */
    unsigned tile;    /* frames whose windows one block gives */
    size_t shared;    /* bytes of shared memory that a block takes */
};

/* The plan for a width of 1 or more on the current device. All but herk/8192 fit every device that
 * this is built for: no block takes more than 48 KiB of shared memory. */
cudaError_t cuda_plan_make(struct cuda_plan *plan, uint64_t width);

/* Asks the current device for what the plan needs; a plan that was made has it. */
cudaError_t cuda_plan_fit(const struct cuda_plan *plan);

/* One plan whatever is best, for tests and measurements. False: it cannot do this width. */
bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, uint64_t width);

const char *cuda_plan_name(const struct cuda_plan *plan);

/* Beside plain memory there is the tree, for far plans: for each level the number of nodes that
 * are kept, and how many have ever been made. Level 0 has a node a tile. */
struct cuda_rings {
    float *samples; /* channel c's ring begins at samples + c * capacity */
    uint64_t capacity;
    unsigned channels;

    void *suffixes; /* what the last frames of each tile come to, as many as reach into a window */
    void *nodes[CUDA_LEVELS];
    uint64_t kept[CUDA_LEVELS];
    uint64_t made[CUDA_LEVELS];
    unsigned levels;
};

/* Frames that a ring must hold, so that `flying` frames can be written while windows that end
 * just before them are worked on. UINT64_MAX: more than can be counted. */
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

/* Raw frames, on the device, into the rings: the frames first .. first+count-1. */
cudaError_t cuda_decode(const struct cuda_rings *rings, struct sample_type type, const void *raw,
                        uint64_t first, uint64_t count, cudaStream_t stream);

/* Takes in the frames up to first+count of the task, without windows: for the history. */
cudaError_t cuda_window_take(const struct cuda_plan *plan, struct cuda_rings *rings,
                             const struct cuda_task *task, cudaStream_t stream);

/* Takes them in and writes the windows. Tasks of a stream come in order, without gaps. `middles`
 * is device memory of cuda_middles_bytes() for this task, free when the work is done. */
cudaError_t cuda_window_run(const struct cuda_plan *plan, struct cuda_rings *rings,
                            const struct cuda_task *task, void *middles, cudaStream_t stream);

/* For a task of so many windows; 0 for plans that need none. */
uint64_t cuda_middles_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif
