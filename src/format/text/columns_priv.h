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
#define TEXT_LEFT_OUT (UINT32_MAX - 1) /* by an option */
#define TEXT_COUNTED (UINT32_MAX - 2)  /* its words are counted */

enum { TEXT_DATES = 160 };

struct text_column {
    unsigned channel; /* TEXT_UNWANTED, TEXT_COUNTED: it is none */
    unsigned plain;   /* so many, from this one on, are the next channels, and no times */
    const char *name; /* "": it has none */
};

struct text_columns {
    unsigned count;    /* 0: not known yet */
    unsigned channels; /* of a frame */
    struct text_column *column;
    unsigned by; /* the column of keys, from 1; 0: there is none */
    struct text_time_columns time;
    bool all; /* columns with numbers by the look are channels */

    const char
        *header; /* its records that have words, a NUL behind each, as the look has them; or NULL */

    struct source_table table; /* for the source; it is in these: */
    const char **names;        /* of the channels, and behind them their units */
    bool named;                /* these names are known */
    bool has_units;
    char *words; /* what all names and units point to */
    const char *time_names[TEXT_TIMES];
    struct memory_text others;
    struct memory_text look;
    struct memory_text remark;
    struct text_words *counts; /* may be NULL */
    char dates[TEXT_DATES];
};

/* Chooses the columns of a table that has been looked at. On success, free them. */
int text_columns_choose(struct text_columns *columns, const struct text_lines *lines,
                        const struct look *look, const struct text_dialect *options,
                        struct error *error);
void text_columns_free(struct text_columns *columns);

#endif
