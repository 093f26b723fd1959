/* SPDX-License-Identifier: MIT */
/* What the user says about how a table is written. */
#ifndef GPUENV_FORMAT_TEXT_DIALECT_H
#define GPUENV_FORMAT_TEXT_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/time_form.h"

#define TEXT_HEADER_AUTO UINT32_MAX

/* What is done with a bad line: a field is not a number or a time, or there are more or fewer
 * fields. */
enum text_bad_lines {
    TEXT_BAD_ERROR,
    TEXT_BAD_NAN, /* the line becomes a row of NaN */
    TEXT_BAD_SKIP,
};

/* How columns of times are found where no option says them. */
enum text_time_search {
    TEXT_TIMES_NONE,    /* rows have no times */
    TEXT_TIMES_FORWARD, /* columns that the look finds, if their times go forward */
    TEXT_TIMES_FOUND,   /* columns that the look finds, with times in any order */
};

/* This many bad lines before the first good line are an error. */
enum { TEXT_BAD_MOST = 1000 };

struct text_dialect {
    char delimiter;          /* ' ' for any blanks; 0 if not given */
    char decimal;            /* '.' or ','; 0 if not given */
    char thousands;          /* sign between groups of three digits; 0 if there is none */
    const char *columns;     /* the channels (text_columns_check()); all with numbers if NULL */
    const char *not_columns; /* columns that are no channels; may be NULL */
    uint32_t header;         /* lines of the header, or TEXT_HEADER_AUTO */
    uint64_t look;           /* rows that the look waits for and takes; 0 if not given */
    uint64_t skip_lines;     /* lines before the header that are skipped */
    uint64_t skip_footer;    /* lines at the end of the text */
    const char *missing; /* words for missing samples, with commas between; usual ones if NULL */
    enum text_bad_lines bad_lines;
    const char *time; /* columns of times; if NULL, `times` says how to find them */
    enum text_time_search times;
    enum time_unit time_unit;
    bool time_unit_given;
    const char *time_format; /* format of strptime(); ISO 8601 or numbers if NULL */
    const struct zone *zone; /* zone of times without one, and of output times; or NULL */
    int64_t gap_period;      /* nanoseconds; a gap of more than a million periods is an error */
    int64_t late;      /* nanoseconds that a row may lie behind the newest row, or INT64_MAX */
    const char *by;    /* the column of keys; NULL if rows have none */
    bool sorts;        /* sort rows if the look finds them out of order: sets `late` */
    bool any_order;    /* rows may go back in time; the look takes times whose form is clear */
    bool counts_words; /* the words of columns of text are counted, in all rows */
    bool by_distance;  /* rows must lie at equal distances: they give the rate */
};

/* May rows have times? */
static inline bool text_is_timed(const struct text_dialect *dialect)
{
    return dialect->time != NULL || dialect->times != TEXT_TIMES_NONE;
}

enum {
    TEXT_CHANNELS_MOST = 65535,
    TEXT_TIMES = 8, /* columns of a time, at most */
};

/* Checks a list of at most `most` columns: numbers, from 1, and names from the header, separated by
 * commas; a name may be in quotes, as in csv. */
int text_columns_check(const char *list, unsigned most, struct error *error);

/* What is wrong with a list of missing words; NULL if nothing is. */
const char *text_missing_fault(const char *missing);

#endif
