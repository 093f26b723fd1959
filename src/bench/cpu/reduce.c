/* Reductions of all samples to one result on the CPU: std::max_element, as in the published
 * comparison of ways to find the largest magnitude; three textbook sums; and ours, the statistics
 * of `gpuenv --stats` for one channel, which always computes all statistics at once. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bench/cpu/max_std.h"
#include "bench/flavour.h"
#include "stats/channel.h"
#include "window/rules.h"

/* One of the two; if neither is set, our statistics. */
struct method {
    size_t (*place)(const float *samples, size_t count); /* of the largest magnitude */
    double (*add)(const float *samples, size_t count);
};

struct reduction {
    const struct method *method;
    const struct bench_task *task;
    const struct cpu_kernels *kernels;
    struct channel_stats channel;
};

/* ---- textbook sums ---- */

static double add_float(const float *samples, size_t count)
{
    float sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    return (double)sum;
}

static double add_double(const float *samples, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)samples[i];
    return sum;
}

/* Adds neighbours, then neighbours among these sums, and so on, down to one. It works like a binary
 * counter: an occupied level holds the left neighbour of what comes next; a node without a right
 * neighbour moves up unchanged. */
static double add_pairwise(const float *samples, size_t count)
{
    float level[64] = {0};
    float total = 0;

    for (size_t i = 0; i < count; i++) {
        float sum = samples[i];
        unsigned at = 0;

        for (size_t taken = i; (taken & 1) != 0; taken >>= 1)
            sum = level[at++] + sum;
        level[at] = sum;
    }
    for (unsigned at = 0; at < 64; at++) {
        if ((count >> at & 1) != 0)
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
    reduction->kernels = cpu_kernels_pick(NULL, VALUE_F32);
    *state = reduction;
    return 0;
}

static int run(void *state, struct bench_answer *answer, struct error *error)
{
    struct reduction *reduction = state;
    const struct method *method = reduction->method;
    const float *samples = reduction->task->samples;
    size_t count = reduction->task->count;

    (void)error;
    if (method->place != NULL) {
        answer->index = method->place(samples, count);
        answer->magnitude = fabsf(samples[answer->index]);
    } else if (method->add != NULL) {
        answer->sum = method->add(samples, count);
    } else {
        channel_init(&reduction->channel);
        channel_add(&reduction->channel, reduction->kernels, samples, count);
        answer->magnitude = rules_float((uint32_t)reduction->channel.magnitude);
        answer->index = reduction->channel.magnitude_at;
        answer->sum = tree_total(&reduction->channel.tree).sum;
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

static const struct method std_seq = {.place = IF_BUILT(max_std_seq)};
static const struct method std_par = {.place = IF_BUILT(max_std_par)};
static const struct method std_par_unseq = {.place = IF_BUILT(max_std_par_unseq)};
static const struct method in_float = {.add = add_float};
static const struct method in_double = {.add = add_double};
static const struct method pairwise = {.add = add_pairwise};
static const struct method ours = {NULL, NULL};

#define FLAVOUR(of, label, description, how, is_exact, obstacle)                                   \
    {                                                                                              \
        .name = (label), .words = (description), .problem = (of), .exact = (is_exact),             \
        .method = (how), .cannot = (obstacle), .open = open_reduction, .run = run, .close = free   \
    }

const struct bench_flavour bench_cpu_reduce[] = {
    FLAVOUR(BENCH_MAX, "std-seq", "std::max_element, std::execution::seq", &std_seq, false,
            cannot_std),
    FLAVOUR(BENCH_MAX, "std-par", "std::max_element, std::execution::par, on libtbb", &std_par,
            false, cannot_std),
    FLAVOUR(BENCH_MAX, "std-par-unseq", "std::max_element, std::execution::par_unseq, on libtbb",
            &std_par_unseq, false, cannot_std),
    FLAVOUR(BENCH_MAX, "cpu", "gpuenv --stats: all statistics at once, one thread", &ours, true,
            NULL),
    FLAVOUR(BENCH_SUM, "float", "one after the other, in float", &in_float, false, NULL),
    FLAVOUR(BENCH_SUM, "double", "one after the other, in double", &in_double, true, NULL),
    FLAVOUR(BENCH_SUM, "pairwise", "by pairs, in float", &pairwise, false, NULL),
    FLAVOUR(BENCH_SUM, "cpu", "gpuenv --stats: all statistics at once, one thread", &ours, true,
            NULL),
    {.name = NULL},
};
