/* SPDX-License-Identifier: MIT */
/* The first lines of a text, cut into cells, and the kinds of cells. Private to this folder. */
#ifndef GPUENV_FORMAT_LOOK_LOOK_CELLS_PRIV_H
#define GPUENV_FORMAT_LOOK_LOOK_CELLS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/text/fields_priv.h"

/* What a cell is. */
enum look_cell_kind {
    CELL_EMPTY = 1,
    CELL_MISSING = 2, /* a word for a missing value */
    CELL_NUMBER = 4,
    CELL_DATE = 8,    /* like a date or a clock */
    CELL_AMOUNT = 16, /* a number with something beside it */
    CELL_NAME = 32,   /* any other word */

    CELL_VALUE = CELL_MISSING | CELL_NUMBER | CELL_DATE,
};

/* How a number is written in a cell. */
enum look_signs {
    SIGN_COMMA = 1,   /* with a decimal comma */
    SIGN_GROUPS = 2,  /* with commas between thousands */
    SIGN_EITHER = 4,  /* "1,352": a decimal comma, or one between thousands */
    SIGN_POINTS = 8,  /* with points between thousands */
    SIGN_BLANKS = 16, /* with blanks between thousands */
    SIGN_POINT = 32,  /* with a decimal point */
};

struct look_cell {
    struct text_field field;
    enum look_cell_kind kind;
};

struct look_record {
    uint64_t line;
    unsigned count; /* cells; 0 if the record cannot be read */
    size_t first;   /* index of its first cell */
    unsigned kinds; /* kinds of its cells */
    unsigned words; /* cells that are names or amounts */
    const char *at; /* its text, up to `behind` */
    const char *behind;
    bool again; /* it repeats one of the first three records, with words: perhaps their header */
};

enum { LINES_ABOVE = 200 }; /* lines above the first row, at most */

struct look_records {
    struct look_record *records; /* to be freed */
    unsigned count;
    unsigned most;
    struct look_cell *cells; /* to be freed */
    size_t cell_count;
    size_t capacity;
    struct text_cursor behind; /* behind all records */
};

/* Cuts the text. Returns -1, with errno set, if memory runs out. */
int records_cut(struct look_records *set, const struct text_lines *lines,
                struct text_cursor cursor);

/* Sets the kinds of cells, by the decimal sign and the thousands of these lines. */
void records_tell(struct look_records *set, const struct text_lines *lines);

unsigned look_signs(const struct text_field *field);

/* The error for a field that has to be a number but is not, because of `why`, with advice. */
int text_no_number(const struct text_lines *lines, uint64_t line, unsigned column,
                   const struct text_field *field, const char *why, struct error *error);

#endif
