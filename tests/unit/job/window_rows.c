/* SPDX-License-Identifier: MIT */
/* job/window_rows: each window has its own rows, however they come, and whenever it is taken. */
#include "check.h"
#include "random.h"

#include "job/window_rows_priv.h"

static struct moment moment_of(uint64_t row)
{
    return (struct moment){.seconds = (int64_t)(3 * row)};
}

/* Window `number` is taken as soon as `lag` rows have come after the one that it begins at. */
static void check_windows(uint64_t width, uint64_t hop, uint64_t lag)
{
    enum { ROWS = 500, MOST = 40, SKIPPED = 7 };
    const struct window window = {.width = width, .hop = hop};
    struct window_rows windows = {.rows = NULL};
    uint64_t taken = 0;

    for (uint64_t from = 0; from < ROWS;) {
        const size_t count = 1 + (size_t)random_below(MOST);
        struct moment moments[MOST];
        size_t due = 0;
        const struct sink_rows *rows;

        for (size_t i = 0; i < count; i++)
            moments[i] = moment_of(from + i);
        CHECK(window_rows_add(&windows, &window, moments, count, from, SKIPPED) == 0);
        from += count;
        while ((taken + due) * hop + lag < from)
            due++;
        rows = window_rows_take(&windows, due);
        for (size_t i = 0; i < due; i++, taken++) {
            const uint64_t first = taken * hop;

            CHECK(rows[i].first == SKIPPED + first && rows[i].end == SKIPPED + first + width);
            CHECK(rows[i].first_time.seconds == moment_of(first).seconds);
            if (lag >= width - 1)
                CHECK(rows[i].last_time.seconds == moment_of(first + width - 1).seconds);
        }
    }
    window_rows_free(&windows);
}

int main(void)
{
    static const uint64_t lengths[] = {1, 2, 3, 10, 64, 333};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };

    for (size_t i = 0; i < LENGTHS; i++) {
        for (size_t j = 0; j < LENGTHS; j++) {
            check_windows(lengths[i], lengths[j], lengths[i] - 1);
            check_windows(lengths[i], lengths[j], lengths[i] / 2);
            check_windows(lengths[i], lengths[j], 0);
        }
    }
    return check_result();
}
