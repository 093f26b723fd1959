/* SPDX-License-Identifier: MIT */
/* Rows of a table that count by their times, not by their numbers, give frames without an engine:
 * the rows of each key are a series. The frames of all series go to the sink together. */
#ifndef GPUENV_JOB_SERIES_PRIV_H
#define GPUENV_JOB_SERIES_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "base/threads.h"
#include "job/stream.h"
#include "window/time_windows.h"

/* The most frames that are written at a time, for each thread. */
enum { ROW_FRAMES = 16 * MAXIMA_BLOCK };

/* Frames that are written together, from the block itself or from parts of the sink. */
struct frames_block {
    const struct pipeline *pipeline;
    size_t count;
    struct sink **parts; /* parts of the sink, which have all the frames in their order */
    unsigned part_count; /* 0 if the frames are in `out` */
    unsigned char *out;
    struct sink_rows *rows;
    int result; /* what the write has returned */
    struct error error;
};

/* One block is written, by another thread if there is one, while the other one is filled. */
struct row_frames {
    const struct pipeline *pipeline;
    uint64_t bytes;            /* memory of the rows that are kept for later frames */
    uint64_t lost;             /* values that are NaN in spite of numbers */
    size_t most;               /* frames in a block */
    struct frames_block *fill; /* the block that is being filled */
    struct frames_block block[2];
    bool aside; /* another thread writes the blocks, as `job` */
    struct threads_job job;
    unsigned parts_most; /* parts of a block, at most */
};

/* Returns -1, with errno set, if memory runs out. */
int row_frames_open(struct row_frames *frames, const struct pipeline *pipeline);
void row_frames_close(struct row_frames *frames);

/* Begins to write the frames so far, and fails if those before them have failed. */
int row_frames_write(struct row_frames *frames, struct error *error);

/* Writes all frames so far, and waits for that. */
int row_frames_flush(struct row_frames *frames, struct error *error);

struct series {
    struct row_frames *frames;
    const struct row_key *key; /* the key of its rows; may be NULL */
    uint64_t rows;             /* rows so far; by_times.c counts them */
    size_t here;               /* rows of the current batch */
    size_t at;                 /* where the next row of the batch goes when it is sorted */
};

struct series_class {
    /* Returns NULL, with errno set, if memory runs out. */
    struct series *(*open)(struct row_frames *frames);

    /* Adds `count` rows, the first of which is number `first` of the stream, and the frames that
     * are complete. */
    int (*add)(struct series *series, const double *rows, const struct moment *moments,
               uint64_t first, size_t count, struct error *error);

    /* Adds the frames that are complete before `next`, a row that need not be added. Without a row
     * (NULL) it adds the last frames. */
    int (*pass)(struct series *series, const struct timed_row *next, struct error *error);

    void (*close)(struct series *series);
};

/* A frame for each interval of the clock, from the one with the first row to the one with the last.
 */
extern const struct series_class series_by_clock;

/* A frame for each row, from the window of time around it; without a window, from the row alone. */
extern const struct series_class series_by_window;

/* ---- by_window.c: what tasks do, too */

struct by_window {
    struct series series;
    struct time_windows *windows;
    uint64_t bytes; /* memory of the windows, as last counted */
};

/* New windows of one series. Returns NULL, with errno set, if memory runs out. */
struct time_windows *by_window_windows(const struct stream_plan *plan);

/* Adds the frames of windows that have been found, for which there is room. */
void by_window_put(const struct by_window *window, struct time_windows *windows,
                   const struct maxima_windows *found, uint64_t first, struct frames_block *block);

/* Counts the memory of the windows. Fails if the machine has less. */
int by_window_count(struct by_window *window, struct error *error);

/* ---- window_tasks.c: windows of time that several threads find side by side */

/* Rows of a series that lie side by side. */
struct row_run {
    struct series *series;
    size_t first;
    size_t count;
};

struct row_batch {
    const double *rows;
    const struct moment *moments;
    uint64_t number; /* number of the first row in the stream */
    size_t count;
    const struct row_run *runs;
    size_t run_count;
};

struct window_tasks;

/* Returns NULL if memory runs out, or there is only one thread. */
struct window_tasks *window_tasks_open(struct row_frames *frames);
void window_tasks_close(struct window_tasks *tasks);

/* The most rows of a batch. */
size_t window_tasks_most(const struct window_tasks *tasks);

/* Plans the tasks. Returns false if several do not pay: then the caller adds the rows in order. */
bool window_tasks_plan(struct window_tasks *tasks, const struct row_batch *batch);

/* Adds the rows, and the frames that are complete, in their order. */
int window_tasks_run(struct window_tasks *tasks, struct error *error);

/* ---- by_times.c: all series of a stream */

struct by_times;

/* Returns NULL, with errno set, if memory runs out. */
struct by_times *by_times_open(const struct pipeline *pipeline);
void by_times_close(struct by_times *times);

/* Adds rows, whose keys may be NULL, and writes the complete frames, or begins to. `is_cut`: one
 * more moment follows, of a row that is an error: the frames before it are complete, too. */
int by_times_add(struct by_times *times, const double *rows, const struct moment *moments,
                 const struct row_key *const *keys, size_t count, bool is_cut, struct error *error);

/* Writes all complete frames at the end, unless rows could not be added. `all`: all rows have come,
 * so the last frames are complete, too. */
int by_times_end(struct by_times *times, bool all, struct error *error);

/* Counts the rows from the first one on that belong together: they have one key, and all are in the
 * range, or all outside. `count` is at least 1. */
size_t rows_run(const struct row_range *range, const struct moment *moments,
                const struct row_key *const *keys, size_t count, bool *inside);

/* How many intervals, in each channel, are NaN in spite of numbers. */
uint64_t by_times_lost(const struct by_times *times);

#endif
