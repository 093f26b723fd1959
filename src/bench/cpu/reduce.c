/* Reductions of all samples to one result on the CPU: std::max_element, as in the published
 * comparison of ways to find the largest magnitude; three textbook sums; and ours, the statistics
 * of `gpuenv --stats` for one channel, which always computes all statistics at once. */
#include <math.h>

#include "bench/cpu/max_std.h"
#include "bench/flavour.h"
#include "cpu/channel.h"

/* ---- textbook sums ---- */

static int add_float(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    const float *samples = task->samples;
    float sum = 0;

    for (size_t i = 0; i < task->count; i++)
        sum += samples[i];
    (void)error;
    answer->sum = (double)sum;
    return 0;
}

static int add_double(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
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
    (void)error;
    answer->sum = sum;
    return 0;
}

/* Adds neighbours, then neighbours among these sums, and so on, down to one. It works like a binary
 * counter: an occupied level holds the left neighbour of what comes next; a node without a right
 * neighbour moves up unchanged. */
static int add_pairwise(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
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
    (void)error;
    answer->sum = (double)total;
    return 0;
}

/* ---- ours ---- */

static int reduce(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    const struct channel_samples of = {
        .kernels = cpu_kernels_pick(NULL, task->kind),
        .sums = cpu_kernels_pick(NULL, task->kind),
        .numbers = task->kind,
    };
    struct channel_stats channel;
    struct stats_values values;

    (void)error;
    channel_init(&channel);
    channel_add(&channel, &of, task->samples, task->count);
    values = channel_values(&channel);
    bench_take(answer, task->kind, &values);
    return 0;
}

/* ---- std::max_element needs a C++ compiler and libtbb when gpuenv-bench is built; without these
 * it is listed as not available ---- */

#ifdef GPUENV_BENCH_TBB

#define cannot_std NULL
#define STD_RUN(policy)                                                                            \
    static int run_##policy(void *state, struct bench_answer *answer, struct error *error)         \
    {                                                                                              \
        const struct bench_task *task = state;                                                     \
                                                                                                   \
        (void)error;                                                                               \
        answer->index = max_std_##policy(task);                                                    \
        answer->magnitude = fabs(bench_value(task->kind, task->samples, answer->index));           \
        return 0;                                                                                  \
    }
STD_RUN(seq)
STD_RUN(par)
STD_RUN(par_unseq)

#else

#define run_seq NULL
#define run_par NULL
#define run_par_unseq NULL

static const char *cannot_std(const struct bench_flavour *flavour, const struct bench_task *task)
{
    (void)flavour;
    (void)task;
    return "left out of this build: needs a C++ compiler and libtbb-dev";
}

#endif

#define FLAVOUR(of, label, description, how, ...)                                                  \
    {                                                                                              \
        .name = (label), .words = (description), .problem = (of), .run = (how), __VA_ARGS__        \
    }
#define STD(label, policy, how)                                                                    \
    FLAVOUR(BENCH_MAX, label, "std::max_element, std::execution::" policy, how, .takes_f64 = true, \
            .cannot = cannot_std)
#define OURS(of)                                                                                   \
    FLAVOUR(of, "cpu", "gpuenv --stats: all statistics at once, one thread", reduce,               \
            .exact = true, .takes_f64 = true)

const struct bench_flavour bench_cpu_reduce[] = {
    STD("std-seq", "seq", run_seq),
    STD("std-par", "par, on libtbb", run_par),
    STD("std-par-unseq", "par_unseq, on libtbb", run_par_unseq),
    OURS(BENCH_MAX),
    FLAVOUR(BENCH_SUM, "float", "one after the other, in float", add_float, .exact = false),
    FLAVOUR(BENCH_SUM, "double", "one after the other, in double", add_double, .exact = true,
            .takes_f64 = true),
    FLAVOUR(BENCH_SUM, "pairwise", "by pairs, in float", add_pairwise, .exact = false),
    OURS(BENCH_SUM),
    {.name = NULL},
};
