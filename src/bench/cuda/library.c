/* SPDX-License-Identifier: MIT */
/* libgpuenv, as users call it: its functions for arrays on a device.
 *
 * Windows are computed in page-locked memory: the kernels read and write it across the bus, so
 * there are no copies. For small inputs starting copies would take longer. Statistics are always
 * computed all at once; the sum is that of the summation tree (src/core/cpu/tree.h), in double. */
#include "bench/arrays.h"
#include "bench/cuda/flavour_state.h"
#include "cuda/engine_cuda.h"
#include "lib/gpuenv_cuda.h"

/* Calls the library for a task at addresses on the device. If `work` is NULL, sets `*bytes` to the
 * memory that it needs. */
static int call(gpuenv_context *context, const struct bench_flavour *flavour,
                const struct bench_task *task, const void *in, void *out, void *work, size_t *bytes,
                struct error *error)
{
    const gpuenv_spec spec = {.size = sizeof spec, .width = task->width};
    const gpuenv_array array = array_at(task, in, task->count);
    const int device = (int)task->device;
    gpuenv_array windows[2];
    gpuenv_error why;
    int code;

    if (flavour->problem == BENCH_WINDOW) {
        arrays_for_windows(task, out, windows);
        code = gpuenv_filter_cuda(context, &spec, &array, windows, work, bytes, device, NULL, &why);
    } else {
        code = gpuenv_stats_cuda(context, &array, 0, out, sizeof(gpuenv_record), work, bytes,
                                 device, NULL, &why);
    }
    return library_result(code, &why, error);
}

static void library_close(void *opaque)
{
    struct flavour_state *state = opaque;

    gpuenv_close(*(gpuenv_context **)state->own);
    flavour_close(state);
}

static int library_open(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    const bool of_windows = flavour->problem == BENCH_WINDOW;
    struct flavour_needs needs = {
        .road = of_windows ? FLAVOUR_PAGE_LOCKED : FLAVOUR_COPIED,
        .results = of_windows ? flavour_window_bytes(task) : sizeof(gpuenv_record),
        .own = sizeof(gpuenv_context *),
    };
    const gpuenv_options options = {.size = sizeof options, .threads = 1};
    gpuenv_context *context = NULL;
    gpuenv_record record;
    gpuenv_error why;

    if (engine_cuda_find(task->device, error) != 0 ||
        library_result(gpuenv_open(&options, &context, &why), &why, error) != 0)
        return -1;
    if (call(context, flavour, task, task->samples, of_windows ? task->windows : &record, NULL,
             &needs.spare, error) != 0 ||
        flavour_open(flavour, task, &needs, state, error) != 0) {
        gpuenv_close(context);
        return -1;
    }
    *(gpuenv_context **)((struct flavour_state *)*state)->own = context;
    return 0;
}

static cudaError_t library_work(struct flavour_state *state)
{
    struct error error;

    return call(*(gpuenv_context **)state->own, state->flavour, state->task, state->in, state->out,
                state->spare, &state->needs.spare, &error) == 0
               ? cudaSuccess
               : cudaErrorUnknown;
}

static int library_run(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = opaque;

    if (flavour_run(state, library_work, answer, error) != 0)
        return -1;
    if (state->flavour->problem != BENCH_WINDOW)
        answer_from(answer, state->results);
    return 0;
}

#define LIBRARY(label, description, of)                                                            \
    {                                                                                              \
        .name = (label), .words = (description), .problem = (of), .on_gpu = true,                  \
        .takes_f64 = true, .exact = (of) != BENCH_MAX, .cannot = flavour_cannot_choose,            \
        .open = library_open, .run = library_run, .close = library_close                           \
    }

const struct bench_flavour flavours_library[] = {
    LIBRARY("cuda-call", "our library's call on page-locked memory", BENCH_WINDOW),
    LIBRARY("cuda", "our reduction: all statistics, one launch", BENCH_MAX),
    LIBRARY("cuda", "our reduction: all statistics, one launch; the sum in double", BENCH_SUM),
    {.name = NULL},
};
