/* A flavour: one method for one of three problems, checked and timed beside the others.
 *
 * open() prepares what the method needs, once for a task, and the caller times it as the set-up.
 * run() solves the task, as often as it is called. close() frees everything. Flavours that differ
 * in a few words stand side by side in the file of their family, which says what each is faithful
 * to. */
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

/* Of run() on a device. A flavour that works on the samples where they lie has no copies. */
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

    /* Of each phase, from a flavour on a device; together they are the method's time. The caller
     * takes the time of the others, as that of the kernel. */
    double seconds[BENCH_PHASES];
};

struct bench_flavour {
    const char *name;  /* "tiled"; no two of a problem have the same */
    const char *words; /* what it is, in one line */
    enum bench_problem problem;
    bool on_gpu;
    bool interleaved; /* windows as min, max, min, max, ...; otherwise all the min, then all the max
                       */
    /* What is asked of the results. BENCH_WINDOW: the reference's bytes, where others only have to
     * be equal to it as numbers. BENCH_SUM: as near to the exact sum as sums in double are. */
    bool exact;

    const void *method; /* what sets it apart from others of its family, which share functions */

    /* Why the task is not possible in this way, in a few words; NULL: it is. */
    const char *(*cannot)(const struct bench_flavour *flavour, const struct bench_task *task);

    /* The task and its buffers stay where they are until close(). */
    int (*open)(const struct bench_flavour *flavour, const struct bench_task *task, void **state,
                struct error *error);

    /* On a device run() may do more than its phases, which counts for nothing: it overwrites
     * caches, and makes ready for the next run. Windows go to the task's buffer, other results to
     * `answer`. */
    int (*run)(void *state, struct bench_answer *answer, struct error *error);
    void (*close)(void *state);
};

/* The families of the processor, each in its file in bench/cpu/. */
extern const struct bench_flavour bench_cpu_window[];
extern const struct bench_flavour bench_cpu_reduce[];

/* Families end with a flavour that has no name, lists of families with a NULL. A build without CUDA
 * has no family of its own for devices. */
extern const struct bench_flavour *const bench_cpu_families[];
extern const struct bench_flavour *const bench_cuda_families[];

/* Flavour number `index` of all families in a list, counted from 0; NULL behind the last. */
static inline const struct bench_flavour *
bench_flavour_at(const struct bench_flavour *const *families, size_t index)
{
    for (; *families != NULL; families++) {
        for (const struct bench_flavour *flavour = *families; flavour->name != NULL; flavour++) {
            if (index-- == 0)
                return flavour;
        }
    }
    return NULL;
}

#endif
