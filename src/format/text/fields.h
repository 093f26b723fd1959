/* Lines of text to fields. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_FIELDS_H
#define GPUENV_FORMAT_TEXT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sample/time_form.h"

/* What ends a field. */
struct text_lines {
    const char *name; /* of the input, in messages */
    char delimiter;   /* ' ' for any blanks */
    bool ends[256];   /* the bytes that end a field without quotes */
};

void text_lines_init(struct text_lines *lines, const char *name, char delimiter);

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

/* The error for a field that text_take_field() rejects. */
int text_no_field(const struct text_lines *lines, uint64_t line, unsigned column,
                  const struct text_field *field, struct error *error);

/* The error for a field that says something wrong: "line 3, column 1: 'x' is no number". */
int text_wrong_field(const struct text_lines *lines, enum error_code code, uint64_t line,
                     unsigned column, const struct text_field *field, const char *why,
                     struct error *error);

/* Skips comments and blank lines. */
int text_pass_idle_lines(const struct text_lines *lines, struct text_cursor *cursor,
                         struct error *error);

/* A copy of the field, with doubled quotes made single; to be freed. NULL: out of memory. */
char *text_field_copy(const struct text_field *field);

enum { TEXT_SHOWN = 40, TEXT_SHOWN_ROOM = TEXT_SHOWN + 4 };

/* The beginning of a text, for messages. */
const char *text_show(const char *start, size_t length, char shown[TEXT_SHOWN_ROOM]);
const char *text_show_field(const struct text_field *field, char shown[TEXT_SHOWN_ROOM]);

/* A time in one or two fields, as one text. */
struct text_time {
    char joined[TIME_MOST];
    struct text_field text;
};

void text_time_join(struct text_time *time, const struct text_field *fields, unsigned count);

#endif
