/* Three textbook sums on one processor: one after the other in float, the same in double, and
 * pairwise in float, so that only sums of about the same size meet. */
#include "base/clock.h"
#include "bench/cpu_flavours.h"

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

/* Neighbours are added, then the neighbours among these sums, and so on, down to one. As in a
 * binary counter a level that is taken is the left neighbour of what comes next; a node without a
 * right neighbour goes up as it is. */
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

/* There is nothing to make ready: the task is all of the state. It is only read. */
static int open_task(const struct bench_task *task, void **state, struct error *error)
{
    (void)error;
    *state = (void *)(uintptr_t)task;
    return 0;
}

static void close_task(void *state)
{
    (void)state;
}

#define FLAVOUR(suffix, label, description, in_double)                                             \
    static int run_##suffix(void *state, struct bench_answer *answer,                              \
                            double seconds[BENCH_PHASES], struct error *error)                     \
    {                                                                                              \
        const struct bench_task *task = state;                                                     \
        double begin = clock_seconds();                                                            \
                                                                                                   \
        (void)error;                                                                               \
        answer->sum = add_##suffix(task->samples, task->count);                                    \
        seconds[BENCH_KERNEL] = clock_seconds() - begin;                                           \
        return 0;                                                                                  \
    }                                                                                              \
    const struct bench_flavour bench_sum_##suffix = {                                              \
        .name = (label),                                                                           \
        .words = (description),                                                                    \
        .problem = BENCH_SUM,                                                                      \
        .open = open_task,                                                                         \
        .run = run_##suffix,                                                                       \
        .close = close_task,                                                                       \
        .exact = (in_double),                                                                      \
    };

FLAVOUR(float, "float", "one after the other, in float", false)
FLAVOUR(double, "double", "one after the other, in double", true)
FLAVOUR(pairwise, "pairwise", "by pairs, in float", false)
