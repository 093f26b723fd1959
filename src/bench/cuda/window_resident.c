/* Ours, the kernels only: the samples lie in the rings of cuda/cuda_window.h before the run, and
 * the windows stay on the device until the clock has stopped, so there are no copies. The time of
 * far plans includes the tree. One flavour for the plan that the engine would choose, and one for
 * each plan. */
#include <errno.h>
#include <stdlib.h>

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"

enum { SPARE_OUT = 4 * sizeof(float), ALIGNMENT = 256 };

struct resident {
    struct flavour_state *shared;
    struct cuda_plan plan;
    uint64_t capacity;
    float *out; /* where the last run's windows begin */
};

/* The windows come first in the spare memory, then what the far plans take. */
static size_t windows_room(const struct bench_task *task)
{
    return (flavour_window_bytes(task) + SPARE_OUT + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void resident_close(void *opaque)
{
    struct resident *resident = opaque;

    flavour_close(resident->shared);
    free(resident);
}

static int open_plan(const struct bench_task *task, const struct cuda_plan *plan, void **state,
                     struct error *error)
{
    uint64_t capacity = cuda_rings_capacity(plan, task->count);
    const struct flavour_needs needs = {
        .road = FLAVOUR_COPIED,
        .windows = true,
        .in = (size_t)cuda_rings_bytes(plan, 1, capacity),
        .spare = windows_room(task) + (size_t)cuda_middles_bytes(plan, 1, task->count),
    };
    struct resident *resident = calloc(1, sizeof *resident);
    cudaError_t result;

    if (resident == NULL)
        return error_system(error, ERROR_RESOURCE, "a flavour", ENOMEM);
    resident->plan = *plan;
    resident->capacity = capacity;
    if (flavour_open(task, &needs, &resident->shared, error) != 0) {
        free(resident);
        return -1;
    }
    resident->shared->method = resident;
    result = cudaMemcpy(resident->shared->in, task->samples, task->count * sizeof(float),
                        cudaMemcpyHostToDevice);
    if (result != cudaSuccess) {
        resident_close(resident);
        return flavour_fail(task, result, "set-up", error);
    }
    *state = resident;
    return 0;
}

static cudaError_t resident_work(struct flavour_state *state)
{
    struct resident *resident = state->method;
    const struct bench_task *task = state->task;
    struct cuda_task all = {
        .count = task->count,
        .known_to = task->count,
        .kept_first = task->width - 1,
        .hop = 1,
        .whole_to = UINT64_MAX,
        .nan = NAN_PROPAGATE,
        .emits = {2, {EMIT_MIN, EMIT_MAX}},
    };
    struct cuda_rings rings;

    /* The samples stay where they are: the tree is what begins anew. */
    cuda_rings_lay(&rings, &resident->plan, 1, resident->capacity, 0, state->in);
    all.out = (float *)state->spare + cuda_task_shift(&all, 1);
    resident->out = all.out;
    return cuda_window_run(&resident->plan, &rings, &all,
                           (unsigned char *)state->spare + windows_room(task), NULL);
}

static int resident_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                        struct error *error)
{
    struct resident *resident = state;
    const struct bench_task *task = resident->shared->task;
    cudaError_t result = cudaSetDevice((int)task->device);
    const char *what = "kernel";

    (void)answer;
    seconds[BENCH_COPY_IN] = 0;
    seconds[BENCH_COPY_OUT] = 0;
    if (result == cudaSuccess)
        result = flavour_phase(resident->shared, BENCH_KERNEL, resident_work, seconds);
    if (result == cudaSuccess) {
        what = "copy out";
        result = cudaMemcpy(task->windows, resident->out, flavour_window_bytes(task),
                            cudaMemcpyDeviceToHost);
    }
    return result == cudaSuccess ? 0 : flavour_fail(task, result, what, error);
}

/* ---- the plans */

static int natural_open(const struct bench_task *task, void **state, struct error *error)
{
    struct cuda_plan plan;
    cudaError_t result;

    if (engine_cuda_find(task->device, error) != 0)
        return -1;
    result = cudaSetDevice((int)task->device);
    if (result == cudaSuccess)
        result = cuda_plan_make(&plan, task->width);
    if (result != cudaSuccess)
        return flavour_fail(task, result, "set-up", error);
    return open_plan(task, &plan, state, error);
}

const struct bench_flavour flavour_window_resident = {
    .name = "cuda-resident",
    .words = "our kernels only, with the plan for this width",
    .problem = BENCH_WINDOW,
    .on_gpu = true,
    .interleaved = true,
    .cannot = flavour_cannot_choose,
    .open = natural_open,
    .run = resident_run,
    .close = resident_close,
    .exact = true,
};

static const char *plan_cannot(const struct bench_task *task, enum cuda_plan_kind kind,
                               const char *why)
{
    struct cuda_plan plan;

    if (!cuda_plan_force(&plan, kind, task->width))
        return why;
    /* If the device cannot be asked, open() will say so. */
    if (cudaSetDevice((int)task->device) == cudaSuccess && cuda_plan_fit(&plan) != cudaSuccess)
        why = "a block of this device has not enough shared memory";
    else
        why = flavour_cannot_choose(task);
    (void)cudaGetLastError();
    return why;
}

static int plan_open(const struct bench_task *task, enum cuda_plan_kind kind, void **state,
                     struct error *error)
{
    struct cuda_plan plan;
    cudaError_t result;

    if (engine_cuda_find(task->device, error) != 0)
        return -1;
    if (!cuda_plan_force(&plan, kind, task->width))
        return error_set(error, ERROR_RESOURCE, NULL, "this plan cannot do windows of this width");
    result = cudaSetDevice((int)task->device);
    if (result == cudaSuccess)
        result = cuda_plan_fit(&plan);
    if (result != cudaSuccess)
        return flavour_fail(task, result, "set-up", error);
    return open_plan(task, &plan, state, error);
}

#define PLAN(id, kind, name_of, words_of, why)                                                     \
    static const char *id##_cannot(const struct bench_task *task)                                  \
    {                                                                                              \
        return plan_cannot(task, kind, why);                                                       \
    }                                                                                              \
    static int id##_open(const struct bench_task *task, void **state, struct error *error)         \
    {                                                                                              \
        return plan_open(task, kind, state, error);                                                \
    }                                                                                              \
    const struct bench_flavour flavour_window_##id = {                                             \
        .name = (name_of),                                                                         \
        .words = (words_of),                                                                       \
        .problem = BENCH_WINDOW,                                                                   \
        .on_gpu = true,                                                                            \
        .interleaved = true,                                                                       \
        .cannot = id##_cannot,                                                                     \
        .open = id##_open,                                                                         \
        .run = resident_run,                                                                       \
        .close = resident_close,                                                                   \
        .exact = true,                                                                             \
    }

PLAN(near, CUDA_PLAN_NEAR, "cuda-near", "our kernels only, windows in registers",
     "windows of up to 17 samples only");
PLAN(vanherk_4096, CUDA_PLAN_VANHERK_4096, "cuda-herk-4096",
     "our kernels only, blocks of 4096 samples", "windows of 18 to 4065 samples only");
PLAN(vanherk_8192, CUDA_PLAN_VANHERK_8192, "cuda-herk-8192",
     "our kernels only, blocks of 8192 samples", "windows of 18 to 8161 samples only");
PLAN(far_2048, CUDA_PLAN_FAR_2048, "cuda-far-2048", "our kernels only, tiles of 2048",
     "windows of 2049 to 67584 samples only");
PLAN(far_4096, CUDA_PLAN_FAR_4096, "cuda-far-4096", "our kernels only, tiles of 4096 and a tree",
     "windows of more than 4096 samples only");
