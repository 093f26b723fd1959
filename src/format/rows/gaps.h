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
    int64_t longest; /* a longer step is a gap, in nanoseconds; 0 if no step is one */
};

enum { GAP_STEPS = 16 };

/* The last steps between rows whose times never go back. All zero, but for the rule: no row yet. */
struct gaps {
    struct gap_rule rule;
    bool begun;
    bool stepped;   /* rows have a step */
    bool had_usual; /* there was a usual step; every eighth step looks for one */
    struct moment newest;
    moment_count usual;            /* usual step at the last gap; 0 if there was none */
    uint64_t count;                /* steps since the last gap, without those of 0 */
    moment_count steps[GAP_STEPS]; /* step number i is in place i % GAP_STEPS */
    moment_count least;            /* the shortest of these steps */
};

/* Adds a row. Returns true if there is a gap before it. */
bool gaps_add(struct gaps *gaps, struct moment moment);

/* Are there more than a million whole periods, in nanoseconds, between two rows? */
bool gap_is_long(int64_t period, struct moment before, struct moment after);

/* The usual step in nanoseconds: the lower middle of the last 16, from the eighth on. It is 0 if
 * there are fewer, or if a quarter of them are above twice or below half of it. */
moment_count gaps_usual(const struct gaps *gaps);

struct gap_row {
    struct moment moment;
    bool gap;             /* there is a gap before the row */
    struct moment before; /* when the row before the gap ends */
};

/* Rows that windows have not passed yet. All zero, but for the rule of the gaps: no row yet. */
struct gap_rows {
    struct gaps gaps;
    uint64_t stretch;     /* number of the last passed row behind a gap; else of the first row */
    struct moment begins; /* time of this row */
    struct gap_row *rows; /* rows[passed] is row number `first` */
    uint64_t first;
    size_t passed;
    size_t count;
    size_t capacity;
};

/* Adds rows, the first of which has this number; leaves out rows that are there already. Returns
 * -1, with errno set, if memory runs out. */
int gap_rows_add(struct gap_rows *rows, uint64_t number, const struct moment *moments,
                 size_t count);

/* Passes the rows up to this number, which has been added: `stretch` then is that of this row. */
void gap_rows_pass(struct gap_rows *rows, uint64_t number);

/* How long the last row that was passed lasts: until the next, or as long as the usual step if
 * there is a gap, or no next row. */
struct moment gap_rows_until(const struct gap_rows *rows);

void gap_rows_free(struct gap_rows *rows);

#endif
