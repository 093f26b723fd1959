/* Lemire's sequential filter, window/lemire, over whole arrays: the usual baseline of published
 * comparisons. Careful C, with integer keys for the order of samples; `gpuenv --algorithm lemire`
 * runs the same code. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/flavour.h"
#include "window/lemire.h"

enum { BLOCK = 4096 };

struct filter {
    const struct bench_task *task;
    float low[BLOCK]; /* of the first windows, which are not whole */
    float high[BLOCK];
};

static int open_filter(const struct bench_task *task, void **state, struct error *error)
{
    struct filter *filter = calloc(1, sizeof *filter);

    if (filter == NULL)
        return error_system(error, ERROR_RESOURCE, "lemire", ENOMEM);
    filter->task = task;
    *state = filter;
    return 0;
}

static int run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
               struct error *error)
{
    struct filter *filter = state;
    const struct bench_task *task = filter->task;
    size_t early = (size_t)task->width - 1;
    size_t windows = task->count - early;
    double begin = clock_seconds();
    /* A filter is for one stream, so its memory is a part of each run. */
    struct lemire *lemire = lemire_open(task->width, NAN_PROPAGATE);

    (void)answer;
    if (lemire == NULL)
        return error_system(error, ERROR_RESOURCE, "lemire", errno);
    for (size_t at = 0; at < early;) {
        size_t count = early - at < BLOCK ? early - at : BLOCK;

        lemire_feed(lemire, task->samples + at, count, filter->low, filter->high);
        at += count;
    }
    lemire_feed(lemire, task->samples + early, windows, task->windows, task->windows + windows);
    lemire_close(lemire);
    seconds[BENCH_KERNEL] = clock_seconds() - begin;
    return 0;
}

const struct bench_flavour bench_window_lemire = {
    .name = "lemire",
    .words = "Lemire's sequential filter (2006), the reference",
    .problem = BENCH_WINDOW,
    .open = open_filter,
    .run = run,
    .close = free,
    .exact = true,
};
