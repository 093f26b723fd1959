/* The CPU side of the published comparison of ways to find the largest magnitude and its index:
 * std::max_element under three execution policies. They need a C++ compiler and libtbb when
 * gpuenv-bench is built; without these they are in the list, and say so. */
#include "bench/max_std.h"

#include <math.h>

#include "base/clock.h"
#include "bench/cpu_flavours.h"

#ifdef GPUENV_BENCH_TBB

static const char *cannot(const struct bench_task *task)
{
    (void)task;
    return NULL;
}

#else

static const char *cannot(const struct bench_task *task)
{
    (void)task;
    return "left out of this build: needs a C++ compiler and libtbb-dev";
}

#define max_std_seq absent
#define max_std_par absent
#define max_std_par_unseq absent

static size_t absent(const float *samples, size_t count)
{
    (void)samples;
    return count - 1;
}

#endif

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

static void find(const struct bench_task *task, size_t (*place)(const float *, size_t),
                 struct bench_answer *answer, double seconds[BENCH_PHASES])
{
    double begin = clock_seconds();
    size_t index = place(task->samples, task->count);

    answer->magnitude = fabsf(task->samples[index]);
    answer->index = index;
    seconds[BENCH_KERNEL] = clock_seconds() - begin;
}

#define FLAVOUR(suffix, label, description)                                                        \
    static int run_##suffix(void *state, struct bench_answer *answer,                              \
                            double seconds[BENCH_PHASES], struct error *error)                     \
    {                                                                                              \
        (void)error;                                                                               \
        find(state, max_##suffix, answer, seconds);                                                \
        return 0;                                                                                  \
    }                                                                                              \
    const struct bench_flavour bench_max_##suffix = {                                              \
        .name = (label),                                                                           \
        .words = (description),                                                                    \
        .problem = BENCH_MAX,                                                                      \
        .cannot = cannot,                                                                          \
        .open = open_task,                                                                         \
        .run = run_##suffix,                                                                       \
        .close = close_task,                                                                       \
    };

FLAVOUR(std_seq, "std-seq", "std::max_element, std::execution::seq")
FLAVOUR(std_par, "std-par", "std::max_element, std::execution::par, on libtbb")
FLAVOUR(std_par_unseq, "std-par-unseq", "std::max_element, std::execution::par_unseq, on libtbb")
