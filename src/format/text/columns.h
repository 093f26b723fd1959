/* The header of a text, and the choice of columns. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_COLUMNS_H
#define GPUENV_FORMAT_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/fields.h"

#define TEXT_UNWANTED UINT32_MAX

enum {
    TEXT_CHANNELS_MOST = 65535,
    TEXT_DATES = 160,
};

struct text_columns {
    unsigned count;       /* 0: not known yet */
    unsigned channels;    /* of a frame */
    unsigned *channel_of; /* of each column; TEXT_UNWANTED */
    bool *is_plain;       /* a channel, and no time */
    unsigned run;         /* from this column on, all are the next channels, in order */
    unsigned times;       /* columns of times */
    unsigned time[TEXT_TIMES];
    char **names; /* of the channels; NULL: there is no header */
    char **units; /* the same; NULL: the header has none */
    char *time_names[TEXT_TIMES];
    unsigned time_blanks[TEXT_TIMES]; /* in the fields of a time */
    unsigned by;                      /* the column of keys, from 1; 0: there is none */
    char *by_name;
    char *others;           /* columns that are not read, "1, 3"; or NULL */
    char dates[TEXT_DATES]; /* columns that seem to hold times: "'day', 'clock'" */
    struct time_form form;
    enum error_code code; /* of errors about the number of columns */

    char *header; /* its text; NULL: there is none */
    size_t header_size;
    size_t names_size;        /* of the record of names, the first in it */
    unsigned shift;           /* columns before the first that has a name */
    uint64_t header_lines[2]; /* its first and its last line */
    bool counted;             /* the first row is 0,1,2,...: it may be names */
    bool all;                 /* channels are all columns with numbers; no list says which */
};

/* Is it a column of times, or of keys? */
bool text_columns_is_label(const struct text_columns *columns, unsigned column);

/* Is this record one of the header, again? Returns its size, or 0. */
size_t text_columns_repeat(const struct text_columns *columns, const struct text_lines *lines,
                           const struct text_cursor *cursor);

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
