/* Reductions of all samples to one result on the CPU: std::max_element, as in the published
 * comparison of ways to find the largest magnitude; three textbook sums; and ours, the statistics
 * of `gpuenv --stats` for one channel, which always computes all statistics at once. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bench/cpu/max_std.h"
#include "bench/flavour.h"
#include "stats/channel.h"

/* One of the two; if neither is set, our statistics. */
struct method {
    size_t (*place)(const struct bench_task *task); /* of the largest magnitude */
    double (*add)(const struct bench_task *task);
};

struct reduction {
    const struct method *method;
    const struct bench_task *task;
    struct channel_samples of;
    struct channel_stats channel;
};

/* ---- textbook sums ---- */

static double add_float(const struct bench_task *task)
{
    const float *samples = task->samples;
    float sum = 0;

    for (size_t i = 0; i < task->count; i++)
        sum += samples[i];
    return (double)sum;
}

static double add_double(const struct bench_task *task)
{
    const float *samples = task->samples;
    const double *doubles = task->samples;
    double sum = 0;

    if (task->kind == VALUE_F64) {
        for (size_t i = 0; i < task->count; i++)
            sum += doubles[i];
    } else {
        for (size_t i = 0; i < task->count; i++)
            sum += (double)samples[i];
    }
    return sum;
}

/* Adds neighbours, then neighbours among these sums, and so on, down to one. It works like a binary
 * counter: an occupied level holds the left neighbour of what comes next; a node without a right
 * neighbour moves up unchanged. */
static double add_pairwise(const struct bench_task *task)
{
    const float *samples = task->samples;
    float level[64] = {0};
    float total = 0;

    for (size_t i = 0; i < task->count; i++) {
        float sum = samples[i];
        unsigned at = 0;

        for (size_t taken = i; (taken & 1) != 0; taken >>= 1)
            sum = level[at++] + sum;
        level[at] = sum;
    }
    for (unsigned at = 0; at < 64; at++) {
        if ((task->count >> at & 1) != 0)
            total = level[at] + total;
    }
    return (double)total;
}

/* ---- one reduction ---- */

static int open_reduction(const struct bench_flavour *flavour, const struct bench_task *task,
                          void **state, struct error *error)
{
    struct reduction *reduction = calloc(1, sizeof *reduction);

    if (reduction == NULL)
        return error_system(error, ERROR_RESOURCE, flavour->name, ENOMEM);
    reduction->method = flavour->method;
    reduction->task = task;
    reduction->of = (struct channel_samples){
        .kernels = cpu_kernels_pick(NULL, task->kind),
        .sums = cpu_kernels_pick(NULL, task->kind),
        .numbers = task->kind,
    };
    *state = reduction;
    return 0;
}

static int run(void *state, struct bench_answer *answer, struct error *error)
{
    struct reduction *reduction = state;
    const struct method *method = reduction->method;
    const struct bench_task *task = reduction->task;
    struct stats_values values;

    (void)error;
    if (method->place != NULL) {
        answer->index = method->place(task);
        answer->magnitude = fabs(bench_value(task->kind, task->samples, answer->index));
    } else if (method->add != NULL) {
        answer->sum = method->add(task);
    } else {
        channel_init(&reduction->channel);
        channel_add(&reduction->channel, &reduction->of, task->samples, task->count);
        values = channel_values(&reduction->channel);
        bench_take(answer, task->kind, &values);
    }
    return 0;
}

/* std::max_element needs a C++ compiler and libtbb when gpuenv-bench is built; without these it is
 * listed as not available. */
#ifdef GPUENV_BENCH_TBB

#define IF_BUILT(function) (function)
#define cannot_std NULL

#else

#define IF_BUILT(function) NULL

static const char *cannot_std(const struct bench_flavour *flavour, const struct bench_task *task)
{
    (void)flavour;
    (void)task;
    return "left out of this build: needs a C++ compiler and libtbb-dev";
}

#endif

#define METHOD(...)                                                                                \
    &(const struct method)                                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define FLAVOUR(of, label, description, how, is_exact, any_type, obstacle)                         \
    {                                                                                              \
        .name = (label), .words = (description), .problem = (of), .exact = (is_exact),             \
        .takes_f64 = (any_type), .method = (how), .cannot = (obstacle), .open = open_reduction,    \
        .run = run, .close = free                                                                  \
    }
#define STD(label, policy, how)                                                                    \
    FLAVOUR(BENCH_MAX, label, "std::max_element, std::execution::" policy, how, false, true,       \
            cannot_std)
#define OURS(of)                                                                                   \
    FLAVOUR(of, "cpu", "gpuenv --stats: all statistics at once, one thread",                       \
            METHOD(.place = NULL), true, true, NULL)

const struct bench_flavour bench_cpu_reduce[] = {
    STD("std-seq", "seq", METHOD(.place = IF_BUILT(max_std_seq))),
    STD("std-par", "par, on libtbb", METHOD(.place = IF_BUILT(max_std_par))),
    STD("std-par-unseq", "par_unseq, on libtbb", METHOD(.place = IF_BUILT(max_std_par_unseq))),
    OURS(BENCH_MAX),
    FLAVOUR(BENCH_SUM, "float", "one after the other, in float", METHOD(.add = add_float), false,
            false, NULL),
    FLAVOUR(BENCH_SUM, "double", "one after the other, in double", METHOD(.add = add_double), true,
            true, NULL),
    FLAVOUR(BENCH_SUM, "pairwise", "by pairs, in float", METHOD(.add = add_pairwise), false, false,
            NULL),
    OURS(BENCH_SUM),
    {.name = NULL},
};
