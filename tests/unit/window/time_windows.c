/* SPDX-License-Identifier: MIT */
/* window/time_windows against the definition of windows of time. */
#include "check.h"

#include <stdlib.h>

#include "window/time_windows.h"

enum { ROWS = 2000, CHANNELS = 2 };

struct table {
    unsigned rows;
    struct moment moments[ROWS];
    double values[ROWS][CHANNELS];
};

/* Times that are equal, near and far, also before 1970. */
static void fill(struct table *table)
{
    moment_count count = -(moment_count)(rand() % 50) * MOMENT_SECOND / 7;

    table->rows = (unsigned)rand() % (rand() % 2 == 0 ? ROWS : 100) + 1;
    for (unsigned i = 0; i < table->rows; i++) {
        static const int64_t steps[] = {0, 1, 2, 5, MOMENT_SECOND, INT64_MAX};

        count += rand() % 40 == 0 ? steps[rand() % 6] : steps[rand() % 4];
        table->moments[i] = moment_from_count(count);
        for (unsigned j = 0; j < CHANNELS; j++)
            table->values[i][j] = rand() % 9 == 0   ? (double)NAN
                                  : rand() % 9 == 0 ? (double)INFINITY
                                                    : rand() % 20 - 10;
    }
}

static bool covers(struct time_window window, const struct table *table, unsigned k, unsigned j)
{
    const moment_count after =
        2 * (moment_to_count(table->moments[j]) - moment_to_count(table->moments[k]));

    return window.width == 0 ? j == k
           : window.center   ? after > -window.width && after <= window.width
                             : j <= k && after > -2 * (moment_count)window.width;
}

/* One channel of a window, whose first row has been checked. */
static void check_values(struct time_window window, enum nan_policy policy,
                         const struct table *table, unsigned row, unsigned first, unsigned channel,
                         const struct window_values *values, size_t index)
{
    int64_t low = KEY64_ABOVE;
    int64_t high = KEY64_BELOW;
    unsigned low_at = first;
    unsigned high_at = first;

    for (unsigned j = first; j < table->rows; j++) {
        const int64_t low_key = rules_low_key64(table->values[j][channel], policy);
        const int64_t high_key = rules_high_key64(table->values[j][channel], policy);

        if (!covers(window, table, row, j)) {
            if (j > row)
                break;
            continue;
        }
        low_at = low_key < low ? j : low_at;
        high_at = high_key > high ? j : high_at;
        low = low_key < low ? low_key : low;
        high = high_key > high ? high_key : high;
    }
    CHECK(values->low[index] == low && values->low_at[index] == low_at + 7);
    CHECK(values->high[index] == high && values->high_at[index] == high_at + 7);
}

/* Takes the windows that are complete. */
static uint64_t take(struct time_windows *windows, struct time_window window,
                     enum nan_policy policy, const struct table *table, const struct moment *next)
{
    struct maxima_windows found;
    struct window_values values;
    uint64_t row;
    uint64_t taken = 0;

    while (time_windows_find(windows, next, &found, &row)) {
        for (size_t i = 0; i < found.count; i++) {
            unsigned first = 0;

            while (!covers(window, table, (unsigned)(row + i), first))
                first++;
            CHECK(found.first[i] == first);
            CHECK(time_windows_row(windows, first)->number == first + 7);
            CHECK(moment_to_count(time_windows_row(windows, row + i)->moment) ==
                  moment_to_count(table->moments[row + i]));
        }
        for (unsigned channel = 0; channel < CHANNELS; channel++) {
            time_windows_values(windows, &found, channel, &values);
            for (size_t i = 0; i < found.count; i++)
                check_values(window, policy, table, (unsigned)(row + i), (unsigned)found.first[i],
                             channel, &values, i);
        }
        taken += found.count;
    }
    return taken;
}

/* Adds rows of the table, which have numbers from 7 on. */
static void add(struct time_windows *windows, const struct table *table, unsigned first,
                unsigned count)
{
    struct timed_row rows[MAXIMA_BLOCK];

    for (unsigned i = 0; i < count; i++)
        rows[i] = (struct timed_row){table->moments[first + i], 7 + first + i};
    CHECK(time_windows_add(windows, rows, table->values[first], count) == 0);
}

/* Windows that begin inside the table are those of it all. */
static void check_inside(struct time_window window, enum nan_policy policy,
                         const struct table *table)
{
    struct time_windows *windows = time_windows_open(CHANNELS, window, policy, true);
    const unsigned next = (unsigned)rand() % table->rows;
    unsigned first = 0;
    unsigned some;
    uint64_t left;

    while (!covers(window, table, next, first))
        first++;
    first -= (unsigned)rand() % (first + 1);
    time_windows_begin(windows, first, next);
    for (unsigned i = first; i < table->rows; i += some) {
        some = table->rows - i < MAXIMA_BLOCK ? table->rows - i : MAXIMA_BLOCK;
        add(windows, table, i, some);
    }
    CHECK(time_windows_rows(windows, &left) == table->rows && left == table->rows - next);
    CHECK(take(windows, window, policy, table, NULL) == table->rows - next);
    CHECK(time_windows_rows(windows, &left) == table->rows && left == 0);
    time_windows_close(windows);
}

/* Rows come one by one, in blocks, or in whole blocks. */
static void check_table(struct time_window window, enum nan_policy policy)
{
    static struct table table;
    const unsigned blocks[] = {1, 5, 100, MAXIMA_BLOCK};
    const unsigned most = blocks[rand() % 4];
    struct time_windows *windows = time_windows_open(CHANNELS, window, policy, true);
    uint64_t taken = 0;
    unsigned some;

    fill(&table);
    for (unsigned i = 0; i < table.rows; i += some) {
        some = table.rows - i < most ? table.rows - i : most;
        add(windows, &table, i, some);
        taken += take(windows, window, policy, &table, &table.moments[i + some - 1]);
        CHECK(window.center || taken == i + some);
    }
    taken += take(windows, window, policy, &table, NULL);
    CHECK(taken == table.rows);
    CHECK(time_windows_bytes(windows) > 0 &&
          time_windows_bytes(windows) <=
              (uint64_t)4 * ROWS * (sizeof(struct timed_row) + (uint64_t)CHANNELS * 32));
    time_windows_close(windows);
    check_inside(window, policy, &table);
}

int main(void)
{
    static const int64_t widths[] = {1, 2, 3, 4, 7, 20, MOMENT_SECOND, INT64_MAX, 0};

    srand(1);
    for (unsigned i = 0; i < (CHECK_FEW ? 15 : 60); i++)
        check_table((struct time_window){.width = widths[i % 9],
                                         .center = widths[i % 9] > 0 && rand() % 2 != 0},
                    rand() % 2 != 0 ? NAN_OMIT : NAN_PROPAGATE);
    time_windows_close(NULL);
    return check_result();
}
