/* SPDX-License-Identifier: MIT */
#include "format/rows/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    STEPS_LEAST = 8, /* steps that a usual step needs */
    GAP_TIMES = 5,   /* a step longer than GAP_TIMES usual steps is a gap */
    PERIODS_MOST = 1000000,
};

/* ---- the usual step ---- */

static unsigned steps_of(const struct gaps *gaps)
{
    return gaps->count < GAP_STEPS ? (unsigned)gaps->count : GAP_STEPS;
}

static void sort_steps(const struct gaps *gaps, moment_count sorted[GAP_STEPS])
{
    for (unsigned i = 0; i < steps_of(gaps); i++) {
        unsigned at = i;

        for (; at > 0 && sorted[at - 1] > gaps->steps[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = gaps->steps[i];
    }
}

moment_count gaps_usual(const struct gaps *gaps)
{
    const unsigned count = steps_of(gaps);
    moment_count sorted[GAP_STEPS];
    moment_count usual;
    unsigned others = 0;

    if (count < STEPS_LEAST)
        return 0;
    sort_steps(gaps, sorted);
    usual = sorted[(count - 1) / 2];
    for (unsigned i = 0; i < count; i++)
        others += sorted[i] > 2 * usual || 2 * sorted[i] < usual;
    return 4 * others >= count ? 0 : usual;
}

/* Puts a step in place of the oldest. */
static void add_step(struct gaps *gaps, moment_count step)
{
    moment_count *const place = &gaps->steps[gaps->count % GAP_STEPS];
    const bool was_least = gaps->count >= GAP_STEPS && *place == gaps->least;

    *place = step;
    if (gaps->count++ == 0 || step <= gaps->least) {
        gaps->least = step;
    } else if (was_least) {
        gaps->least = step;
        for (unsigned i = 0; i < GAP_STEPS; i++)
            gaps->least = gaps->steps[i] < gaps->least ? gaps->steps[i] : gaps->least;
    }
}

static bool is_gap(const struct gaps *gaps, moment_count step)
{
    moment_count usual;

    if (gaps->rule.given)
        return gaps->rule.longest > 0 && step > gaps->rule.longest;
    /* The usual step is at least the shortest step, so most steps need no sorting. */
    usual = gaps->count > 0 && step > GAP_TIMES * gaps->least ? gaps_usual(gaps) : 0;
    return usual > 0 && step > GAP_TIMES * usual;
}

bool gaps_add(struct gaps *gaps, struct moment moment)
{
    const moment_count step =
        gaps->begun ? moment_to_count(moment) - moment_to_count(gaps->newest) : 0;
    const bool gap = is_gap(gaps, step);

    gaps->begun = true;
    gaps->stepped = gaps->stepped || step > 0;
    gaps->newest = moment;
    if (gap) {
        gaps->usual = gaps_usual(gaps);
        gaps->count = 0;
    } else if (step > 0) {
        add_step(gaps, step);
    }
    if (!gaps->had_usual && step > 0 && gaps->count % STEPS_LEAST == 0)
        gaps->had_usual = gaps_usual(gaps) > 0;
    return gap;
}

bool gap_is_long(int64_t period, struct moment before, struct moment after)
{
    return after.seconds - before.seconds >= period / (MOMENT_SECOND / PERIODS_MOST) &&
           moment_divide(moment_to_count(after), period) -
                   moment_divide(moment_to_count(before), period) - 1 >
               PERIODS_MOST;
}

/* ---- rows ---- */

/* Drops passed rows if they are more than half of all rows, and makes room for a row. */
static int make_room(struct gap_rows *rows)
{
    const size_t left = rows->count - rows->passed;
    struct gap_row *grown;

    if (rows->passed > left) {
        memmove(rows->rows, rows->rows + rows->passed, left * sizeof *rows->rows);
        rows->passed = 0;
        rows->count = left;
    }
    grown = array_grow(rows->rows, &rows->capacity, rows->count + 1, sizeof *grown);
    if (grown == NULL)
        return -1;
    rows->rows = grown;
    return 0;
}

int gap_rows_add(struct gap_rows *rows, uint64_t number, const struct moment *moments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const moment_count last = moment_to_count(rows->gaps.newest);
        struct gap_row row = {.moment = moments[i]};

        if (!rows->gaps.begun) {
            rows->first = rows->stretch = number;
            rows->begins = row.moment;
        } else if (number + i < rows->first + (rows->count - rows->passed)) {
            continue;
        }
        if (make_room(rows) != 0)
            return -1;
        row.gap = gaps_add(&rows->gaps, row.moment);
        row.before = moment_from_count(last + rows->gaps.usual);
        rows->rows[rows->count++] = row;
    }
    return 0;
}

void gap_rows_pass(struct gap_rows *rows, uint64_t number)
{
    for (; rows->first <= number; rows->first++, rows->passed++) {
        const struct gap_row *row = &rows->rows[rows->passed];

        if (row->gap) {
            rows->stretch = rows->first;
            rows->begins = row->moment;
        }
    }
}

struct moment gap_rows_until(const struct gap_rows *rows)
{
    const struct gaps *gaps = &rows->gaps;
    const struct gap_row *row = &rows->rows[rows->passed];

    if (rows->passed == rows->count)
        return moment_from_count(moment_to_count(gaps->newest) + gaps_usual(gaps));
    return row->gap ? row->before : row->moment;
}

void gap_rows_free(struct gap_rows *rows)
{
    free(rows->rows);
}
