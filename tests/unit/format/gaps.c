/* SPDX-License-Identifier: MIT */
/* format/rows/gaps: the usual step, and steps that are gaps; oracle/spans.py has random logs. */
#include "check.h"

#include "format/rows/gaps.h"

static struct moment at(int64_t seconds)
{
    return (struct moment){.seconds = seconds};
}

/* Rows with these steps: is there a gap before the last one? */
static bool is_gap_behind(struct gaps *gaps, const int *steps, size_t count)
{
    int64_t time = 1000;
    bool gap = gaps_add(gaps, at(time));

    for (size_t i = 0; i < count; i++)
        gap = gaps_add(gaps, at(time += steps[i]));
    return gap;
}

#define IS_GAP(...)                                                                                \
    is_gap_behind(&(struct gaps){.begun = false}, (const int[]){__VA_ARGS__},                      \
                  sizeof(const int[]){__VA_ARGS__} / sizeof(int))

/* Where the eight or more steps have a middle that most are near to. */
static void check_usual(void)
{
    CHECK(IS_GAP(1, 1, 1, 1, 1, 1, 1, 1, 6));
    CHECK(!IS_GAP(1, 1, 1, 1, 1, 1, 1, 1, 5));
    CHECK(!IS_GAP(1, 1, 1, 1, 1, 1, 1, 6));
    CHECK(!IS_GAP(1, 1, 1, 0, 1, 1, 1, 1, 6)); /* seven steps and a row at the same time */
    CHECK(IS_GAP(1, 1, 1, 1, 0, 1, 1, 1, 1, 6));
    CHECK(IS_GAP(2, 2, 2, 2, 2, 2, 2, 5, 11));
    CHECK(!IS_GAP(2, 2, 2, 2, 2, 2, 5, 5, 11)); /* a quarter is far from it, */
    CHECK(!IS_GAP(2, 2, 2, 2, 2, 5, 5, 5, 11)); /* and more */
    CHECK(IS_GAP(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 11));  /* three of sixteen, */
    CHECK(!IS_GAP(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 11)); /* and four */
    CHECK(IS_GAP(2, 2, 2, 2, 4, 4, 4, 4, 11));      /* the lower middle; twice is not far */
    CHECK(!IS_GAP(9, 9, 9, 9, 9, 9, 9, 9, 46, 46)); /* counted anew */
    CHECK(IS_GAP(7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6));
}

static void check_rule(void)
{
    struct gaps gaps = {.rule = {.given = true, .longest = 2 * MOMENT_MINUTE}};
    const int steps[] = {1, 121};

    CHECK(is_gap_behind(&gaps, steps, 2));
    gaps = (struct gaps){.rule = {.given = true, .longest = 121 * (int64_t)MOMENT_SECOND}};
    CHECK(!is_gap_behind(&gaps, steps, 2));
    gaps = (struct gaps){.rule = {.given = true}};
    CHECK(!is_gap_behind(&gaps, (const int[]){1, 1, 1, 1, 1, 1, 1, 1, 1000}, 9));
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

int main(void)
{
    check_usual();
    check_rule();
    check_rows();
    return check_result();
}
