/* SPDX-License-Identifier: MIT */
#include "window/time_windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"

/* The arrays hold the rows from `begin` on; those before `first` are no longer needed. Rows before
 * `queued` are in the queues. time_windows_find() sets `found` to the end of the last window that
 * it found; once that call's values are taken, the rows before it are in the queues, too. */
struct time_windows {
    struct time_window window;
    enum nan_policy policy;
    bool places;
    unsigned channels;
    uint64_t rows;
    uint64_t next;  /* the row of the next window */
    uint64_t first; /* the first row of the last window */
    uint64_t end;   /* the row after the last window */
    uint64_t queued;
    uint64_t found;
    uint64_t begin;
    struct timed_row *timed;
    uint64_t capacity;
    uint64_t bytes;            /* bytes of all arrays */
    struct max_queue queues[]; /* for each channel, one for the minimum, one for the maximum */
};

struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy, bool places)
{
    struct time_windows *windows =
        calloc(1, sizeof *windows + 2 * (size_t)channels * sizeof *windows->queues);

    if (windows == NULL)
        return NULL;
    windows->window = window;
    windows->policy = policy;
    windows->places = places;
    windows->channels = channels;
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

void time_windows_begin(struct time_windows *windows, uint64_t row, uint64_t next)
{
    windows->rows = windows->first = windows->end = row;
    windows->queued = windows->found = windows->begin = row;
    windows->next = next;
}

uint64_t time_windows_bytes(const struct time_windows *windows)
{
    return windows->bytes;
}

uint64_t time_windows_rows(const struct time_windows *windows, uint64_t *left)
{
    *left = windows->rows - windows->next;
    return windows->rows;
}

/* ---- rows */

static int grow_array(struct time_windows *windows, int64_t **array, uint64_t capacity)
{
    int64_t *grown = realloc(*array, (capacity + 1) * sizeof *grown);

    if (grown == NULL)
        return -1;
    *array = grown;
    windows->bytes += (capacity - windows->capacity) * sizeof *grown;
    return 0;
}

static int grow(struct time_windows *windows, uint64_t least)
{
    const uint64_t capacity = max_u64(least, windows->capacity == 0 ? 16 : 2 * windows->capacity);
    struct timed_row *timed = realloc(windows->timed, capacity * sizeof *timed);

    if (timed == NULL)
        return -1;
    windows->timed = timed;
    windows->bytes += (capacity - windows->capacity) * sizeof *timed;
    for (unsigned i = 0; i < 2 * windows->channels; i++) {
        struct max_queue *queue = &windows->queues[i];

        if (grow_array(windows, &queue->keys, capacity) != 0 ||
            (windows->places && grow_array(windows, &queue->places, capacity) != 0))
            return -1;
        if (windows->capacity == 0)
            max_queue_start(queue, windows->begin, KEY64_BELOW);
    }
    windows->capacity = capacity;
    return 0;
}

/* Makes room for more rows. For each row that has left, at most one row is moved. */
static int make_room(struct time_windows *windows, uint64_t more)
{
    const uint64_t live = windows->rows - windows->first;

    if (windows->rows - windows->begin + more <= windows->capacity)
        return 0;
    if (live + more > windows->capacity / 2)
        return grow(windows, windows->rows - windows->begin + more);
    memmove(windows->timed, windows->timed + (windows->first - windows->begin),
            live * sizeof *windows->timed);
    for (unsigned i = 0; i < 2 * windows->channels; i++)
        max_queue_shift(&windows->queues[i], windows->first, windows->rows);
    windows->begin = windows->first;
    return 0;
}

const struct timed_row *time_windows_row(const struct time_windows *windows, uint64_t row)
{
    return &windows->timed[row - windows->begin];
}

int time_windows_add(struct time_windows *windows, const struct timed_row *rows,
                     const double *values, size_t count)
{
    const unsigned channels = windows->channels;
    uint64_t place;

    if (make_room(windows, count) != 0)
        return -1;
    place = windows->rows - windows->begin;
    memcpy(windows->timed + place, rows, count * sizeof *rows);
    for (unsigned c = 0; c < channels; c++) {
        int64_t *const low = windows->queues[(size_t)2 * c].keys + place;
        int64_t *const high = windows->queues[(size_t)2 * c + 1].keys + place;

        for (size_t i = 0; i < count; i++) {
            low[i] = ~rules_low_key64(values[i * channels + c], windows->policy);
            high[i] = rules_high_key64(values[i * channels + c], windows->policy);
        }
    }
    windows->rows += count;
    return 0;
}

/* ---- windows */

static moment_count time_of(const struct time_windows *windows, uint64_t row)
{
    return moment_to_count(time_windows_row(windows, row)->moment);
}

/* Sets `first` and `end` to the first row of the window of a row and to the row after its last. */
static void go_to(struct time_windows *windows, uint64_t row)
{
    const moment_count time = time_of(windows, row);

    while (windows->first < row &&
           time_window_has_left(windows->window, time - time_of(windows, windows->first)))
        windows->first++;
    windows->end = max_u64(windows->end, row + 1);
    while (windows->window.center && windows->end < windows->rows &&
           time_window_reaches(windows->window, time_of(windows, windows->end) - time))
        windows->end++;
}

/* Passes rows to all queues until no more than a block is left before row `end`. */
static void pass_rows(struct time_windows *windows, uint64_t end)
{
    static const struct maxima_windows none = {.count = 0};

    for (; end - windows->queued > MAXIMA_BLOCK; windows->queued += MAXIMA_BLOCK) {
        for (unsigned i = 0; i < 2 * windows->channels; i++)
            window_maxima(&windows->queues[i], windows->queued, MAXIMA_BLOCK, &none, 0, NULL, NULL);
    }
}

bool time_windows_find(struct time_windows *windows, const struct moment *next,
                       struct maxima_windows *found, uint64_t *first)
{
    const moment_count until = next != NULL ? moment_to_count(*next) : 0;

    windows->queued = windows->found;
    *first = windows->next;
    for (found->count = 0; found->count < MAXIMA_BLOCK && windows->next < windows->rows;
         windows->next++, found->count++) {
        if (next != NULL &&
            time_window_reaches(windows->window, until - time_of(windows, windows->next)))
            break;
        go_to(windows, windows->next);
        if (found->count == 0)
            pass_rows(windows, windows->end);
        else if (windows->end - windows->queued > MAXIMA_BLOCK)
            break;
        found->first[found->count] = windows->first;
        found->end[found->count] = windows->found = windows->end;
    }
    maxima_windows_close(found);
    return found->count > 0;
}

void time_windows_values(struct time_windows *windows, const struct maxima_windows *found,
                         unsigned channel, struct window_values *values)
{
    struct max_queue *const low = &windows->queues[(size_t)2 * channel];
    struct max_queue *const high = low + 1;
    const size_t rows = (size_t)(windows->found - windows->queued);

    window_maxima(low, windows->queued, rows, found, found->count, values->low, values->low_at);
    window_maxima(high, windows->queued, rows, found, found->count, values->high, values->high_at);
    for (size_t i = 0; i < found->count; i++)
        values->low[i] = ~values->low[i];
    for (size_t i = 0; windows->places && i < found->count; i++) {
        values->low_at[i] = (int64_t)time_windows_row(windows, (uint64_t)values->low_at[i])->number;
        values->high_at[i] =
            (int64_t)time_windows_row(windows, (uint64_t)values->high_at[i])->number;
    }
}
