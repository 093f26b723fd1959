/* The header of a text, and the choice of columns. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_COLUMNS_PRIV_H
#define GPUENV_FORMAT_TEXT_COLUMNS_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory_text.h"
#include "format/source.h"
#include "format/text/fields_priv.h"
#include "format/text/row_times_priv.h"

#define TEXT_UNWANTED UINT32_MAX

enum { TEXT_DATES = 160 };

struct text_columns {
    unsigned count;       /* 0: not known yet */
    unsigned channels;    /* of a frame */
    unsigned *channel_of; /* of each column; TEXT_UNWANTED */
    unsigned *plain;      /* so many, from each column on, are the next channels, and no times */
    unsigned by;          /* the column of keys, from 1; 0: there is none */
    struct text_time_columns time;
    enum error_code code; /* of errors about the number of columns */
    bool all;             /* channels are all columns with numbers; no list says which */

    char *header; /* its text; NULL: there is none */
    size_t header_size;
    size_t names_size; /* of the record of names, the first in it */
    unsigned shift;    /* columns before the first that has a name */

    struct source_table table; /* for the source; it is in these: */
    const char **names;        /* of the channels, and behind them their units */
    char *words;               /* what all names and units point to */
    const char *time_names[TEXT_TIMES];
    struct memory_text others;
    char dates[TEXT_DATES];
};

/* Is it a column of times, or of keys? */
bool text_columns_is_label(const struct text_columns *columns, unsigned column);

/* The name of a column in the header, in `shown`, or "" where it has none. */
void text_columns_name(const struct text_columns *columns, const struct text_lines *lines,
                       unsigned column, char shown[TEXT_SHOWN_ROOM]);

/* Reads the header, or else the comment before it, and looks at the first row without using it.
 * TEXT_OPEN: more text is needed; `last`: there is no more. */
enum text_next text_columns_find(struct text_columns *columns, const struct text_lines *lines,
                                 const struct text_cursor *comment, struct text_cursor *cursor,
                                 bool last, struct error *error);
void text_columns_free(struct text_columns *columns);

#endif
