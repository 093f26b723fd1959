/* SPDX-License-Identifier: MIT */
/* format/rows/gaps: the usual step, and steps that are gaps; oracle/spans.py has random logs. */
#include "table.h"

#include "format/rows/gaps.h"

static struct moment at(int64_t seconds)
{
    return (struct moment){.seconds = seconds};
}

/* Rows with these steps: is there a gap before the last one? */
static bool is_gap_behind(struct gaps *gaps, const char *steps)
{
    int64_t time = 1000;
    bool gap = gaps_add(gaps, at(time));

    for (char *end; *steps != '\0'; steps = end) {
        time += strtol(steps, &end, 10);
        gap = gaps_add(gaps, at(time));
    }
    return gap;
}

static void check_usual(void)
{
    TABLE (row, "usual", 2) {
        struct gaps gaps = {.begun = false};

        CHECK_THAT(is_gap_behind(&gaps, row.field[1]) == (strcmp(row.field[0], "gap") == 0), "%s",
                   row.field[1]);
    }
}

static void check_rule(void)
{
    struct gaps gaps = {.rule = {.given = true, .longest = 2 * MOMENT_MINUTE}};
    const char *const steps = "1 121";

    CHECK(is_gap_behind(&gaps, steps));
    gaps = (struct gaps){.rule = {.given = true, .longest = 121 * (int64_t)MOMENT_SECOND}};
    CHECK(!is_gap_behind(&gaps, steps));
    gaps = (struct gaps){.rule = {.given = true}};
    CHECK(!is_gap_behind(&gaps, "1 1 1 1 1 1 1 1 1000"));
}

static bool lasts_until(const struct gap_rows *rows, int64_t seconds)
{
    const struct moment until = gap_rows_until(rows);

    return until.seconds == seconds && until.nanoseconds == 0;
}

/* Rows that come twice, as after a device that has failed, count once. */
static void check_rows(void)
{
    struct gap_rows rows = {.count = 0};
    struct moment moments[30];

    for (int i = 0; i < 30; i++)
        moments[i] = at(i < 20 ? 10 * i : 1000 + 10 * i);
    CHECK(gap_rows_add(&rows, 100, moments, 12) == 0);
    gap_rows_pass(&rows, 105);
    CHECK(lasts_until(&rows, 60) && rows.stretch == 100);
    CHECK(gap_rows_add(&rows, 104, moments + 4, 26) == 0);
    gap_rows_pass(&rows, 119);
    CHECK(lasts_until(&rows, 200) && rows.stretch == 100 && rows.begins.seconds == 0);
    gap_rows_pass(&rows, 120);
    CHECK(lasts_until(&rows, 1210) && rows.stretch == 120 && rows.begins.seconds == 1200);
    gap_rows_pass(&rows, 129);
    CHECK(lasts_until(&rows, 1300) && rows.stretch == 120);
    gap_rows_free(&rows);
}

CHECK_MAIN(check_usual, check_rule, check_rows)
