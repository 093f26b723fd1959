/* SPDX-License-Identifier: MIT */
/* What the flavours of gpuenv-bench on a CUDA device share: their memory, and the phases of a timed
 * run.
 *
 * A run is copy in, kernel and copy out, one after the other on the default stream. The host's
 * clock times the copies, because it includes the host's own work for plain memory; events on the
 * device time the kernel. Before the kernel the device's L2 is overwritten, untimed, so that no run
 * finds data of the previous run or of the copy there.
 *
 * A flavour describes what it needs (flavour_open()) and its kernel phase (flavour_run()). */
#ifndef GPUENV_BENCH_CUDA_FLAVOUR_STATE_H
#define GPUENV_BENCH_CUDA_FLAVOUR_STATE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "bench/flavour.h"
#include "cuda/failure.h"

enum { FLAVOUR_THREADS_MOST = 1024 }; /* threads per block, on every device */

/* How samples reach the kernels, and windows come back. */
enum flavour_road {
    FLAVOUR_COPIED,      /* copied to the device's memory and back */
    FLAVOUR_PAGE_LOCKED, /* kernels access the host's memory, which open() registers */
};

struct flavour_needs {
    enum flavour_road road;
    size_t in;      /* bytes of device memory for the samples; 0 for as many as they need */
    size_t results; /* bytes copied back; for BENCH_WINDOW, the task's windows */
    size_t spare;   /* bytes of additional device memory */
    size_t own;     /* bytes of the flavour's own state */
};

struct flavour_state {
    const struct bench_flavour *flavour;
    const struct bench_task *task;
    struct flavour_needs needs;
    uint64_t windows; /* the number of windows */

    float *in; /* as seen by the kernels; flavours that take float64 cast it */
    void *out;
    void *spare;
    void *results; /* on the host: the task's windows, or a separate buffer */
    void *own;     /* zeroed at first */

    void *scratch; /* larger than the L2 */
    size_t scratch_bytes;
    cudaEvent_t from;
    cudaEvent_t to;
    bool in_registered;
    bool out_registered;
};

/* Enqueues work on the default stream; need not wait for it. */
typedef cudaError_t flavour_work(struct flavour_state *state);

/* Opens a struct flavour_state. Sets STATUS_NO_DEVICE and the reason if there is no device. */
int flavour_open(const struct bench_flavour *flavour, const struct bench_task *task,
                 const struct flavour_needs *needs, void **state_out, struct error *error);

/* Copies in, does the work, and copies out, as the road requires. */
int flavour_run(struct flavour_state *state, flavour_work *kernel, struct bench_answer *answer,
                struct error *error);

/* Takes a struct flavour_state. */
void flavour_close(void *closed);

/* For flavours that work differently: one phase with its time and its profiler range; overwriting
 * the L2; and the error of a failed CUDA call. */
cudaError_t flavour_phase(struct flavour_state *state, enum bench_phase phase, flavour_work *work,
                          struct bench_answer *answer);
cudaError_t flavour_flush(const struct flavour_state *state);
int flavour_fail(const struct bench_task *task, cudaError_t result, const char *what,
                 struct error *error);

/* Bytes of the windows that a task asks for. */
size_t flavour_window_bytes(const struct bench_task *task);

/* ---- why a task is not possible; NULL if it is */

typedef const char *flavour_obstacle(const struct bench_flavour *flavour,
                                     const struct bench_task *task);

flavour_obstacle flavour_cannot_one_block; /* all in one block */
flavour_obstacle flavour_cannot_free;      /* any number of threads and blocks */
flavour_obstacle flavour_cannot_choose;    /* threads and blocks are fixed */

/* Each item takes one thread, or a given number of threads; the grid follows from that. */
const char *flavour_cannot_grid(const struct bench_task *task, uint64_t items, unsigned threads);

static inline unsigned flavour_threads(const struct bench_task *task, unsigned published)
{
    return task->threads != 0 ? task->threads : published;
}

static inline unsigned flavour_blocks(const struct bench_task *task, unsigned published)
{
    return task->blocks != 0 ? task->blocks : published;
}

/* The number of blocks for `items` items, after flavour_cannot_grid() has checked it. */
static inline unsigned flavour_grid(uint64_t items, uint64_t in_block)
{
    return (unsigned)(items / in_block + (items % in_block != 0 ? 1 : 0));
}

/* ---- the families, each in the file of its name */

extern const struct bench_flavour flavours_window[];
extern const struct bench_flavour flavours_window_ours[];
extern const struct bench_flavour flavours_max[];
extern const struct bench_flavour flavours_sum[];
extern const struct bench_flavour flavours_library[];

/* A flavour in C++, by the order of its members: it takes float32, and gives all minima before the
 * maxima. */
#define FLAVOUR_ROW(problem, name, words, method, cannot, open, run)                               \
    {                                                                                              \
        name, words, problem, true, false, false, false, method, cannot, open, run, flavour_close  \
    }

#ifdef __cplusplus
}
#endif

#endif
