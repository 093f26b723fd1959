/* SPDX-License-Identifier: MIT */
#include "job/window_rows_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Makes room for more windows. Drops the taken ones once they are half of all, so that moving the
 * others costs little. */
static int reserve(struct window_rows *windows, size_t more)
{
    const size_t left = windows->count - windows->taken;
    struct sink_rows *rows;

    if (windows->taken >= left && windows->taken > 0) {
        memmove(windows->rows, windows->rows + windows->taken, left * sizeof *windows->rows);
        windows->ended -= (ptrdiff_t)windows->taken;
        windows->taken = 0;
        windows->count = left;
    }
    rows = array_grow(windows->rows, &windows->capacity, windows->count + more, sizeof *rows);
    if (rows == NULL)
        return -1;
    windows->rows = rows;
    return 0;
}

int window_rows_add(struct window_rows *windows, const struct window *window,
                    const struct moment *moments, size_t count, uint64_t from, uint64_t skipped)
{
    const uint64_t last = (window->width - 1) % window->hop;
    uint64_t place = from % window->hop; /* the row's distance from where a window begins */

    if (reserve(windows, count / window->hop + 1) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (place == 0)
            windows->rows[windows->count++] = (struct sink_rows){
                .number = skipped + from + i,
                .first = skipped + from + i,
                .end = skipped + from + i + window->width,
                .first_time = moments[i],
            };
        if (place == last && from + i + 1 >= window->width && windows->ended++ >= 0)
            windows->rows[windows->ended - 1].last_time = moments[i];
        place = place + 1 == window->hop ? 0 : place + 1;
    }
    return 0;
}

const struct sink_rows *window_rows_take(struct window_rows *windows, size_t count)
{
    const struct sink_rows *rows = windows->rows + windows->taken;

    windows->taken += count;
    return rows;
}

void window_rows_free(struct window_rows *windows)
{
    free(windows->rows);
    *windows = (struct window_rows){.rows = NULL};
}
