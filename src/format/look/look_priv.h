/* SPDX-License-Identifier: MIT */
/* The look at a table: what its first rows say about how it is written. Pure: it sees bytes and
 * options, and decides by nothing else.
 *
 * Options are laid over the look: what one of them says is not looked for. */
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

struct input;

enum {
    LOOK_ROWS = 100,          /* rows that are looked at */
    LOOK_BYTES = 1024 * 1024, /* bytes in which they have to be */
    LOOK_WORDS = 16,          /* words of a column that are kept, */
    LOOK_WORDS_SHOWN = 6,     /* and said */
    LOOK_TIMES = 8,           /* columns of times that are kept */
    LOOK_HEADER = 8,          /* records of the header that are kept */
};

enum look_kind {
    LOOK_NUMBERS, /* and missing values */
    LOOK_DATES,   /* dates, clocks, or both */
    LOOK_TEXT,
};

struct look_column {
    struct text_field name; /* empty: it has none */
    struct text_field unit;
    struct text_field first; /* field, in the first row; without a start: there is none */
    enum look_kind kind;
    unsigned numbers; /* fields in the rows that are numbers, or words for missing ones */
    unsigned dates;
    unsigned words;                     /* anything else; empty fields do not count */
    unsigned amounts;                   /* of the words: numbers with something beside them */
    unsigned different;                 /* words, each counted once; LOOK_ROWS at most */
    struct text_field word[LOOK_WORDS]; /* the first of them */
    bool turns;                         /* a few words take turns, row by row */
};

/* The times of rows in one column, or in several: a date and a clock. */
struct look_time {
    unsigned count;
    unsigned column[TEXT_TIMES];
    uint64_t line;                       /* of the first row with a time; 0: none has one */
    struct text_field field[TEXT_TIMES]; /* that time */
    struct time_readings readings;       /* the forms that it has in common with those below */
    bool unread;    /* it has another form than the option says; the readings are without that */
    bool goes_back; /* a row is before the one above it, */
    bool goes_on;   /* or behind it */
    bool set_back;  /* one or two steps back, which may be those of a clock */
    bool is_sparse; /* more than one row of ten has none */
    int64_t step;   /* the median distance of rows in nanoseconds */
    struct moment first;
};

struct look {
    struct text_dialect dialect; /* the options, with what was found in their place */
    const char *maker;           /* of the logger that wrote the file; NULL: not known */
    uint64_t passed;             /* lines that stand before the table */
    uint64_t names_line;         /* 0: no line has names */
    uint64_t units_line;
    uint64_t first_line; /* of the first row; 0: there is none */
    bool commented;      /* the names stand in a comment */
    bool counted;        /* the first row may be names, such as 0,1,2,... */
    unsigned rows;
    unsigned count;              /* columns */
    unsigned shift;              /* columns before the first that has a name */
    bool is_table;               /* enough rows are alike for a text of any name */
    const char *at;              /* where the rows begin, */
    uint64_t line;               /* in this line, */
    const char *end;             /* and that of the text that was looked at */
    struct memory_text header;   /* records from the names to the rows that have words, a NUL behind
                                  * each; to be freed */
    struct look_column *columns; /* to be freed */
    struct look_time times[LOOK_TIMES];
    unsigned time_count;
    struct look_time given; /* the columns that an option says, if there are such */
    enum time_unit
        seems;          /* what the times that an option says are, if they are numbers; or TIME_S */
    const char *digits; /* the format of digits that look like dates; or NULL */
    bool months;        /* their decimal years are the firsts of months */
    bool takes_time;    /* the first of them is that of the rows, though no option says so */
};

/* Looks at the first rows. `text` ends with a newline unless it is empty; `whole`: no more follows.
 * `usual` is the delimiter of the format, or 0 if it has to be found. Fields of the look point into
 * the text.
 *
 * TEXT_OPEN: more text is needed to see a header and `least` rows. TEXT_FAULT: there are two
 * readings, of which options have to choose one, or memory runs out. */
enum text_next look_take(struct look *look, const char *name, const char *text, size_t size,
                         bool whole, char usual, unsigned least, const struct text_dialect *dialect,
                         struct error *error);
void look_free(struct look *look);

/* The times of the rows: those of the option, or those that were found and are clear. */
static inline const struct look_time *look_rows_time(const struct look *look)
{
    return look->takes_time ? &look->times[0] : &look->given;
}

/* Their form; NULL: there is none, or it is not clear. */
const struct time_form *look_time_form(const struct look_time *time);

/* The rows that are looked at. */
static inline unsigned look_rows(const struct text_dialect *dialect)
{
    return dialect->look > 0 ? (unsigned)dialect->look : LOOK_ROWS;
}

/* Does a look at more rows say the same as the one by which rows have been read? Otherwise an error
 * says what differs, and which options decide it. */
int look_compare(const struct look *was, const struct look *is, const char *name,
                 struct error *error);

/* Says what was found, in lines. */
void look_show(const struct look *look, struct memory_text *words);

/* Says what the columns of text have, a line each: their first words. */
void look_show_words(const struct look *look, struct memory_text *words);

/* The first of `count` different words of a column: "words of 2: 'attic', 'roof', ...". */
void look_put_words(struct memory_text *text, unsigned column, const struct text_field *words,
                    unsigned count);

/* Says in one line what is not plain in how a table is read by it: what was found that the options
 * do not say, and what is passed over that may be wanted. Nothing: all is plain. `times` are the
 * columns of a time, `count` of them. */
void look_remark(const struct look *look, const struct text_dialect *options, const unsigned *times,
                 unsigned count, bool all, struct memory_text *words);

/* Is a text a table, though only its first rows say so? Waits for two of them, or three between
 * blanks, and uses none of them up. `dialect` may be NULL. */
bool look_is_table(struct input *input, const struct text_dialect *dialect);

#endif
