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
    TEXT_BAD_NAN, /* it is a row of NaN */
    TEXT_BAD_SKIP,
};

/* Where no option says the columns of times. */
enum text_time_search {
    TEXT_TIMES_NONE,    /* rows have no times */
    TEXT_TIMES_FORWARD, /* those that the look finds, if there are some that go forward, */
    TEXT_TIMES_FOUND,   /* or in any order */
};

/* So many bad lines before the first good one are an error. */
enum { TEXT_BAD_MOST = 1000 };

struct text_dialect {
    char delimiter;          /* ' ' for any blanks; 0: not given */
    char decimal;            /* '.' or ','; 0: not given */
    char thousands;          /* between groups of three digits; 0: nothing is */
    const char *columns;     /* the channels (text_columns_check()); NULL: all with numbers */
    const char *not_columns; /* columns that are no channels; NULL: none is said */
    uint32_t header;         /* lines, or TEXT_HEADER_AUTO */
    uint64_t look;           /* rows that the look waits for, and is at; 0: not given */
    uint64_t skip_lines;     /* before the header */
    uint64_t skip_footer;    /* lines at the end of the text */
    const char *missing;     /* words for missing samples, with commas between; NULL: the usual */
    enum text_bad_lines bad_lines;
    const char *time; /* the columns of times; NULL: `times` says whether rows have some */
    enum text_time_search times;
    enum time_unit time_unit;
    bool time_unit_given;
    const char *time_format; /* of strptime(); NULL: ISO 8601, or numbers */
    const struct zone *zone; /* of times that say none, and of those that are written; or NULL */
    int64_t gap_period;      /* a million of these, in nanoseconds, without a row are an error */
    int64_t
        late; /* how far behind the newest row a row may lie, in nanoseconds; INT64_MAX: anywhere */
    const char *by;    /* the column of keys; NULL: rows have none */
    bool sorts;        /* rows that the look finds out of order are to be sorted: `late` */
    bool any_order;    /* rows may go back in time; times are those that are clear */
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
    TEXT_TIMES = 8, /* columns that a time consists of, at most */
};

/* Checks a list of at most `most` columns: numbers, from 1, and names from the header, separated by
 * commas; a name may be in quotes, as in csv. */
int text_columns_check(const char *list, unsigned most, struct error *error);

/* What is wrong with a list of missing words; or NULL. */
const char *text_missing_fault(const char *missing);

#endif
