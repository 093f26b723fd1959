/* The first records of a text: its header, and which columns are read. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_COLUMNS_H
#define GPUENV_FORMAT_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/dialect.h"
#include "format/text/fields.h"
#include "format/text/samples.h"

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
    char *others;         /* a note on columns that are passed over, or NULL */
    struct time_form form;
    enum error_code code; /* of errors about the number of columns */
};

/* Lists of columns: numbers, from 1, and names from the header, with commas between them; a name
 * may stand in quotes, as in csv. Is this such a list, of at most `most` columns? */
int text_columns_check(const char *list, unsigned most, struct error *error);

/* Reads the header and looks at the first row, which is not used up. TEXT_OPEN: more has to be
 * there; `last`: there is no more. */
enum text_next text_columns_find(struct text_columns *columns, const struct text_lines *lines,
                                 const struct text_values *values,
                                 const struct text_dialect *dialect, struct text_cursor *cursor,
                                 bool last, struct error *error);
void text_columns_free(struct text_columns *columns);

#endif
