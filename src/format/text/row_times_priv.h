/* SPDX-License-Identifier: MIT */
/* The times of rows: the first says how all are written; the next ones come in the order, and at
 * the distance, that they must have. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_ROW_TIMES_PRIV_H
#define GPUENV_FORMAT_TEXT_ROW_TIMES_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "format/look/look_priv.h"
#include "format/text/keys_priv.h"

/* The columns that a time consists of. */
struct text_time_columns {
    unsigned count; /* 0: rows have no times */
    unsigned column[TEXT_TIMES];
    unsigned blanks[TEXT_TIMES]; /* in each of them */
    struct time_form form;
    bool keyed;          /* rows have keys, too */
    struct moment begin; /* gaps before it do not matter */
};

/* Sets the form of the columns' times to that of the first rows. */
int text_first_time(struct text_time_columns *columns, const struct text_lines *lines,
                    const struct look *look, struct error *error);

/* Where rows lie in time. What it points to must stay valid. */
struct text_times {
    const struct text_lines *lines;
    const struct text_time_columns *columns;
    bool skips;                /* rows do not count, nor where they lie */
    bool ahead;                /* rows are read again: series of keys stay as they are */
    struct text_series series; /* of all rows, where they have no keys */
    int64_t distance;          /* of rows, in nanoseconds; 0: unknown */
    struct local_span near;    /* where the last local time was found */
    bool depends;         /* a time depends on that of the row before: of two that a clock shows */
    uint64_t offset_line; /* of the first row with another offset than the first row; 0: none */
};

/* The time of a record of a series, whose fields have been taken. */
enum text_next text_take_time(struct text_times *times, const struct text_series *series,
                              uint64_t line, const struct text_field *fields, struct moment *moment,
                              struct error *error);

/* A row of the series lies here. */
void text_series_go_on(struct text_series *series, struct moment moment);

/* The next row of the series has this time of its own. */
void text_series_step(struct text_series *series, struct moment moment);

/* Are there too many intervals without rows between two rows? */
bool text_gap_is_long(const struct text_times *times, struct moment before, struct moment after);

#endif
