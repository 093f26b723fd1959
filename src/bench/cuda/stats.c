/* Ours: the kernel of cuda/stats_kernel.h over the samples as one part, in one launch. It always
 * computes all statistics at once. The sum is that of the summation tree (src/stats/tree.h), in
 * double. */
#include "bench/cuda/flavour_state.h"
#include "cuda/stats_kernel.h"

static int reduce_open(const struct bench_flavour *flavour, const struct bench_task *task,
                       void **state, struct error *error)
{
    const struct flavour_needs needs = {
        .road = FLAVOUR_COPIED,
        .results = sizeof(struct stats_values),
        .spare = (size_t)cuda_stats_array_bytes(task->kind, task->count),
    };
    const struct flavour_state *opened;
    cudaError_t result;

    if (flavour_open(flavour, task, &needs, state, error) != 0)
        return -1;
    opened = *state;
    result = cudaMemset(opened->spare, 0, needs.spare); /* only once: each run leaves it zeroed */
    if (result == cudaSuccess)
        return 0;
    flavour_close(*state);
    return flavour_fail(task, result, "set-up", error);
}

static cudaError_t reduce_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;

    return cuda_stats_array(task->kind, state->in, task->count, state->spare, state->out, NULL);
}

static int reduce_run(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = opaque;

    if (flavour_run(state, reduce_work, answer, error) != 0)
        return -1;
    bench_take(answer, state->task->kind, state->results);
    return 0;
}

#define STATS(of, label)                                                                           \
    {                                                                                              \
        .name = "cuda", .words = (label), .problem = (of), .on_gpu = true, .takes_f64 = true,      \
        .exact = (of) == BENCH_SUM, .cannot = flavour_cannot_choose, .open = reduce_open,          \
        .run = reduce_run, .close = flavour_close                                                  \
    }

const struct bench_flavour flavours_stats[] = {
    STATS(BENCH_MAX, "our reduction: all statistics, one launch"),
    STATS(BENCH_SUM, "our reduction: all statistics, one launch; the sum in double"),
    {.name = NULL},
};
