/* The algorithm of van Herk (1992) and of Gil and Werman (1993), one sample after the other. The
 * samples are divided into blocks of one window's width; then every window is a suffix of one block
 * and a prefix of the next. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pages.h"
#include "bench/flavour.h"

struct filter {
    const struct bench_task *task;
    float *low; /* of the samples of a block, from each to the block's end */
    float *high;
};

static float lesser(float a, float b)
{
    return b < a ? b : a;
}

static float greater(float a, float b)
{
    return b > a ? b : a;
}

static void close_filter(void *state)
{
    struct filter *filter = state;
    size_t size = (size_t)filter->task->width * sizeof(float);

    pages_free(filter->low, size);
    pages_free(filter->high, size);
    free(filter);
}

static int open_filter(const struct bench_task *task, void **state, struct error *error)
{
    struct filter *filter = calloc(1, sizeof *filter);
    size_t size = (size_t)task->width * sizeof(float);

    if (filter == NULL)
        return error_system(error, ERROR_RESOURCE, "vanherk", ENOMEM);
    filter->task = task;
    filter->low = pages_alloc(size);
    filter->high = pages_alloc(size);
    if (filter->low == NULL || filter->high == NULL) {
        close_filter(filter);
        return error_system(error, ERROR_RESOURCE, "vanherk", ENOMEM);
    }
    *state = filter;
    return 0;
}

static void find_ends(const struct filter *filter, const float *block, size_t width)
{
    float low = block[width - 1];
    float high = low;

    for (size_t i = width; i-- > 0;) {
        low = lesser(low, block[i]);
        high = greater(high, block[i]);
        filter->low[i] = low;
        filter->high[i] = high;
    }
}

/* The windows that begin in the block; the first is the block itself. */
static void slide(const struct filter *filter, const float *block, size_t width, size_t windows,
                  float *low_out, float *high_out)
{
    const float *next = block + width;
    float low = 0;
    float high = 0;

    low_out[0] = filter->low[0];
    high_out[0] = filter->high[0];
    if (windows > 1) {
        low = next[0];
        high = next[0];
    }
    for (size_t i = 1; i < windows; i++) {
        low = lesser(low, next[i - 1]);
        high = greater(high, next[i - 1]);
        low_out[i] = lesser(filter->low[i], low);
        high_out[i] = greater(filter->high[i], high);
    }
}

static int run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
               struct error *error)
{
    const struct filter *filter = state;
    const struct bench_task *task = filter->task;
    size_t width = (size_t)task->width;
    size_t windows = task->count - (width - 1);
    double begin = clock_seconds();

    (void)answer;
    (void)error;
    for (size_t at = 0; at < windows;) {
        size_t count = windows - at < width ? windows - at : width;

        find_ends(filter, task->samples + at, width);
        slide(filter, task->samples + at, width, count, task->windows + at,
              task->windows + windows + at);
        at += count;
    }
    seconds[BENCH_KERNEL] = clock_seconds() - begin;
    return 0;
}

const struct bench_flavour bench_window_vanherk = {
    .name = "vanherk",
    .words = "van Herk, Gil and Werman: two passes over blocks of a width, scalar",
    .problem = BENCH_WINDOW,
    .open = open_filter,
    .run = run,
    .close = close_filter,
};
