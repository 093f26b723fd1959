/* SPDX-License-Identifier: MIT */
/* The running minimum and maximum on the CPU: Lemire's sequential filter, the usual baseline of
 * published comparisons, and the algorithm of van Herk, Gil and Werman. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bench/flavour.h"
#include "bench/reference.h"

/* ---- Lemire (2006), window/lemire, over whole arrays. Careful C, with integer keys for the order
 * of samples; `gpuenv --algorithm lemire` runs this code, too. A filter serves one stream, so
 * allocating it is part of each run. ---- */

static int lemire_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;

    (void)answer;
    return reference_windows(task, task->windows,
                             bench_place(task->kind, task->windows, bench_windows(task)), error);
}

/* ---- van Herk (1992), Gil and Werman (1993), one sample at a time. The samples are divided into
 * blocks of one window's width; every window is then a suffix of one block and a prefix of the
 * next. ---- */

struct vanherk {
    const struct bench_task *task;
    /* Extremes from each sample of a block to the block's end, in memory behind this struct. */
    void *low;
    void *high;
};

#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))
#define vanherk_value float
#define VANHERK(name) name##_f32
#include "bench/cpu/vanherk_tmpl.h"
#define vanherk_value double
#define VANHERK(name) name##_f64
#include "bench/cpu/vanherk_tmpl.h"

static int vanherk_open(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    const size_t width = (size_t)task->width;
    struct vanherk *filter = calloc(1, sizeof *filter + 2 * width * value_bytes(task->kind));

    if (filter == NULL)
        return error_system(error, ERROR_RESOURCE, flavour->name, ENOMEM);
    filter->task = task;
    filter->low = filter + 1;
    filter->high = bench_place(task->kind, filter->low, width);
    *state = filter;
    return 0;
}

static int vanherk_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct vanherk *filter = state;

    (void)answer;
    (void)error;
    (filter->task->kind == VALUE_F32 ? run_f32 : run_f64)(filter);
    return 0;
}

#define WINDOW(label, description, ...)                                                            \
    {                                                                                              \
        .name = (label), .words = (description), .problem = BENCH_WINDOW, .takes_f64 = true,       \
        __VA_ARGS__                                                                                \
    }

const struct bench_flavour bench_cpu_window[] = {
    WINDOW("lemire", "Lemire's sequential filter (2006), the reference", .exact = true,
           .run = lemire_run),
    WINDOW("vanherk", "van Herk, Gil and Werman: two passes over blocks of a width, scalar",
           .open = vanherk_open, .run = vanherk_run, .close = free),
    {.name = NULL},
};
