/* The statistics of `gpuenv --stats` for one channel, stats/channel: both extremes, the magnitude,
 * their places, the sum and the sum of squares, all at once, in one thread. A flavour that wants
 * only one of them still pays for all. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/cpu_flavours.h"
#include "stats/channel.h"
#include "window/rules.h"

struct scan {
    const struct bench_task *task;
    const struct cpu_kernels *kernels;
    struct channel_stats channel;
};

static int open_scan(const struct bench_task *task, void **state, struct error *error)
{
    struct scan *scan = calloc(1, sizeof *scan);

    if (scan == NULL)
        return error_system(error, ERROR_RESOURCE, "statistics", ENOMEM);
    scan->task = task;
    scan->kernels = cpu_kernels_pick(NULL);
    *state = scan;
    return 0;
}

static int run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
               struct error *error)
{
    struct scan *scan = state;
    double begin = clock_seconds();

    (void)error;
    channel_init(&scan->channel);
    channel_add(&scan->channel, scan->kernels, scan->task->samples, scan->task->count);
    answer->magnitude = rules_float(scan->channel.magnitude);
    answer->index = scan->channel.magnitude_at;
    answer->sum = tree_total(&scan->channel.tree).sum;
    seconds[BENCH_KERNEL] = clock_seconds() - begin;
    return 0;
}

const struct bench_flavour bench_max_cpu = {
    .name = "cpu",
    .words = "gpuenv --stats: all statistics at once, one thread",
    .problem = BENCH_MAX,
    .open = open_scan,
    .run = run,
    .close = free,
    .exact = true,
};

const struct bench_flavour bench_sum_cpu = {
    .name = "cpu",
    .words = "gpuenv --stats: all statistics at once, one thread",
    .problem = BENCH_SUM,
    .open = open_scan,
    .run = run,
    .close = free,
    .exact = true,
};
