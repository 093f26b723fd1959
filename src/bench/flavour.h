/* A flavour: one method for one of three problems, checked and timed beside the others.
 *
 * open() prepares what the method needs, once for a task, and the caller times it as the set-up.
 * run() solves the task, as often as it is called, and gives the time of each phase. close() frees
 * everything. Each flavour's own file says what it is and what it is faithful to. */
#ifndef GPUENV_BENCH_FLAVOUR_H
#define GPUENV_BENCH_FLAVOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum bench_problem {
    BENCH_WINDOW, /* the running min and max, only whole windows: count - width + 1 of each */
    BENCH_MAX,    /* the largest magnitude and the first index that has it */
    BENCH_SUM,
    BENCH_PROBLEMS,
};

/* Of run(). A flavour that works on the samples where they lie has no copies. */
enum bench_phase {
    BENCH_COPY_IN,
    BENCH_KERNEL,
    BENCH_COPY_OUT,
    BENCH_PHASES,
};

/* No page holds samples and anything else, or windows and anything else: a flavour may register
 * them with a device. */
struct bench_task {
    const float *samples; /* on the host, in plain memory; no NaN among them */
    size_t count;         /* at least 1 */
    uint64_t width;       /* BENCH_WINDOW: 1 <= width <= count */
    float *windows;   /* BENCH_WINDOW: room on the host for the 2 x (count - width + 1) results */
    unsigned threads; /* of a block, or of the CPU; 0: what the method has by itself */
    unsigned blocks;  /* of a grid; 0: what the method has by itself */
    unsigned device;
};

struct bench_answer {
    float magnitude; /* BENCH_MAX */
    uint64_t index;
    double sum; /* BENCH_SUM */
};

struct bench_flavour {
    const char *name;  /* "tiled"; no two of a problem have the same */
    const char *words; /* what it is, in one line */
    enum bench_problem problem;
    bool on_gpu;
    bool interleaved; /* windows as min, max, min, max, ...; otherwise all the min, then all the max
                       */

    /* Why the task is not possible in this way, in a few words; NULL: it is. */
    const char *(*cannot)(const struct bench_task *task);

    /* The task and its buffers stay where they are until close(). */
    int (*open)(const struct bench_task *task, void **state, struct error *error);

    /* Seconds of each phase; together they are the method's time. On a device run() may do more,
     * which counts for nothing: it overwrites caches, and makes ready for the next run. Windows go
     * to the task's buffer, other results to `answer`. */
    int (*run)(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
               struct error *error);
    void (*close)(void *state);

    /* What is asked of the results. BENCH_WINDOW: the reference's bytes, where others only have to
     * be equal to it as numbers. BENCH_SUM: as near to the exact sum as sums in double are. */
    bool exact;
};

/* Each ends with a NULL. On a build without CUDA the second is empty. */
extern const struct bench_flavour *const bench_cpu_flavours[];
extern const struct bench_flavour *const bench_cuda_flavours[];

#endif
