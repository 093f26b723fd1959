/* SPDX-License-Identifier: MIT */
/* The header of a text, and the choice of columns. Private to this folder. */
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
#include "format/text/row_times_priv.h"

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
