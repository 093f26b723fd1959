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

/* The window of a row at t. */
struct time_window {
    int64_t width; /* nanoseconds; 0: it has no other row */
    bool center;   /* the rows in (t - width/2, t + width/2], exactly; otherwise those in
                      (t - width, t], without rows that follow at the same time */
};

/* A row, without its values. */
struct timed_row {
    struct moment moment;
    uint64_t number; /* of the caller's */
};

struct time_windows;

/* `places`: the rows of the extremes are wanted. Returns NULL, with errno set, if memory runs out.
 * All memory of rows is added to `*bytes`. */
struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy, bool places, uint64_t *bytes);
void time_windows_close(struct time_windows *windows);

/* Adds up to MAXIMA_BLOCK rows, the first of which has this number, after earlier windows have been
 * taken. Returns -1, with errno set, if memory runs out. */
int time_windows_add(struct time_windows *windows, const struct moment *moments, uint64_t number,
                     const double *values, size_t count);

/* Finds the next windows that are complete, given that the next row lies at `next`, or that there
 * is none (NULL). Rows that are added are counted from 0, and windows are those of rows `*first`
 * and behind. Returns false if no window is complete. */
bool time_windows_find(struct time_windows *windows, const struct moment *next,
                       struct maxima_windows *found, uint64_t *first);

/* A row that a window which has been found has. */
const struct timed_row *time_windows_row(const struct time_windows *windows, uint64_t row);

/* The extremes of a channel in the windows that have been found, as keys of float64, and their
 * rows, if they are wanted, and numbers. To be called once for each channel. */
struct window_values {
    int64_t low[MAXIMA_BLOCK];
    int64_t high[MAXIMA_BLOCK];
    int64_t low_at[MAXIMA_BLOCK];
    int64_t high_at[MAXIMA_BLOCK];
};
void time_windows_values(struct time_windows *windows, const struct maxima_windows *found,
                         unsigned channel, struct window_values *values);

#endif
