/* SPDX-License-Identifier: MIT */
/* What the files of this room share beyond gpuenv.h. The program uses lib/engines.h. */
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

struct workspace; /* workspace for arrays on a device */
struct task_room;
struct kept_call;

struct gpuenv_context {
    struct machine machine;
    pthread_mutex_t lock; /* guards `workspaces` */
    struct workspace *workspaces;
    void (*free_workspaces)(struct gpuenv_context *context); /* NULL if there are no workspaces */
    int (*interrupted)(void *argument);
    void *argument;
    _Atomic(struct task_room *) spare; /* memory that a task has left; NULL if there is none */
    _Atomic(struct kept_call *) kept;  /* the last short call; NULL if there is none */

    /* The process whose threads these are: twice the number of forks before it, and 1 more while it
     * starts them. */
    _Atomic uint64_t owner;
};

/* Fills `error`, which may be NULL. Returns the code. */
int fault_set(gpuenv_error *error, enum gpuenv_code code, const char *subject, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* Refuses an argument of the caller. */
#define REFUSE(error, ...) fault_set(error, GPUENV_BAD_ARGUMENT, __VA_ARGS__)

/* A struct that begins with its size. */
struct given {
    const char *name;
    const void *data; /* NULL if the caller gave none */
    size_t first;     /* size of the struct in the first version that had it */
    size_t size;      /* size of the struct in this version */
};

#define GIVEN(type, last, name, data)                                                              \
    (&(struct given){name, data, offsetof(type, last) + sizeof((type *)0)->last, sizeof(type)})

/* Copies the members that both sides know. What the caller has beyond them must be 0. */
int given_read(void *known, const struct given *given, gpuenv_error *error);

/* Returns the size that a struct begins with, or 0 on error. The first version of the struct had
 * `first` bytes. */
size_t given_size(const void *data, size_t first, const char *name, gpuenv_error *error);

/* Sets `error` to no error. Each public function that takes one begins with this. */
void fault_clear(gpuenv_error *error);

/* Reports that memory is short. */
int fault_memory(gpuenv_error *error);

/* Passes on an error of the rooms below. */
int fault_of(gpuenv_error *error, const struct error *cause);

/* Reports a NaN. */
int fault_nan(gpuenv_error *error, uint64_t row, uint64_t frame, uint64_t channel);

/* Called by each function that starts threads: gives a forked child threads of its own. */
int context_enter(gpuenv_context *context, gpuenv_error *error);

/* Only the caller's thread writes it, so it has a cache line of its own. */
struct last_look {
    alignas(64) double last; /* time of the last call of options.interrupted() */
    uint64_t done;           /* samples since the last look at the clock */
};

/* A call that is cut into tasks, which the threads of the context share. It is the first member of
 * the struct of each such call. */
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

/* Copies the spec, with its defaults filled in. */
int spec_read(gpuenv_spec *spec, const gpuenv_spec *given, gpuenv_error *error);

/* Is the value the frame of an extreme? */
bool spec_is_position(int value);

/* Sets `sample` to a type of gpuenv.h. Returns false if no type has this number. */
bool type_read(int type, bool swapped, bool scaled, struct sample_type *sample);
int type_of(struct sample_type sample);

/* Copies the description of an array, with its samples at `data`. */
int array_at(gpuenv_array *array, const gpuenv_array *given, const void *data, const char *name,
             gpuenv_error *error);

/* Checks an array that a caller gives; `name` is the subject of errors. */
int strided_read(struct strided *array, const gpuenv_array *given, bool scaled, const char *name,
                 gpuenv_error *error);

/* Reads and checks the input, and an output for each value. Windows have `height` rows. */
int arrays_read(struct strided *in, struct strided out[GPUENV_VALUES], const gpuenv_spec *spec,
                uint64_t height, const gpuenv_array *given_in, const gpuenv_array *given_out,
                gpuenv_error *error);

/* Groups of channels of a row, which are processed together: up to `most` neighbours whose samples
 * are adjacent. A channel is processed alone where its neighbours are not adjacent, or its frames
 * are. */
struct groups {
    size_t channels; /* channels of a group; the last one may have fewer */
    uint64_t count;
    bool in_place; /* the samples of a group are adjacent */
};
struct groups groups_of(const struct strided *array, size_t most);

/* The times of frames, none of which goes back, and the windows around them. */
struct timeline {
    const int64_t *time;
    uint64_t frames;
    uint64_t back;  /* how far a window reaches back from its own frame, in time */
    uint64_t ahead; /* a window ends before frames that are this much later than its own, or more */

    /* Windows end by time. Otherwise each ends with its own frame, even if later frames have the
     * same time. */
    bool ends_by_time;
    bool own;      /* a window has its own frame */
    uint64_t most; /* most frames of a window */

    /* Windows of time are windows of frames where frames are at equal distances, unless they are
     * longer than the array or leave out their own frame: `is_even` says so, and `even` is the
     * window. */
    bool is_even;
    struct window even;
};
int timeline_read(struct timeline *line, gpuenv_context *context, const gpuenv_spec *spec,
                  uint64_t frames, gpuenv_error *error);

/* Find the first frames of `count` windows, from number `window` on, and the frames behind their
 * last ones. None lies before `from`. */
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

/* Is there memory for a window of this many bytes? */
int memory_check(const gpuenv_context *context, uint64_t bytes, gpuenv_error *error);

/* Fills the setup of an engine for `channels` channels of an array, and an output for each
 * value. */
int spec_setup(struct engine_setup *setup, const gpuenv_spec *spec, const struct strided *in,
               const struct strided out[GPUENV_VALUES], unsigned channels, gpuenv_error *error);

/* Lets an engine keep samples as they are, where that changes no result: the cores need not decode
 * all. */
void keep_samples(struct engine_setup *setup, const char *isa,
                  const struct strided out[GPUENV_VALUES]);

#endif
