#include "window/time_windows.h"

#include <stdlib.h>
#include <string.h>

#include "window/max_queue.h"

/* Rows count from 0. Those from `begin` on are in arrays, of which the rows before `first` are no
 * longer needed. */
struct time_windows {
    struct time_window window;
    enum nan_policy policy;
    unsigned channels;
    uint64_t rows;
    uint64_t next;  /* the row of the next window */
    uint64_t first; /* the first row of the last window */
    uint64_t begin;
    struct timed_row *timed;
    uint64_t capacity;
    uint64_t *bytes;
    struct max_queue queues[]; /* of the minimum and of the maximum of each channel */
};

struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy, uint64_t *bytes)
{
    struct time_windows *windows =
        calloc(1, sizeof *windows + 2 * (size_t)channels * sizeof *windows->queues);

    if (windows == NULL)
        return NULL;
    windows->window = window;
    windows->policy = policy;
    windows->channels = channels;
    windows->bytes = bytes;
    return windows;
}

void time_windows_close(struct time_windows *windows)
{
    if (windows == NULL)
        return;
    for (unsigned i = 0; i < 2 * windows->channels; i++) {
        free(windows->queues[i].keys);
        free(windows->queues[i].places);
    }
    free(windows->timed);
    free(windows);
}

/* ---- rows */

static int grow_array(struct time_windows *windows, int64_t **array, uint64_t capacity)
{
    int64_t *grown = realloc(*array, (capacity + 1) * sizeof *grown);

    if (grown == NULL)
        return -1;
    *array = grown;
    *windows->bytes += (capacity - windows->capacity) * sizeof *grown;
    return 0;
}

static int grow(struct time_windows *windows)
{
    const uint64_t capacity = windows->capacity == 0 ? 16 : 2 * windows->capacity;
    struct timed_row *timed = realloc(windows->timed, capacity * sizeof *timed);

    if (timed == NULL)
        return -1;
    windows->timed = timed;
    *windows->bytes += (capacity - windows->capacity) * sizeof *timed;
    for (unsigned i = 0; i < 2 * windows->channels; i++) {
        struct max_queue *queue = &windows->queues[i];

        if (grow_array(windows, &queue->keys, capacity) != 0 ||
            grow_array(windows, &queue->places, capacity) != 0)
            return -1;
        if (windows->capacity == 0)
            max_queue_start(queue, 0, KEY64_BELOW);
    }
    windows->capacity = capacity;
    return 0;
}

/* Makes room for another row. Rows are moved once at most for each one that has left. */
static int make_room(struct time_windows *windows)
{
    const uint64_t live = windows->rows - windows->first;

    if (windows->rows - windows->begin < windows->capacity)
        return 0;
    if (live >= windows->capacity / 2)
        return grow(windows);
    memmove(windows->timed, windows->timed + (windows->first - windows->begin),
            live * sizeof *windows->timed);
    for (unsigned i = 0; i < 2 * windows->channels; i++)
        max_queue_shift(&windows->queues[i], windows->first, windows->rows);
    windows->begin = windows->first;
    return 0;
}

static struct timed_row *row_at(const struct time_windows *windows, uint64_t row)
{
    return &windows->timed[row - windows->begin];
}

int time_windows_add(struct time_windows *windows, const struct timed_row *row,
                     const double *values)
{
    const enum nan_policy policy = windows->policy;
    struct max_queue *queue = windows->queues;

    if (make_room(windows) != 0)
        return -1;
    *row_at(windows, windows->rows) = *row;
    for (unsigned i = 0; i < windows->channels; i++, queue += 2) {
        queue[0].keys[windows->rows - windows->begin] = ~rules_low_key64(values[i], policy);
        queue[1].keys[windows->rows - windows->begin] = rules_high_key64(values[i], policy);
        max_queue_add(&queue[0]);
        max_queue_add(&queue[1]);
    }
    windows->rows++;
    return 0;
}

/* ---- windows */

/* Does a row lie before the window of the row at `moment`? Twice a distance is a whole number. */
static bool has_left(const struct time_window *window, struct moment row, struct moment moment)
{
    const moment_count distance = moment_to_count(moment) - moment_to_count(row);

    return (window->center ? 2 * distance : distance) >= window->width;
}

/* Does the window of the row at `moment` reach a later one? */
static bool reaches(const struct time_window *window, struct moment moment, struct moment next)
{
    return window->center && 2 * (moment_to_count(next) - moment_to_count(moment)) <= window->width;
}

bool time_windows_next(struct time_windows *windows, const struct moment *next,
                       struct window_of_row *window)
{
    const struct timed_row *row;

    if (windows->next == windows->rows)
        return false;
    row = row_at(windows, windows->next);
    if (next != NULL && reaches(&windows->window, row->moment, *next))
        return false;
    while (has_left(&windows->window, row_at(windows, windows->first)->moment, row->moment))
        windows->first++;
    for (unsigned i = 0; i < 2 * windows->channels; i++)
        max_queue_drop(&windows->queues[i], windows->first);
    windows->next++;
    *window = (struct window_of_row){
        .row = *row,
        .first = *row_at(windows, windows->first),
        .begin = windows->first,
        .end = windows->next,
    };
    return true;
}

struct window_values time_windows_values(const struct time_windows *windows, unsigned channel)
{
    const struct max_queue *low = &windows->queues[(size_t)2 * channel];
    const struct max_queue *high = low + 1;
    const uint64_t first = windows->first;

    return (struct window_values){
        .low = ~max_queue_answer(low, first),
        .high = max_queue_answer(high, first),
        .low_at = row_at(windows, (uint64_t)max_queue_place(low, first))->number,
        .high_at = row_at(windows, (uint64_t)max_queue_place(high, first))->number,
    };
}
