/* SPDX-License-Identifier: MIT */
/* The extremes of windows of time, over rows at any distance whose times never go back: one window
 * for each row. Rows come in blocks, and windows are taken in blocks. The work for a row does not
 * depend on the window (max_queue.h), and memory grows with the rows that a window has at most. */
#ifndef GPUENV_WINDOW_TIME_WINDOWS_H
#define GPUENV_WINDOW_TIME_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/moment.h"
#include "window/rules.h"
#include "window/window_maxima.h"

/* The window of a row at time t. With width 0, it has only that row. */
struct time_window {
    int64_t width; /* nanoseconds */
    bool center;   /* rows in (t - width/2, t + width/2], exactly; otherwise rows in (t - width, t],
                      without later rows at time t */
};

/* A row, without its values. */
struct timed_row {
    struct moment moment;
    uint64_t number; /* the caller's number of the row */
};

/* Does a row lie before the window of a row that is `distance` later? Twice a distance is a whole
 * number. */
static inline bool time_window_has_left(struct time_window window, moment_count distance)
{
    return (window.center ? 2 * distance : distance) >= window.width;
}

/* Does the window of a row reach a row that is `distance` later? */
static inline bool time_window_reaches(struct time_window window, moment_count distance)
{
    return window.center && 2 * distance <= window.width;
}

struct time_windows;

/* Set `places` if the rows of the extremes are wanted. Returns NULL, with errno set, if memory runs
 * out. */
struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy, bool places);
void time_windows_close(struct time_windows *windows);

/* Call this before the first row: rows are counted from `row` on, not from 0, and windows of rows
 * before `next` are not wanted. */
void time_windows_begin(struct time_windows *windows, uint64_t row, uint64_t next);

/* The bytes of memory that the rows take. */
uint64_t time_windows_bytes(const struct time_windows *windows);

/* The number of the next row. Sets `*left` to the number of rows whose window has not been
 * found. */
uint64_t time_windows_rows(const struct time_windows *windows, uint64_t *left);

/* Adds up to MAXIMA_BLOCK rows after earlier windows have been taken. Returns -1, with errno set,
 * if memory runs out. */
int time_windows_add(struct time_windows *windows, const struct timed_row *rows,
                     const double *values, size_t count);

/* Finds the next windows that are complete, given that the next row lies at `next`, or that there
 * is no next row if `next` is NULL. The first window is that of row `*first`. Returns false if no
 * window is complete. */
bool time_windows_find(struct time_windows *windows, const struct moment *next,
                       struct maxima_windows *found, uint64_t *first);

/* A row of a window that time_windows_find() has found. */
const struct timed_row *time_windows_row(const struct time_windows *windows, uint64_t row);

/* The extremes of a channel in the windows that have been found, as keys of float64, and the
 * callers' numbers of their rows if these are wanted. Call this once for each channel. */
struct window_values {
    int64_t low[MAXIMA_BLOCK];
    int64_t high[MAXIMA_BLOCK];
    int64_t low_at[MAXIMA_BLOCK];
    int64_t high_at[MAXIMA_BLOCK];
};
void time_windows_values(struct time_windows *windows, const struct maxima_windows *found,
                         unsigned channel, struct window_values *values);

#endif
