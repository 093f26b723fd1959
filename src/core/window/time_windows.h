/* The extremes of windows of time, over rows at any distance whose times never go back: one window
 * for each row. The work for a row does not depend on the window (max_queue.h), and memory grows
 * with the rows that a window has at most. */
#ifndef GPUENV_WINDOW_TIME_WINDOWS_H
#define GPUENV_WINDOW_TIME_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/moment.h"
#include "window/rules.h"

/* The window of a row at t. */
struct time_window {
    int64_t width; /* nanoseconds */
    bool center;   /* the rows in (t - width/2, t + width/2], exactly; otherwise those in
                      (t - width, t], without rows that follow at the same time */
};

/* A row, without its values. */
struct timed_row {
    struct moment moment;
    uint64_t number; /* of the caller's */
};

struct time_windows;

/* Returns NULL, with errno set, if memory runs out. All memory of rows is added to `*bytes`. */
struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy, uint64_t *bytes);
void time_windows_close(struct time_windows *windows);

/* Adds a row, after earlier windows have been taken. Returns -1, with errno set, if memory runs
 * out. */
int time_windows_add(struct time_windows *windows, const struct timed_row *row,
                     const double *values);

/* A row, and the first one in its window. Rows that are added are counted from 0. */
struct window_of_row {
    struct timed_row row;
    struct timed_row first;
    uint64_t begin; /* how many rows are before the first one, */
    uint64_t end;   /* and before the one behind the row */
};

/* Goes to the next window that is complete, given that the next row lies at `next`, or that there
 * is none (NULL). False: no window is. */
bool time_windows_next(struct time_windows *windows, const struct moment *next,
                       struct window_of_row *window);

/* The extremes of a channel in a window, as keys of float64, and their rows, if they are numbers.
 */
struct window_values {
    int64_t low;
    int64_t high;
    uint64_t low_at;
    uint64_t high_at;
};
struct window_values time_windows_values(const struct time_windows *windows, unsigned channel);

#endif
