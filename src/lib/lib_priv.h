/* SPDX-License-Identifier: MIT */
/* What stands behind gpuenv.h, for the files of this room. The program has lib/engines.h. */
#ifndef GPUENV_LIB_LIB_PRIV_H
#define GPUENV_LIB_LIB_PRIV_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cut.h"
#include "base/error.h"
#include "engine/engine.h"
#include "engine/machine.h"
#include "lib/gpuenv.h"
#include "sample/strided.h"

struct workspace; /* for arrays on a device */
struct task_room;
struct kept_call;

struct gpuenv_context {
    struct machine machine;
    pthread_mutex_t lock; /* of the workspaces */
    struct workspace *workspaces;
    void (*free_workspaces)(struct gpuenv_context *context); /* NULL: there are none */
    int (*interrupted)(void *argument);
    void *argument;
    _Atomic(struct task_room *) spare; /* NULL: there is none */
    _Atomic(struct kept_call *) kept;  /* likewise */
    _Atomic uint64_t
        owner; /* of the threads: two for each fork before it; odd: one is being made */
};

/* Fills `error`, if it is there. Returns the code. */
int fault_set(gpuenv_error *error, enum gpuenv_code code, const char *subject, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* A struct that begins with its size. */
struct given {
    const char *name;
    const void *data; /* NULL: it is missing */
    size_t first;     /* the size in the first version that had it */
    size_t size;      /* in this one */
};

#define GIVEN(type, last, name, data)                                                              \
    (&(struct given){name, data, offsetof(type, last) + sizeof((type *)0)->last, sizeof(type)})

/* Copies the members that both sides know. What the caller has beyond them must be 0. */
int given_read(void *known, const struct given *given, gpuenv_error *error);

/* The size that a struct begins with, of which the first version had `first` bytes. 0: an error. */
size_t given_size(const void *data, size_t first, const char *name, gpuenv_error *error);

/* For calls that succeed: no error. Each call that takes one begins with this. */
void fault_clear(gpuenv_error *error);

/* Memory is short. */
int fault_memory(gpuenv_error *error);

/* Passes on an error of the rooms below. */
int fault_of(gpuenv_error *error, const struct error *cause);

/* A NaN was found. */
int fault_nan(gpuenv_error *error, uint64_t row, uint64_t frame, uint64_t channel);

/* Called by each function that starts threads: gives a forked child threads of its own. */
int context_enter(gpuenv_context *context, gpuenv_error *error);

/* The caller's thread's, on a line of the cache of its own. */
struct last_look {
    alignas(64) double last; /* when options.interrupted() was called */
    uint64_t done;           /* samples since the last look at the clock */
};

/* A call in tasks, which the threads of the context share. The struct of its function begins with
 * it. */
struct work {
    gpuenv_context *context;
    struct cut cut;

    /* Does the task's part of each of its units, with `room` bytes of memory for the task. */
    void (*run)(struct work *work, void *room, uint64_t unit, const struct task *task);
    uint64_t room;
    _Atomic int stopped; /* enum gpuenv_code; if it is not 0, all tasks end early */
    pthread_t caller;
    struct last_look look;
};

enum { WORK_STEP = 1 << 20 }; /* samples between two looks at the clock */

void work_begin(struct work *work, gpuenv_context *context);

/* The threads that a call may use. */
unsigned work_threads(const gpuenv_context *context, const gpuenv_spec *spec);

/* Does all tasks. */
int work_run(struct work *work, gpuenv_error *error);

/* A thread has processed this many samples. Calls options.interrupted() now and then: on the
 * caller's thread only. */
void work_look(struct work *work, uint64_t samples);

/* The error that `stopped` stands for, if any. */
int work_fault(const struct work *work, gpuenv_error *error);

/* ---- what was asked for, checked */

/* Does a caller's struct have this member? Smaller ones are from an older version. */
#define HAS_MEMBER(pointer, member)                                                                \
    ((pointer)->size >= offsetof(__typeof__(*(pointer)), member) + sizeof((pointer)->member))

/* A copy of the spec with its defaults filled in. */
int spec_read(gpuenv_spec *spec, const gpuenv_spec *given, gpuenv_error *error);

/* Is it the frame of an extreme? */
bool spec_is_position(int value);

/* Sets `sample` to a type of gpuenv.h. Returns false if there is none of this number. */
bool type_read(int type, bool swapped, bool scaled, struct sample_type *sample);
int type_of(struct sample_type sample);

/* An array as it is given, with its samples at `data`. */
int array_at(gpuenv_array *array, const gpuenv_array *given, const void *data, const char *name,
             gpuenv_error *error);

/* Checks an array that a caller gives; `name` is the subject of errors. */
int strided_read(struct strided *array, const gpuenv_array *given, bool scaled, const char *name,
                 gpuenv_error *error);

/* The input, and an output for each value. Windows have `height` rows. */
int arrays_read(struct strided *in, struct strided out[GPUENV_VALUES], const gpuenv_spec *spec,
                uint64_t height, const gpuenv_array *given_in, const gpuenv_array *given_out,
                gpuenv_error *error);

/* The channels of each row that are processed together: neighbours, at most `most`; alone where
 * frames have gaps between them, or none. */
struct groups {
    size_t channels; /* of a group; the last one may have fewer */
    uint64_t count;
    bool in_place; /* the samples of a group are adjacent */
};
struct groups groups_of(const struct strided *array, size_t most);

/* The times of frames, none of which goes back, and the windows around them. */
struct timeline {
    const int64_t *time;
    uint64_t frames;
    uint64_t back;      /* how far a window reaches, from its own frame, in time */
    uint64_t ahead;     /* it ends before the frames that are so much later, or more */
    bool ends_by_time;  /* else with its own frame, also where later ones have the same time */
    bool own;           /* its own frame belongs to it */
    uint64_t most;      /* no window has more frames */
    bool is_even;       /* frames are at equal distances: windows are these windows of frames */
    struct window even; /* (unless they are longer than the array) */
};
int timeline_read(struct timeline *line, gpuenv_context *context, const gpuenv_spec *spec,
                  uint64_t frames, gpuenv_error *error);

/* The first frames of `count` windows, and the frames behind them. None lies before `from`. */
void timeline_firsts(const struct timeline *line, uint64_t window, size_t count, uint64_t from,
                     uint64_t *firsts);
void timeline_ends(const struct timeline *line, uint64_t window, size_t count, uint64_t from,
                   uint64_t *ends);

/* gpuenv_filter() for windows of time, of arrays that have been checked. */
int times_filter(gpuenv_context *context, const gpuenv_spec *spec, const struct timeline *line,
                 const struct strided *in, const struct strided out[GPUENV_VALUES],
                 gpuenv_error *error);

/* gpuenv_filter() for rows that are too short to be filtered one by one, of arrays that have been
 * checked. */
bool rows_are_short(const gpuenv_spec *spec, const struct strided *in);
int rows_filter(gpuenv_context *context, const gpuenv_spec *spec, const struct strided *in,
                const struct strided out[GPUENV_VALUES], gpuenv_error *error);

/* Refuses windows of time, in other calls. */
int times_refuse(const gpuenv_spec *spec, gpuenv_error *error);

/* Is there memory for a window of this many bytes? */
int memory_check(const gpuenv_context *context, uint64_t bytes, gpuenv_error *error);

/* The setup of an engine for `channels` channels of an array, and an output for each value. */
int spec_setup(struct engine_setup *setup, const gpuenv_spec *spec, const struct strided *in,
               const struct strided out[GPUENV_VALUES], unsigned channels, gpuenv_error *error);

/* Leaves samples as they are, where that changes no result: the cores need not decode all. */
void keep_samples(struct engine_setup *setup, const char *isa,
                  const struct strided out[GPUENV_VALUES]);

#endif
