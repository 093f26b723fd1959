/* SPDX-License-Identifier: MIT */
/* Gaps between rows with times. Where rows have a usual step, a step of more than five times that
 * is a gap: a span ends there, and so does the line of a picture. */
#ifndef GPUENV_FORMAT_ROWS_GAPS_H
#define GPUENV_FORMAT_ROWS_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/moment.h"

/* What the user says about gaps (--gap). */
struct gap_rule {
    bool given;
    int64_t longest; /* a longer step is a gap, in nanoseconds; 0: no step is */
};

enum { GAP_STEPS = 16 };

/* The last steps between rows whose times never go back. All zero, but for the rule: no row yet. */
struct gaps {
    struct gap_rule rule;
    bool begun;
    bool stepped;   /* rows have a step */
    bool had_usual; /* there was a usual step; looked for at every eighth step */
    struct moment newest;
    moment_count usual;            /* step at the last gap; 0: there was none */
    uint64_t count;                /* steps since the last gap, without those of 0 */
    moment_count steps[GAP_STEPS]; /* step number i in place i % GAP_STEPS, */
    moment_count least;            /* and the shortest of them */
};

/* Adds a row. True: there is a gap before it. */
bool gaps_add(struct gaps *gaps, struct moment moment);

/* Are there more than a million whole periods, in nanoseconds, between two rows? */
bool gap_is_long(int64_t period, struct moment before, struct moment after);

/* The usual step in nanoseconds: the lower middle of the last 16, from the eighth on. 0: there is
 * none, because there are fewer, or a quarter of them is above twice or below half of it.
 */
moment_count gaps_usual(const struct gaps *gaps);

struct gap_row {
    struct moment moment;
    bool gap;             /* there is one before it: */
    struct moment before; /* the row before it lasts until then */
};

/* Rows that windows have not passed yet. All zero, but for the rule of the gaps: no row yet. */
struct gap_rows {
    struct gaps gaps;
    uint64_t stretch; /* the number of the last row that was passed behind a gap, or the first */
    struct moment begins; /* when this row is */
    struct gap_row *rows; /* rows[passed] is row number `first` */
    uint64_t first;
    size_t passed;
    size_t count;
    size_t capacity;
};

/* Adds rows, the first of which has this number; those that are there already are left out.
 * Returns -1, with errno set, if memory runs out. */
int gap_rows_add(struct gap_rows *rows, uint64_t number, const struct moment *moments,
                 size_t count);

/* Passes the rows up to this one, which is there: the stretch is its own. */
void gap_rows_pass(struct gap_rows *rows, uint64_t number);

/* How long the last row that was passed lasts: until the next, or as long as the usual step if
 * there is a gap, or no next row. */
struct moment gap_rows_until(const struct gap_rows *rows);

void gap_rows_free(struct gap_rows *rows);

#endif
