/* SPDX-License-Identifier: MIT */
/* A flavour: one method for one of three problems, checked and timed next to the others.
 *
 * open() prepares what the method needs, once for a task, and the caller times it as the set-up.
 * run() solves the task and may be called repeatedly. close() frees everything. A file has a family
 * of flavours, and names the originals. */
#ifndef GPUENV_BENCH_FLAVOUR_H
#define GPUENV_BENCH_FLAVOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sample/sample_type.h"
#include "window/rules.h"

enum bench_problem {
    BENCH_WINDOW, /* the running min and max, only whole windows: count - width + 1 of each */
    BENCH_MAX,    /* the largest magnitude and the first index that has it */
    BENCH_SUM,
    BENCH_PROBLEMS,
};

/* Phases of run() on a device. A flavour that reads the samples where they are has no copies. */
enum bench_phase {
    BENCH_COPY_IN,
    BENCH_KERNEL,
    BENCH_COPY_OUT,
    BENCH_PHASES,
};

/* No page holds samples and anything else, or windows and anything else, so that a flavour may
 * register them with a device. */
struct bench_task {
    enum value_kind kind; /* kind of samples and windows: VALUE_F32 or VALUE_F64 */
    const void *samples;  /* on the host, in plain memory; without NaN */
    size_t count;         /* at least 1 */
    uint64_t width;       /* BENCH_WINDOW: 1 <= width <= count */
    void *windows;    /* BENCH_WINDOW: on the host, room for the 2 x (count - width + 1) results */
    unsigned threads; /* threads per block, or on the CPU; 0 for the method's default */
    unsigned blocks;  /* blocks per grid; 0 for the method's default */
    unsigned device;
};

struct bench_answer {
    double magnitude; /* BENCH_MAX */
    uint64_t index;
    double sum; /* BENCH_SUM */

    /* The time of each phase, 0 before the run. A flavour on a device sets them; together they are
     * the method's time. For others the caller measures the time and stores it as the kernel's. */
    double seconds[BENCH_PHASES];
};

struct bench_flavour {
    const char *name;  /* "tiled"; unique within a problem */
    const char *words; /* a description in one line */
    enum bench_problem problem;
    bool on_gpu;
    bool takes_f64;   /* as well as float32 */
    bool interleaved; /* windows as min, max, min, max, ...; otherwise all min, then all max */
    /* Results are checked strictly. BENCH_WINDOW: they have the bytes of the reference, where other
     * flavours only have to give equal numbers. BENCH_SUM: they are as close to the exact sum as
     * sums in double are. */
    bool exact;

    const void *method; /* distinguishes flavours of a family, which share functions */

    /* Returns a short reason why this flavour cannot do the task; NULL if it can. */
    const char *(*cannot)(const struct bench_flavour *flavour, const struct bench_task *task);

    /* The task and its buffers stay where they are until close(). open() and close() are NULL if
     * run() needs only the task, which it then gets as its state. */
    int (*open)(const struct bench_flavour *flavour, const struct bench_task *task, void **state,
                struct error *error);

    /* On a device run() may do more than its phases, which is not timed: it overwrites caches, and
     * prepares the next run. Windows go to the task's buffer, other results to `answer`. */
    int (*run)(void *state, struct bench_answer *answer, struct error *error);
    void (*close)(void *state);
};

/* Why the flavour cannot do the task; NULL if it can. */
static inline const char *bench_obstacle(const struct bench_flavour *flavour,
                                         const struct bench_task *task)
{
    if (task->kind != VALUE_F32 && !flavour->takes_f64)
        return "takes float32 only";
    return flavour->cannot != NULL ? flavour->cannot(flavour, task) : NULL;
}

/* The sample or result with this index. */
static inline double bench_value(enum value_kind kind, const void *values, size_t index)
{
    return kind == VALUE_F32 ? (double)((const float *)values)[index]
                             : ((const double *)values)[index];
}

static inline void *bench_place(enum value_kind kind, const void *values, size_t index)
{
    return (unsigned char *)(uintptr_t)values + index * value_bytes(kind);
}

/* The number of windows of the task. */
static inline size_t bench_windows(const struct bench_task *task)
{
    return task->count - (size_t)(task->width - 1);
}

/* The families for the CPU, each in its file in bench/cpu/. */
extern const struct bench_flavour bench_cpu_window[];
extern const struct bench_flavour bench_cpu_std[];
extern const struct bench_flavour bench_cpu_sum[];
extern const struct bench_flavour bench_cpu_library[];

/* Families end with a flavour without a name, lists of families with NULL. A build without CUDA has
 * no families for devices. */
extern const struct bench_flavour *const bench_cpu_families[];
extern const struct bench_flavour *const bench_cuda_families[];

/* The flavour with this index among all families of a list. Past the last it returns NULL, and
 * subtracts the number of flavours from the index. */
static inline const struct bench_flavour *
bench_flavour_at(const struct bench_flavour *const *families, size_t *index)
{
    for (; *families != NULL; families++) {
        for (const struct bench_flavour *flavour = *families; flavour->name != NULL; flavour++) {
            if ((*index)-- == 0)
                return flavour;
        }
    }
    return NULL;
}

/* The ceiling of the CPU flavours, "copy" for windows and "read" for the others: reads and writes
 * as many bytes as they do, without computing anything, and gives no result. */
const struct bench_flavour *ceiling_of(enum bench_problem problem);

#endif
