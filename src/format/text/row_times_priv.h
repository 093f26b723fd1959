/* SPDX-License-Identifier: MIT */
/* The times of rows: the first row says how all times are written; later rows are checked for their
 * order and distance. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_ROW_TIMES_PRIV_H
#define GPUENV_FORMAT_TEXT_ROW_TIMES_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "format/look/look_priv.h"
#include "format/text/keys_priv.h"

/* The columns that a time consists of. */
struct text_time_columns {
    unsigned count; /* 0 if rows have no times */
    unsigned column[TEXT_TIMES];
    unsigned blanks[TEXT_TIMES]; /* blanks in each of these columns */
    struct time_form form;
    bool keyed;          /* rows have keys, too */
    struct moment begin; /* gaps before it do not matter */
};

/* Sets the form of the columns' times to that of the first rows. */
int text_first_time(struct text_time_columns *columns, const struct text_lines *lines,
                    const struct look *look, struct error *error);

/* Where rows lie in time. `lines` and `columns` must stay valid. */
struct text_times {
    const struct text_lines *lines;
    const struct text_time_columns *columns;
    bool skips;                /* rows are skipped: their times are not checked */
    bool ahead;                /* rows are read again: series of keys stay as they are */
    struct text_series series; /* the series of all rows, where they have no keys */
    int64_t distance;          /* distance of rows in nanoseconds; 0 if unknown */
    struct local_span near;    /* where the last local time was found */
    bool depends;              /* a time depended on the row before: shown twice, or unreadable */
    uint64_t offset_line;      /* first line with another offset than the first row; 0 if none */
};

/* The time of a record of a series, whose fields have been taken. */
enum text_next text_take_time(struct text_times *times, const struct text_series *series,
                              uint64_t line, const struct text_field *fields, struct moment *moment,
                              struct error *error);

/* Continues the series with a row at this moment. */
void text_series_go_on(struct text_series *series, struct moment moment);

/* Notes the step to the next row of the series, which has a time of its own. */
void text_series_step(struct text_series *series, struct moment moment);

/* Are there too many intervals without rows between two rows? */
bool text_gap_is_long(const struct text_times *times, struct moment before, struct moment after);

#endif
