/* SPDX-License-Identifier: MIT */
/* The header of a text, the choice of columns, and the times of rows. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_COLUMNS_PRIV_H
#define GPUENV_FORMAT_TEXT_COLUMNS_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory_text.h"
#include "format/look/look_priv.h"
#include "format/source.h"
#include "format/text/fields_priv.h"
#include "format/text/keys_priv.h"

/* ---- the times of rows: the first row says how all times are written; later rows are checked for
 * their order and distance */

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

/* ---- columns */

#define TEXT_UNWANTED UINT32_MAX
#define TEXT_LEFT_OUT (UINT32_MAX - 1) /* an option leaves the column out */
#define TEXT_COUNTED (UINT32_MAX - 2)  /* the words of the column are counted */

enum { TEXT_DATES = 160 };

struct text_column {
    unsigned channel; /* TEXT_UNWANTED or TEXT_COUNTED if the column is none */
    unsigned plain;   /* from here on, this number of columns are the next channels, and no times */
    const char *name; /* "" if it has none */
};

struct text_columns {
    unsigned count;    /* 0 if not known yet */
    unsigned channels; /* channels of a frame */
    struct text_column *column;
    unsigned by; /* the column of keys, counted from 1; 0 if there is none */
    struct text_time_columns time;
    bool all; /* all columns that have numbers, by the look, are channels */

    /* The records of the header that have words, a NUL behind each; may be NULL. */
    const char *header;

    struct source_table table; /* table of the source; it points to the members below */
    struct text_keys texts;    /* names of all columns, and units of the channels */
    const char **names;        /* names of the channels, and behind them their units */
    bool named;                /* the names of the channels are known */
    bool has_units;
    const char *time_names[TEXT_TIMES];
    struct memory_text others;
    struct memory_text look;
    struct memory_text remark;
    struct text_words *counts; /* may be NULL */
    char dates[TEXT_DATES];
};

/* Chooses the columns of a table after the look. On success, free them. */
int text_columns_choose(struct text_columns *columns, const struct text_lines *lines,
                        const struct look *look, const struct text_dialect *options,
                        struct error *error);
void text_columns_free(struct text_columns *columns);

#endif
