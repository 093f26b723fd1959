/* Ours, only the kernels: the samples are in the rings of cuda/cuda_window.h before the run, and
 * the windows stay on the device until the clock has stopped, so there are no copies. The time of
 * far plans includes the leaves. One flavour for the plan that the engine would choose, and one for
 * each plan. */
#include <errno.h>
#include <stdlib.h>

#include "bench/cuda/flavour_state.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"

enum { SPARE_OUT = 16, ALIGNMENT = 256 }; /* bytes */

/* A plan by name, and what it cannot do. */
struct resident_method {
    enum cuda_plan_kind kind;
    const char *limits; /* for float32 */
};

struct resident {
    struct flavour_state *shared;
    struct cuda_plan plan;
};

/* The windows come first in the spare memory, followed by the memory of far plans. */
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

/* The flavour's plan, or the one for the width. */
static int choose_plan(const struct bench_flavour *flavour, const struct bench_task *task,
                       struct cuda_plan *plan, struct error *error)
{
    const struct resident_method *method = flavour->method;
    cudaError_t result;

    if (engine_cuda_find(task->device, error) != 0)
        return -1;
    if (method != NULL)
        (void)cuda_plan_force(plan, method->kind, task->kind, task->width); /* it can */
    result = cudaSetDevice((int)task->device);
    if (result == cudaSuccess)
        result =
            method != NULL ? cuda_plan_fit(plan) : cuda_plan_make(plan, task->kind, task->width);
    return result == cudaSuccess ? 0 : flavour_fail(task, result, "set-up", error);
}

static int open_rings(const struct bench_flavour *flavour, const struct bench_task *task,
                      struct resident *resident, struct error *error)
{
    const struct cuda_plan *plan = &resident->plan;
    const struct flavour_needs needs = {
        .road = FLAVOUR_COPIED,
        .windows = true,
        .in = (size_t)cuda_rings_bytes(plan, 1, cuda_rings_capacity(plan, task->count)),
        .spare = windows_room(task),
    };
    void *shared = NULL;
    cudaError_t result;

    if (flavour_open(flavour, task, &needs, &shared, error) != 0)
        return -1;
    resident->shared = shared;
    resident->shared->own = resident;
    result = cudaMemcpy(resident->shared->in, task->samples, task->count * value_bytes(task->kind),
                        cudaMemcpyHostToDevice);
    return result == cudaSuccess ? 0 : flavour_fail(task, result, "set-up", error);
}

static int resident_open(const struct bench_flavour *flavour, const struct bench_task *task,
                         void **state, struct error *error)
{
    struct resident *resident = calloc(1, sizeof *resident);

    if (resident == NULL)
        return error_system(error, ERROR_RESOURCE, "a flavour", ENOMEM);
    if (choose_plan(flavour, task, &resident->plan, error) != 0 ||
        open_rings(flavour, task, resident, error) != 0) {
        resident_close(resident);
        return -1;
    }
    *state = resident;
    return 0;
}

static struct cuda_task task_of(const struct flavour_state *state)
{
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

    all.out = (unsigned char *)state->spare + cuda_task_shift(&all, task->kind, 1);
    return all;
}

static cudaError_t resident_work(struct flavour_state *state)
{
    const struct resident *resident = state->own;
    const struct cuda_task task = task_of(state);
    struct cuda_rings rings;

    /* The samples stay where they are: only the leaves are made again. */
    cuda_rings_lay(&rings, &resident->plan, 1, cuda_rings_capacity(&resident->plan, task.count), 0,
                   state->in);
    return cuda_window_run(&resident->plan, &rings, &task, NULL);
}

static int resident_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct resident *resident = state;
    const struct bench_task *task = resident->shared->task;
    cudaError_t result = cudaSetDevice((int)task->device);
    const char *what = "kernel";

    THEN(result, flavour_phase(resident->shared, BENCH_KERNEL, resident_work, answer));
    if (result == cudaSuccess) {
        what = "copy out";
        result = cudaMemcpy(task->windows, task_of(resident->shared).out,
                            flavour_window_bytes(task), cudaMemcpyDeviceToHost);
    }
    return result == cudaSuccess ? 0 : flavour_fail(task, result, what, error);
}

static const char *resident_cannot(const struct bench_flavour *flavour,
                                   const struct bench_task *task)
{
    const struct resident_method *method = flavour->method;
    const char *why = NULL;
    struct cuda_plan plan;

    if (method == NULL)
        return flavour_cannot_choose(flavour, task);
    if (!cuda_plan_force(&plan, method->kind, task->kind, task->width))
        return task->kind == VALUE_F32 ? method->limits : "not windows of this width in float64";
    /* If the query fails, open() reports the reason. */
    if (cudaSetDevice((int)task->device) == cudaSuccess && cuda_plan_fit(&plan) != cudaSuccess)
        why = "a block of this device has not enough shared memory";
    else
        why = flavour_cannot_choose(flavour, task);
    (void)cudaGetLastError();
    return why;
}

#define PLAN(which, only)                                                                          \
    &(const struct resident_method)                                                                \
    {                                                                                              \
        CUDA_PLAN_##which, only                                                                    \
    }
#define RESIDENT(label, description, how)                                                          \
    {                                                                                              \
        .name = (label), .words = (description), .problem = BENCH_WINDOW, .on_gpu = true,          \
        .takes_f64 = true, .interleaved = true, .exact = true, .method = (how),                    \
        .cannot = resident_cannot, .open = resident_open, .run = resident_run,                     \
        .close = resident_close                                                                    \
    }

const struct bench_flavour flavours_window_resident[] = {
    RESIDENT("cuda-resident", "our kernels only, with the plan for this width", NULL),
    RESIDENT("cuda-near", "our kernels only, windows in registers",
             PLAN(NEAR, "windows of up to 17 samples only")),
    RESIDENT("cuda-herk-4096", "our kernels only, blocks of 4096 samples",
             PLAN(VANHERK_4096, "windows of 18 to 4065 samples only")),
    RESIDENT("cuda-herk-8192", "our kernels only, blocks of 8192 samples",
             PLAN(VANHERK_8192, "windows of 18 to 8161 samples only")),
    RESIDENT("cuda-far-1024", "our kernels only, tiles of 512 float64",
             PLAN(FAR_1024, "float64 only")),
    RESIDENT("cuda-far-2048", "our kernels only, tiles of 2048",
             PLAN(FAR_2048, "windows of 2049 to 67584 samples only")),
    RESIDENT("cuda-far-4096", "our kernels only, tiles of 4096",
             PLAN(FAR_4096, "windows of more than 4096 samples only")),
    {.name = NULL},
};
