/* Ours: the kernel of cuda/stats_kernel.h over the samples as one part, in one launch. It always
 * computes all statistics at once. The sum is that of the summation tree (src/core/cpu/tree.h),
 * in double. */
#include <stdlib.h>

#include "bench/cuda/flavour_state.h"
#include "cuda/stats_kernel.h"

struct reduction {
    struct cuda_parts_plan plan;
    struct cuda_stats_memory memory;
    unsigned leaves; /* of a share */
};

static struct reduction reduction_of(const struct bench_task *task)
{
    const uint64_t leaves = (task->count + TREE_LEAF - 1) / TREE_LEAF;
    const unsigned of_share = cuda_share_leaves(leaves);

    return (struct reduction){
        .plan = {.value = task->kind,
                 .channels = 1,
                 .parts = 1,
                 .shares = (leaves + of_share - 1) / of_share},
        .leaves = of_share,
    };
}

/* The results go to the flavour's. */
static cudaError_t lay_memory(const struct flavour_state *state, struct reduction *reduction)
{
    const uint64_t shares = reduction->plan.shares;
    struct cuda_share *cut = malloc(shares * sizeof *cut);
    cudaError_t result = cut == NULL ? cudaErrorMemoryAllocation
                                     : cuda_stats_memory_lay(&reduction->memory, &reduction->plan,
                                                             state->spare, NULL);

    if (result == cudaSuccess) {
        (void)cuda_shares_cut(cut, reduction->leaves, 0, 0, state->task->count);
        result =
            cudaMemcpy(reduction->memory.shares, cut, shares * sizeof *cut, cudaMemcpyHostToDevice);
    }
    reduction->memory.values = state->out;
    free(cut);
    return result;
}

static int reduce_open(const struct bench_flavour *flavour, const struct bench_task *task,
                       void **state, struct error *error)
{
    struct reduction reduction = reduction_of(task);
    const struct flavour_needs needs = {
        .road = FLAVOUR_COPIED,
        .results = sizeof(struct stats_values),
        .spare = (size_t)cuda_stats_memory_bytes(&reduction.plan),
        .own = sizeof reduction,
    };
    const struct flavour_state *opened;
    cudaError_t result;

    if (flavour_open(flavour, task, &needs, state, error) != 0)
        return -1;
    opened = *state;
    result = lay_memory(opened, &reduction);
    *(struct reduction *)opened->own = reduction;
    if (result == cudaSuccess)
        return 0;
    flavour_close(*state);
    return flavour_fail(task, result, "set-up", error);
}

static cudaError_t reduce_work(struct flavour_state *state)
{
    static const struct full_scale unknown = {.known = false};
    const struct bench_task *task = state->task;
    const struct reduction *reduction = state->own;
    const struct cuda_rings rings = {
        .samples = state->in, .value = task->kind, .capacity = task->count, .channels = 1};

    return cuda_stats_run(&rings, &reduction->memory, unknown, reduction->plan.shares,
                          reduction->leaves, NULL);
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
