#include "window/time_windows.h"

#include <stdlib.h>
#include <string.h>

#include "window/wedge.h"

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
    struct wedge wedges[]; /* of the minimum and of the maximum of each channel */
};

struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy, uint64_t *bytes)
{
    struct time_windows *windows =
        calloc(1, sizeof *windows + 2 * (size_t)channels * sizeof *windows->wedges);

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
        free(windows->wedges[i].frame);
        free(windows->wedges[i].key);
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

/* Returns the elements of a full ring, the oldest first, with room for more; NULL, with errno set,
 * if memory runs out. */
static void *grow(struct time_windows *windows, void *ring, size_t size, uint64_t capacity,
                  uint64_t front)
{
    const size_t behind = (size_t)(capacity - front) * size; /* from the oldest to the end */
    unsigned char *grown = malloc(grown_room(capacity) * size);

    if (grown == NULL)
        return NULL;
    if (capacity > 0) {
        memcpy(grown, (const unsigned char *)ring + front * size, behind);
        memcpy(grown + behind, ring, front * size);
    }
    free(ring);
    *windows->bytes += (grown_room(capacity) - capacity) * size;
    return grown;
}

/* After a failure, a wedge can only be freed. */
static int grow_wedge(struct time_windows *windows, struct wedge *wedge)
{
    uint64_t *frame = grow(windows, wedge->frame, sizeof *frame, wedge->capacity, wedge->front);
    int64_t *key;

    if (frame == NULL)
        return -1;
    wedge->frame = frame;
    key = grow(windows, wedge->key, sizeof *key, wedge->capacity, wedge->front);
    if (key == NULL)
        return -1;
    wedge->key = key;
    wedge->front = 0;
    wedge->capacity = grown_room(wedge->capacity);
    return 0;
}

static int grow_rows(struct time_windows *windows)
{
    struct timed_row *ring =
        grow(windows, windows->ring, sizeof *ring, windows->capacity, windows->front);

    if (ring == NULL)
        return -1;
    windows->ring = ring;
    windows->front = 0;
    windows->capacity = grown_room(windows->capacity);
    return 0;
}

/* ---- rows */

static struct timed_row *row_at(const struct time_windows *windows, uint64_t row)
{
    const uint64_t place = windows->front + (row - windows->first);

    return &windows->ring[place < windows->capacity ? place : place - windows->capacity];
}

static int push(struct time_windows *windows, struct wedge *wedge, int64_t key)
{
    if (wedge->size == wedge->capacity && grow_wedge(windows, wedge) != 0)
        return -1;
    wedge_push(wedge, windows->rows, key);
    return 0;
}

int time_windows_add(struct time_windows *windows, const struct timed_row *row,
                     const double *values)
{
    const enum nan_policy policy = windows->policy;
    struct wedge *wedge = windows->wedges;

    if (windows->rows - windows->first == windows->capacity && grow_rows(windows) != 0)
        return -1;
    *row_at(windows, windows->rows) = *row;
    for (unsigned i = 0; i < windows->channels; i++, wedge += 2) {
        if (push(windows, &wedge[0], ~rules_low_key64(values[i], policy)) != 0 ||
            push(windows, &wedge[1], rules_high_key64(values[i], policy)) != 0)
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
        wedge_drop(&windows->wedges[i], windows->first);
    windows->next++;
    *window = (struct window_of_row){.row = *row, .first = windows->ring[windows->front]};
    return true;
}

int64_t time_windows_low(const struct time_windows *windows, unsigned channel)
{
    return ~wedge_answer(&windows->wedges[(size_t)2 * channel], KEY64_BELOW);
}

int64_t time_windows_high(const struct time_windows *windows, unsigned channel)
{
    return wedge_answer(&windows->wedges[(size_t)2 * channel + 1], KEY64_BELOW);
}

static uint64_t number_at_front(const struct time_windows *windows, const struct wedge *wedge)
{
    return wedge->size == 0 ? 0 : row_at(windows, wedge->frame[wedge->front])->number;
}

uint64_t time_windows_low_at(const struct time_windows *windows, unsigned channel)
{
    return number_at_front(windows, &windows->wedges[(size_t)2 * channel]);
}

uint64_t time_windows_high_at(const struct time_windows *windows, unsigned channel)
{
    return number_at_front(windows, &windows->wedges[(size_t)2 * channel + 1]);
}
