/* Ours: the kernel of cuda/stats_kernel.h over the samples as one part, in one launch. It computes
 * all statistics at once, even where one is asked for. The sum is that of the summation tree
 * (src/stats/tree.h), in double. */
#include <string.h>

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"
#include "cuda/stats_kernel.h"
#include "window/rules.h"

static int reduce_open(const struct bench_task *task, void **state, struct error *error)
{
    const struct flavour_needs needs = {
        .road = FLAVOUR_COPIED,
        .results = sizeof(struct stats_values),
        .spare = (size_t)cuda_stats_array_bytes(task->count),
    };
    struct flavour_state *made = NULL;
    cudaError_t result;

    if (flavour_open(task, &needs, &made, error) != 0)
        return -1;
    result = cudaMemset(made->spare, 0, needs.spare); /* once: each run leaves it so */
    if (result != cudaSuccess) {
        flavour_close(made);
        return flavour_fail(task, result, "set-up", error);
    }
    *state = made;
    return 0;
}

static cudaError_t reduce_work(struct flavour_state *state)
{
    return cuda_stats_array(state->in, state->task->count, state->spare, state->out, NULL);
}

static int reduce_run(void *opaque, struct bench_answer *answer, double seconds[BENCH_PHASES],
                      struct error *error)
{
    struct flavour_state *state = opaque;
    struct stats_values values;

    if (flavour_run(state, reduce_work, seconds, error) != 0)
        return -1;
    memcpy(&values, state->results, sizeof values);
    answer->magnitude = rules_float(values.magnitude);
    answer->index = values.magnitude_at;
    answer->sum = values.sum;
    return 0;
}

const struct bench_flavour flavour_max_cuda = {
    .name = "cuda",
    .words = "our reduction: all statistics, one launch",
    .problem = BENCH_MAX,
    .on_gpu = true,
    .cannot = flavour_cannot_choose,
    .open = reduce_open,
    .run = reduce_run,
    .close = flavour_close,
};

const struct bench_flavour flavour_sum_cuda = {
    .name = "cuda",
    .words = "our reduction: all statistics, one launch; the sum in double",
    .problem = BENCH_SUM,
    .on_gpu = true,
    .cannot = flavour_cannot_choose,
    .open = reduce_open,
    .run = reduce_run,
    .close = flavour_close,
    .exact = true,
};
