/* window/time_windows against the definition of windows of time. */
#include "check.h"

#include <stdlib.h>

#include "window/time_windows.h"

enum { ROWS = 200, CHANNELS = 2 };

struct table {
    unsigned rows;
    struct moment moments[ROWS];
    double values[ROWS][CHANNELS];
};

/* Times that are equal, near and far, also before 1970. */
static void fill(struct table *table)
{
    moment_count count = -(moment_count)(rand() % 50) * MOMENT_SECOND / 7;

    table->rows = (unsigned)rand() % ROWS + 1;
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

    return window.center ? after > -window.width && after <= window.width
                         : j <= k && after > -2 * (moment_count)window.width;
}

static void check_window(const struct time_windows *windows, struct time_window window,
                         enum nan_policy policy, const struct table *table,
                         const struct window_of_row *got)
{
    const unsigned row = (unsigned)got->row.number - 7;
    unsigned first = 0;

    while (!covers(window, table, row, first))
        first++;
    CHECK(got->first.number == first + 7);
    CHECK(moment_to_count(got->first.moment) == moment_to_count(table->moments[first]));
    CHECK(moment_to_count(got->row.moment) == moment_to_count(table->moments[row]));
    for (unsigned channel = 0; channel < CHANNELS; channel++) {
        const struct window_values values = time_windows_values(windows, channel);
        int64_t low = KEY64_ABOVE;
        int64_t high = KEY64_BELOW;
        unsigned low_at = first;
        unsigned high_at = first;

        for (unsigned j = first; j < table->rows; j++) {
            const int64_t low_key = rules_low_key64(table->values[j][channel], policy);
            const int64_t high_key = rules_high_key64(table->values[j][channel], policy);

            if (!covers(window, table, row, j))
                continue;
            low_at = low_key < low ? j : low_at;
            high_at = high_key > high ? j : high_at;
            low = low_key < low ? low_key : low;
            high = high_key > high ? high_key : high;
        }
        CHECK(values.low == low && values.low_at == low_at + 7);
        CHECK(values.high == high && values.high_at == high_at + 7);
    }
}

static void check_table(struct time_window window, enum nan_policy policy)
{
    uint64_t bytes = 0;
    struct time_windows *windows = time_windows_open(CHANNELS, window, policy, &bytes);
    struct window_of_row got;
    struct table table;
    uint64_t taken = 0;

    fill(&table);
    for (unsigned i = 0; i <= table.rows; i++) {
        const struct moment *next = i < table.rows ? &table.moments[i] : NULL;

        while (time_windows_next(windows, next, &got)) {
            CHECK(got.row.number == 7 + taken++);
            check_window(windows, window, policy, &table, &got);
        }
        CHECK(window.center || taken == i);
        if (next != NULL)
            CHECK(time_windows_add(windows, &(struct timed_row){*next, 7 + i}, table.values[i]) ==
                  0);
    }
    CHECK(taken == table.rows);
    CHECK(bytes > 0 && bytes <= 2 * ROWS * (sizeof(struct timed_row) + CHANNELS * 32));
    time_windows_close(windows);
}

int main(void)
{
    static const int64_t widths[] = {1, 2, 3, 4, 7, 20, MOMENT_SECOND, INT64_MAX};

    srand(1);
    for (unsigned i = 0; i < (CHECK_FEW ? 100 : 1000); i++)
        check_table((struct time_window){.width = widths[i % 8], .center = rand() % 2 != 0},
                    rand() % 2 != 0 ? NAN_OMIT : NAN_PROPAGATE);
    time_windows_close(NULL);
    return check_result();
}
