/* What the first lines of a table look like, and which of them are its header. Private to this
 * folder. */
#ifndef GPUENV_FORMAT_TEXT_HEADER_PRIV_H
#define GPUENV_FORMAT_TEXT_HEADER_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/fields_priv.h"

/* What a record looks like. */
struct text_look {
    struct text_cursor start;
    struct text_cursor behind;
    unsigned columns;
    bool numbers; /* it has some, or words for missing ones */
    bool words;
    bool blanks;          /* some fields are empty */
    enum error_code odd;  /* of the first field that looks like another dialect */
    enum error_code code; /* of its only field */
};

/* Looks at the next record. */
enum text_next text_look_at(struct text_look *look, const struct text_lines *lines,
                            const struct text_cursor *cursor, struct error *error);

/* A field of a record. */
void text_look_take(const struct text_lines *lines, const struct text_look *look, unsigned column,
                    struct text_field *field);

/* Is it like a date or a clock: "2026-11-20", "7/3/2026", "12:30"? */
bool text_is_date(const struct text_field *field);

/* Looks for a table from the cursor on. If one seems to begin behind this line, the error says how
 * many lines to skip. */
void text_advise_to_skip(const struct text_lines *lines, const struct text_cursor *from,
                         uint64_t behind, struct error *error);

/* The code of the error about a field that is not a number. `alone`: its line has no other. */
enum error_code text_number_code(const struct text_lines *lines, const struct text_field *field,
                                 bool alone);

/* A number with something beside it, as in "<0.006", "40%" and "1,352". */
bool text_is_amount(const struct text_lines *lines, const struct text_field *field);

/* Does a text without other delimiters have columns between blanks? TEXT_RECORD: yes; TEXT_FIELD:
 * no; TEXT_OPEN: more text is needed. `lines` have blanks. */
enum text_next text_has_blanks(const struct text_lines *lines, const struct text_cursor *cursor,
                               bool last, struct error *error);

struct text_header {
    struct text_look first; /* without columns: there is none */
    struct text_look units; /* a second line of it, which has them; the same */
    uint64_t last;          /* its last line */
    const char *end;        /* the end of its text */
    bool counted;           /* the first row may be names, such as 0,1,2,... */
};

/* Finds the header, and moves the cursor behind it. Where no line is one, the last comment before
 * the first row is, if it has as many words as that has fields. TEXT_OPEN: more text is needed;
 * `last`: there is no more. */
enum text_next text_header_find(struct text_header *header, const struct text_lines *lines,
                                const struct text_cursor *comment, struct text_cursor *cursor,
                                bool last, struct error *error);

#endif
