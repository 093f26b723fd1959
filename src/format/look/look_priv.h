/* SPDX-License-Identifier: MIT */
/* The look at a table: what its first rows say about how it is written. Pure: it depends only on
 * bytes and options.
 *
 * Options come first: the look does not search for what an option says. */
#ifndef GPUENV_FORMAT_LOOK_LOOK_PRIV_H
#define GPUENV_FORMAT_LOOK_LOOK_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory_text.h"
#include "format/text/dialect.h"
#include "format/text/fields_priv.h"
#include "format/text/time_readings_priv.h"

enum {
    LOOK_ROWS = 100,          /* rows that are looked at */
    LOOK_BYTES = 1024 * 1024, /* bytes in which these rows have to be */
    LOOK_WORDS = 16,          /* words of a column that are kept */
    LOOK_WORDS_SHOWN = 6,     /* words of a column that are shown */
    LOOK_TIMES = 8,           /* columns of times that are kept */
    LOOK_HEADER = 8,          /* records of the header that are kept */
};

enum look_kind {
    LOOK_NUMBERS, /* numbers and missing values */
    LOOK_DATES,   /* dates, clocks, or both */
    LOOK_TEXT,
};

struct look_column {
    struct text_field name; /* empty if the column has no name */
    struct text_field unit;
    struct text_field first; /* field in the first row; no start if there is none */
    enum look_kind kind;
    unsigned numbers; /* fields in the rows that are numbers, or words for missing numbers */
    unsigned dates;
    unsigned words;                     /* anything else; empty fields do not count */
    unsigned amounts;                   /* words that are numbers with something beside them */
    unsigned different;                 /* words, each counted once; LOOK_ROWS at most */
    struct text_field word[LOOK_WORDS]; /* the first different words */
    bool turns;                         /* a few words take turns, row by row */
};

/* The times of rows in one column, or in several: a date and a clock. */
struct look_time {
    unsigned count;
    unsigned column[TEXT_TIMES];
    uint64_t line;                       /* line of the first row with a time; 0 if none has one */
    struct text_field field[TEXT_TIMES]; /* that time */
    struct time_readings readings;       /* forms that fit all times of the column */
    bool unread;    /* times have another form than the option says; `readings` ignore the option */
    bool goes_back; /* a row is before the row above it */
    bool goes_on;   /* a row is later than the row above it */
    bool set_back;  /* there are one or two steps back, as of a clock that was set back */
    bool is_sparse; /* more than one row of ten has no time */
    int64_t step;   /* the median distance of rows in nanoseconds */
};

struct look {
    struct text_dialect dialect; /* the options, completed by findings of the look */
    const char *maker;           /* maker of the logger that wrote the file; NULL if not known */
    uint64_t passed;             /* lines before the table */
    uint64_t names_line;         /* line of the names; 0 if there is none */
    uint64_t units_line;
    uint64_t first_line; /* line of the first row; 0 if there is none */
    bool commented;      /* the names stand in a comment */
    bool counted;        /* the first row may be names, such as 0,1,2,... */
    unsigned rows;
    unsigned count; /* columns */
    unsigned shift; /* columns before the first column that has a name */
    bool is_table;  /* enough rows are alike for a text of any name */
    const char *at; /* where the rows begin */
    uint64_t line;  /* number of the line in which the rows begin */
    /* The records with words from the names to the rows, a NUL behind each; to be freed. */
    struct memory_text header;
    struct look_column *columns; /* to be freed */
    struct look_time times[LOOK_TIMES];
    unsigned time_count;
    struct look_time given; /* the columns that an option says, if one does */
    enum time_unit seems;   /* unit of the given times, if they are numbers; else TIME_S */
    const char *digits;     /* format of digits that look like dates; may be NULL */
    bool months;            /* the decimal years of these times are the firsts of months */
    bool takes_time;        /* `times[0]` is the time of the rows, though no option says so */
};

/* Looks at the first rows. `text` ends with a newline unless it is empty; `whole`: no more text
 * follows. `usual` is the delimiter of the format, or 0 if the look has to find it. Fields of the
 * look point into the text.
 *
 * TEXT_OPEN: more text is needed to see a header and `least` rows. TEXT_FAULT: an option has to
 * choose between two readings, or memory runs out. */
enum text_next look_take(struct look *look, const char *name, const char *text, size_t size,
                         bool whole, char usual, unsigned least, const struct text_dialect *dialect,
                         struct error *error);
void look_free(struct look *look);

/* The times of the rows: the times that the option says, or clear times that the look found. */
static inline const struct look_time *look_rows_time(const struct look *look)
{
    return look->takes_time ? &look->times[0] : &look->given;
}

/* The form of these times; NULL if there is none, or if it is not clear. */
const struct time_form *look_time_form(const struct look_time *time);

/* The rows that are looked at. */
static inline unsigned look_rows(const struct text_dialect *dialect)
{
    return dialect->look > 0 ? (unsigned)dialect->look : LOOK_ROWS;
}

/* How the number in a field is written, in `enum look_signs` (looking_priv.h); 0 if it is none. */
unsigned look_signs(const struct text_field *field);

/* The error for a field that has to be a number but is not, because of `why`, with advice. */
int text_no_number(const struct text_lines *lines, uint64_t line, unsigned column,
                   const struct text_field *field, const char *why, struct error *error);

/* Does a look at more rows agree with the look by which rows have been read? Otherwise an error
 * says what differs, and which options decide it. */
int look_compare(const struct look *was, const struct look *is, const char *name,
                 struct error *error);

/* Writes the findings in lines. */
void look_show(const struct look *look, struct memory_text *words);

/* Writes a line for each column of text: its first words. */
void look_show_words(const struct look *look, struct memory_text *words);

/* The first of `count` different words of a column: "words of 2: 'attic', 'roof', ...". */
void look_put_words(struct memory_text *text, unsigned column, const struct text_field *words,
                    unsigned count);

/* Says in one line what may surprise in how the table is read: what the look found that no option
 * says, and columns that are not read but may be wanted. Says nothing if there is neither. `times`
 * are the columns of a time, `count` of them. */
void look_remark(const struct look *look, const struct text_dialect *options, const unsigned *times,
                 unsigned count, bool all, struct memory_text *words);

#endif
