/* SPDX-License-Identifier: MIT */
/* Lines of text to fields, and fields to samples. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_FIELDS_PRIV_H
#define GPUENV_FORMAT_TEXT_FIELDS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/dialect.h"
#include "format/text/time_form.h"

enum { TEXT_SENTINELS = 16 };

/* The words for missing samples, in upper or lower case, unless the user says others. */
#define TEXT_USUAL_MISSING                                                                         \
    "nan,NA,N/A,null,none,-,--,#N/A,#NA,<NA>,#NULL!,#DIV/0!,#VALUE!,1.#QNAN,-1.#IND"

/* How lines are read. */
struct text_lines {
    const char *name; /* name of the input, in messages */
    const struct text_dialect *dialect;
    char delimiter; /* ' ' for any blanks; 0 if not known yet */
    bool ends[256]; /* the bytes that end a field without quotes */
    char decimal;
    const char *missing;      /* words for missing samples, with commas between */
    bool begins_missing[256]; /* the bytes that these words begin with */
    size_t sentinels;         /* number of these words that are numbers */
    double sentinel[TEXT_SENTINELS];
    bool terse; /* errors about a single line have a code alone: they are counted */
};

/* The name and the dialect must stay valid. */
void text_lines_init(struct text_lines *lines, const char *name, const struct text_dialect *dialect,
                     char delimiter);

/* A place in the text. The text ends with a newline, so that only fields in quotes, which may
 * contain newlines, need to be checked against its end. */
struct text_cursor {
    const char *at;
    const char *end;
    uint64_t line;
};

/* What follows a field. */
enum text_next {
    TEXT_FIELD,
    TEXT_RECORD,
    TEXT_OPEN, /* the text ends inside quotes, or before the next record */
    TEXT_FAULT,
};

struct text_field {
    const char *start;
    const char *end;
    bool quoted;
};

enum text_next text_take_field(const struct text_lines *lines, struct text_cursor *cursor,
                               struct text_field *field);

/* Are the texts equal? Either may have doubled quotes. */
bool text_same(const struct text_field *one, const struct text_field *other);

/* A hash of the text, and a copy that ends with a NUL, with doubled quotes made single; returns the
 * end of the copy, as stpcpy() does. */
uint64_t text_hash(const struct text_field *field);
char *text_copy(const struct text_field *field, char *copy);

#define TEXT_OTHER_KEYS ": is it the right column? (--by)"

/* Is an error about a single line, which can be passed over? */
static inline bool text_is_of_line(enum error_code code)
{
    return code != ERROR_ROWS && code != ERROR_RESOURCE;
}

/* Does an error have a code alone? Then sets the code. */
static inline bool text_is_terse(const struct text_lines *lines, enum error_code code,
                                 struct error *error)
{
    if (!lines->terse || !text_is_of_line(code))
        return false;
    error->code = code;
    return true;
}

/* The error for a field that text_take_field() rejects. */
int text_no_field(const struct text_lines *lines, uint64_t line, unsigned column,
                  const struct text_field *field, struct error *error);

/* The error for a field with a fault: "line 3, column 1: 'x' is a date", and `advice`, which may be
 * NULL. */
int text_wrong_field(const struct text_lines *lines, enum error_code code, uint64_t line,
                     unsigned column, const struct text_field *field, const char *why,
                     const char *advice, struct error *error);

/* Notes the option with which a field that is not a number is passed over, for the command to type
 * instead: a short word may stand for a missing value. */
void text_try_word(const struct text_lines *lines, const struct text_field *field,
                   struct error *error);

/* Skips comments, and lines of blanks or delimiters alone. */
int text_pass_idle_lines(const struct text_lines *lines, struct text_cursor *cursor,
                         struct error *error);

enum { TEXT_SHOWN = 40, TEXT_SHOWN_ROOM = TEXT_SHOWN + 4 };

/* The beginning of a text, for messages. */
const char *text_show_field(const struct text_field *field, char shown[TEXT_SHOWN_ROOM]);

/* A time in one or more fields, as one text with blanks between them. */
struct text_time {
    char joined[TIME_MOST];
    struct text_field text;
};

void text_time_join(struct text_time *time, const struct text_field *fields, unsigned count);

/* ---- lists of columns, as users write them: numbers, from 1, and names */

/* Takes the next item of a list, which may be NULL, without its quotes. False if there are no
 * more. */
bool text_next_item(const char **list, struct text_field *item);

/* The number that an item is, or 0 if it is a name. A number that is too large becomes larger than
 * any column of a text. */
unsigned text_item_number(const struct text_field *item);

/* ---- samples */

enum text_verdict {
    TEXT_NUMBER,
    TEXT_MISSING, /* a word for a missing value */
    TEXT_EMPTY,   /* an empty field: missing as well */
    TEXT_WORD,    /* anything else */
};

/* Missing values are NaN. */
enum text_verdict text_value(const struct text_lines *lines, const struct text_field *field,
                             double *value);

/* Each moves `*at` behind what it passes, and returns the number: of digits; of groups of three
 * digits behind `first` digits, with `sign` (' ': any blank) before each group. */
unsigned text_pass_digits(const char **at, const char *end);
unsigned text_pass_groups(const char **at, const char *end, unsigned first, char sign);

/* Replaces numbers that stand for missing values. */
static inline void text_drop_sentinels(const struct text_lines *lines, double *samples,
                                       size_t count)
{
    for (size_t i = 0; i < lines->sentinels; i++) {
        for (size_t j = 0; j < count; j++) {
            if (samples[j] == lines->sentinel[i])
                samples[j] = __builtin_nan("");
        }
    }
}

#endif
