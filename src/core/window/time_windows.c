#include "window/time_windows.h"

#include <stdlib.h>
#include <string.h>

#include "window/max_queue.h"

/* Rows count from 0; those from `first` on are in a ring. */
struct time_windows {
    struct time_window window;
    enum nan_policy policy;
    unsigned channels;
    uint64_t rows;
    uint64_t next;  /* the row of the next window */
    uint64_t first; /* the first row of the last window */
    struct timed_row *ring;
    uint64_t front; /* the place of the first row */
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
        free(windows->queues[i].maxima);
        free(windows->queues[i].places);
    }
    free(windows->ring);
    free(windows);
}

/* ---- room */

enum { ROOM_FIRST = 16 };

static uint64_t grown_room(uint64_t capacity)
{
    return capacity == 0 ? ROOM_FIRST : 2 * capacity;
}

static int grow_array(struct time_windows *windows, int64_t **array, uint64_t capacity)
{
    int64_t *grown = realloc(*array, grown_room(capacity) * sizeof *grown);

    if (grown == NULL)
        return -1;
    *array = grown;
    *windows->bytes += (grown_room(capacity) - capacity) * sizeof *grown;
    return 0;
}

static int grow_queue(struct time_windows *windows, struct max_queue *queue)
{
    const uint64_t capacity = queue->capacity;

    if (grow_array(windows, &queue->keys, capacity) != 0 ||
        grow_array(windows, &queue->maxima, capacity) != 0 ||
        grow_array(windows, &queue->places, capacity) != 0)
        return -1;
    queue->capacity = grown_room(capacity);
    if (capacity == 0)
        max_queue_start(queue, windows->first, KEY64_BELOW);
    return 0;
}

/* The rows of a full ring, the oldest first, with room for more. */
static int grow_rows(struct time_windows *windows)
{
    const uint64_t capacity = windows->capacity;
    const uint64_t behind = capacity - windows->front; /* from the oldest to the end */
    struct timed_row *grown = malloc(grown_room(capacity) * sizeof *grown);

    if (grown == NULL)
        return -1;
    if (capacity > 0) {
        memcpy(grown, windows->ring + windows->front, behind * sizeof *grown);
        memcpy(grown + behind, windows->ring, windows->front * sizeof *grown);
    }
    free(windows->ring);
    *windows->bytes += (grown_room(capacity) - capacity) * sizeof *grown;
    windows->ring = grown;
    windows->front = 0;
    windows->capacity = grown_room(capacity);
    return 0;
}

/* ---- rows */

static struct timed_row *row_at(const struct time_windows *windows, uint64_t row)
{
    const uint64_t place = windows->front + (row - windows->first);

    return &windows->ring[place < windows->capacity ? place : place - windows->capacity];
}

static int add_key(struct time_windows *windows, struct max_queue *queue, int64_t key)
{
    if (max_queue_is_full(queue) && grow_queue(windows, queue) != 0)
        return -1;
    max_queue_add(queue, key);
    return 0;
}

int time_windows_add(struct time_windows *windows, const struct timed_row *row,
                     const double *values)
{
    const enum nan_policy policy = windows->policy;
    struct max_queue *queue = windows->queues;

    if (windows->rows - windows->first == windows->capacity && grow_rows(windows) != 0)
        return -1;
    *row_at(windows, windows->rows) = *row;
    for (unsigned i = 0; i < windows->channels; i++, queue += 2) {
        if (add_key(windows, &queue[0], ~rules_low_key64(values[i], policy)) != 0 ||
            add_key(windows, &queue[1], rules_high_key64(values[i], policy)) != 0)
            return -1;
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
    while (has_left(&windows->window, windows->ring[windows->front].moment, row->moment)) {
        windows->front = windows->front + 1 < windows->capacity ? windows->front + 1 : 0;
        windows->first++;
    }
    for (unsigned i = 0; i < 2 * windows->channels; i++)
        max_queue_drop(&windows->queues[i], windows->first);
    windows->next++;
    *window = (struct window_of_row){.row = *row, .first = windows->ring[windows->front]};
    return true;
}

/* The queue of a side of a channel. */
static const struct max_queue *queue_of(const struct time_windows *windows, unsigned channel,
                                        unsigned side)
{
    return &windows->queues[(size_t)2 * channel + side];
}

int64_t time_windows_low(const struct time_windows *windows, unsigned channel)
{
    return ~max_queue_answer(queue_of(windows, channel, 0), windows->first);
}

int64_t time_windows_high(const struct time_windows *windows, unsigned channel)
{
    return max_queue_answer(queue_of(windows, channel, 1), windows->first);
}

static uint64_t number_of_best(const struct time_windows *windows, const struct max_queue *queue)
{
    return row_at(windows, (uint64_t)max_queue_place(queue, windows->first))->number;
}

uint64_t time_windows_low_at(const struct time_windows *windows, unsigned channel)
{
    return number_of_best(windows, queue_of(windows, channel, 0));
}

uint64_t time_windows_high_at(const struct time_windows *windows, unsigned channel)
{
    return number_of_best(windows, queue_of(windows, channel, 1));
}
