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
    TEXT_TIMES = 2, /* columns that a time consists of, at most */
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
    char *time_names[TEXT_TIMES];
    unsigned date_blanks; /* in the first of two fields of a time */
    char *others;         /* columns that are not read, "1, 3"; or NULL */
    struct time_form form;
    enum error_code code; /* of errors about the number of columns */
};

/* Checks a list of at most `most` columns: numbers, from 1, and names from the header, separated by
 * commas; a name may be in quotes, as in csv. */
int text_columns_check(const char *list, unsigned most, struct error *error);

/* Reads the header and looks at the first row without using it. TEXT_OPEN: more text is needed;
 * `last`: there is no more. */
enum text_next text_columns_find(struct text_columns *columns, const struct text_lines *lines,
                                 struct text_cursor *cursor, bool last, struct error *error);
void text_columns_free(struct text_columns *columns);

#endif
