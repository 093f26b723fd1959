/* SPDX-License-Identifier: MIT */
/* How work is cut into tasks for threads. All arithmetic that weighs threads against the length of
 * tasks is here.
 *
 * The work consists of units of equal length, such as the rows of an array, each of which can be
 * processed alone. A task is several neighbouring units or, where units are few, a stretch of one.
 * A task that begins inside a unit first processes a halo. */
#ifndef GPUENV_BASE_CUT_H
#define GPUENV_BASE_CUT_H

#include <stdint.h>

enum {
    TASKS_A_THREAD = 4,     /* long tasks, so that no thread waits long for the last one */
    TASK_SAMPLES = 1 << 15, /* a task of fewer samples costs more to hand out than to process */
    TASK_HALOS = 16,        /* in a task this many times as long, a halo costs little */
};

#define CUT_NEVER UINT64_MAX /* the halo of units that stay whole */

struct work_size {
    uint64_t units;
    uint64_t frames; /* frames of a unit; other items, such as bytes, may be counted as frames */
    uint64_t halo;   /* frames */
    uint64_t least;  /* frames of the shortest task that pays; 1 or more */
    uint64_t most;   /* frames of the longest task, at least twice `least`; 0 for no limit */
    unsigned threads;
};

struct cut {
    uint64_t units;
    uint64_t frames;
    uint64_t stretches; /* stretches of each unit; with 1, tasks are ranges of units */
    uint64_t tasks;     /* number of tasks; without `most`, up to TASKS_A_THREAD for each thread */
    unsigned threads;   /* threads that the tasks are for */
    uint64_t time;      /* frames of the busiest thread, including halos */
};

/* A range of units, and of the frames of each. */
struct task {
    uint64_t unit;
    uint64_t unit_end;
    uint64_t first;
    uint64_t count;
};

/* Cuts the work. One task is the whole work where threads do not pay. */
struct cut cut_work(const struct work_size *work);

/* Task number `index`; no task is empty. The task after the last one begins where the last one
 * ends. */
struct task cut_task(const struct cut *cut, uint64_t index);

#endif
