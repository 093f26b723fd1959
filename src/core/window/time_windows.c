#include "window/time_windows.h"

#include <stdlib.h>
#include <string.h>

#include "window/wedge.h"

enum { ROOM_FIRST = 16 };

/* Rows are numbered from 0. The times of those from `first` on are in a ring. */
struct time_windows {
    struct time_window window;
    enum nan_policy policy;
    unsigned channels;
    uint64_t rows;
    uint64_t next;  /* the row of the next window */
    uint64_t first; /* the first row of the last window */
    struct moment *moments;
    uint64_t front; /* the place of the first row */
    uint64_t room;
    struct wedge wedges[]; /* of the minimum and of the maximum of each channel */
};

struct time_windows *time_windows_open(unsigned channels, struct time_window window,
                                       enum nan_policy policy)
{
    struct time_windows *windows =
        calloc(1, sizeof *windows + 2 * (size_t)channels * sizeof *windows->wedges);

    if (windows == NULL)
        return NULL;
    windows->window = window;
    windows->policy = policy;
    windows->channels = channels;
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
    free(windows->moments);
    free(windows);
}

/* ---- room */

/* Replaces a full ring by one of `grown` elements that begins with the oldest. */
static int grow_ring(void **ring, size_t bytes, uint64_t room, uint64_t front, uint64_t grown)
{
    const size_t behind = (size_t)(room - front) * bytes; /* from the oldest to the end */
    unsigned char *to = reallocarray(NULL, grown, bytes);

    if (to == NULL)
        return -1;
    if (room > 0) {
        memcpy(to, (const unsigned char *)*ring + front * bytes, behind);
        memcpy(to + behind, *ring, front * bytes);
    }
    free(*ring);
    *ring = to;
    return 0;
}

static uint64_t grown_room(uint64_t room)
{
    return room == 0 ? ROOM_FIRST : 2 * room;
}

/* After a failure, the wedge can only be freed. */
static int grow_wedge(struct wedge *wedge)
{
    const uint64_t grown = grown_room(wedge->room);
    void *frame = wedge->frame;
    int result = grow_ring(&frame, sizeof *wedge->frame, wedge->room, wedge->front, grown);

    wedge->frame = frame;
    if (result != 0 ||
        grow_ring(&wedge->key, sizeof(int64_t), wedge->room, wedge->front, grown) != 0)
        return -1;
    wedge->front = 0;
    wedge->room = grown;
    return 0;
}

static int grow_moments(struct time_windows *windows)
{
    const uint64_t grown = grown_room(windows->room);
    void *moments = windows->moments;
    int result =
        grow_ring(&moments, sizeof *windows->moments, windows->room, windows->front, grown);

    windows->moments = moments;
    if (result != 0)
        return -1;
    windows->front = 0;
    windows->room = grown;
    return 0;
}

/* ---- rows */

static struct moment moment_of(const struct time_windows *windows, uint64_t row)
{
    const uint64_t place = windows->front + (row - windows->first);

    return windows->moments[place < windows->room ? place : place - windows->room];
}

static int push(struct wedge *wedge, uint64_t row, int64_t key)
{
    if (wedge->size == wedge->room && grow_wedge(wedge) != 0)
        return -1;
    wedge_push(wedge, row, key);
    return 0;
}

int time_windows_add(struct time_windows *windows, struct moment moment, const double *row)
{
    const enum nan_policy policy = windows->policy;
    uint64_t place;

    if (windows->rows - windows->first == windows->room && grow_moments(windows) != 0)
        return -1;
    place = windows->front + (windows->rows - windows->first);
    windows->moments[place < windows->room ? place : place - windows->room] = moment;
    for (unsigned i = 0; i < windows->channels; i++) {
        if (push(&windows->wedges[2 * i], windows->rows, ~rules_low_key64(row[i], policy)) != 0 ||
            push(&windows->wedges[2 * i + 1], windows->rows, rules_high_key64(row[i], policy)) != 0)
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
    struct moment moment;

    if (windows->next == windows->rows)
        return false;
    moment = moment_of(windows, windows->next);
    if (next != NULL && reaches(&windows->window, moment, *next))
        return false;
    while (has_left(&windows->window, windows->moments[windows->front], moment)) {
        windows->front = windows->front + 1 < windows->room ? windows->front + 1 : 0;
        windows->first++;
    }
    for (unsigned i = 0; i < 2 * windows->channels; i++)
        wedge_drop(&windows->wedges[i], windows->first);
    *window = (struct window_of_row){
        .row = windows->next++,
        .first = windows->first,
        .moment = moment,
        .first_moment = windows->moments[windows->front],
    };
    return true;
}

int64_t time_windows_low(const struct time_windows *windows, unsigned channel)
{
    return ~wedge_answer(&windows->wedges[2 * channel], KEY64_BELOW);
}

int64_t time_windows_high(const struct time_windows *windows, unsigned channel)
{
    return wedge_answer(&windows->wedges[2 * channel + 1], KEY64_BELOW);
}
