/* SPDX-License-Identifier: MIT */
/* A look while it is taken: the first lines of a text, cut into cells, and the kinds of cells.
 * Private to this folder. */
#ifndef GPUENV_FORMAT_LOOK_LOOKING_PRIV_H
#define GPUENV_FORMAT_LOOK_LOOKING_PRIV_H

#include "format/look/look_priv.h"

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

#define NO_RECORD UINT32_MAX

struct looking {
    struct look *look;
    const char *name;
    struct text_cursor cursor; /* where the records begin */
    struct text_lines lines;
    struct look_records set;
    char usual; /* the delimiter of the format */
    bool whole;
    bool delimiter_given; /* the user or the text itself says the delimiter */
    bool has_events;      /* a column without a number in the look has events of the logger */
    uint32_t header;      /* lines of the header, or TEXT_HEADER_AUTO */
    unsigned names;       /* the record with the names, or NO_RECORD */
    unsigned units;
    unsigned first; /* the first record with as many cells as rows have, and a value */
    unsigned row;   /* the first row */
    const struct look_cell *either; /* a cell with a comma: decimal, or between thousands */
    struct error *error;
};

/* The numbers of a record. */
struct look_numbers {
    unsigned count;
    double first;
    double step; /* step between all numbers; 0 if there is none */
    bool rise;   /* each number is larger than the number before it */
    bool years;  /* all numbers are years */
    bool words;  /* there are words, too, or the first cell is empty */
};

struct look_numbers look_numbers_of(const struct looking *looking, unsigned record);

static inline const struct look_cell *look_cell_at(const struct looking *looking, unsigned record,
                                                   unsigned column)
{
    return &looking->set.cells[looking->set.records[record].first + column];
}

/* Has the record a cell of these kinds? */
static inline bool look_record_has(const struct looking *looking, unsigned record, unsigned kinds)
{
    return (looking->set.records[record].kinds & kinds) != 0;
}

/* Do the first cells of a record fit the columns, or belong to the `kinds`, and is one of them a
 * value? */
bool look_fits(const struct looking *looking, unsigned record, unsigned kinds);

/* Cuts the text by the delimiter of the option or the format, or else by the delimiter that fits
 * best. */
int look_choose_delimiter(struct looking *looking, char usual);

/* Finds the decimal sign and the sign between thousands, from all cells. */
int look_choose_signs(struct looking *looking);

/* How many cells most records have, but for headers that are repeated; of two such numbers the
 * larger one. */
unsigned look_usual_count(const struct look_records *set);

/* The first record with `count` cells that has one of these kinds. */
unsigned look_find_values(const struct looking *looking, unsigned count, unsigned kinds);

/* A text without a number: one line of it, or two with units, is a header without rows. */
void look_take_words(struct looking *looking);

/* Finds the header, and so the first row. */
int look_find_header(struct looking *looking);

/* Takes the names and units of the columns. `text` is the whole text. */
void look_find_names(struct looking *looking, const char *text);

/* Finds the columns of times, and how times in the columns of the option are written. */
void look_find_times(struct looking *looking);

/* The times by the option, or the first that the look found; NULL if there are none. */
const struct look_time *look_first_times(const struct look *look);

#endif
