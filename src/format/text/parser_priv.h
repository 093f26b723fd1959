/* SPDX-License-Identifier: MIT */
/* Parses numbers in columns: lines of fields to frames of float64 and, if the user names a column
 * of times, a moment for each. Pure: it gets the bytes of the input in pieces, and keeps no pointer
 * to them.
 *
 * A record is a line of fields; each column is a channel. Fields are separated by commas (csv),
 * tabs (tsv), blanks (txt: spaces and tabs, also at the ends of the line), or what the dialect
 * says. Blanks around a field do not belong to it. A field in quotes (RFC 4180) may contain all of
 * these, ends of lines, and doubled quotes. A line ends with LF, CR LF or CR CR LF. Skipped are
 * blank lines, lines of delimiters alone, comments, which begin with #, and lines that repeat the
 * header. The look (look/look_priv.h) has found how the text is written before. */
#ifndef GPUENV_FORMAT_TEXT_PARSER_PRIV_H
#define GPUENV_FORMAT_TEXT_PARSER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/columns_priv.h"
#include "format/text/dialect.h"
#include "format/text/fields_priv.h"
#include "format/text/keys_priv.h"
#include "sample/moment.h"

enum { TEXT_RECORD_MOST = 1024 * 1024 }; /* bytes of a record, the end of its line included */

/* Where bad lines are. If there are very many, the earliest are left out. */
struct text_bad_rows {
    uint64_t *rows; /* for each bad line, the number of rows before it */
    size_t capacity;
    uint64_t left_out; /* earlier bad lines, which were left out */
};

/* Adds bad line number `number`, counted from 0, after `rows` rows. It is left out if memory runs
 * out. */
void text_bad_rows_add(struct text_bad_rows *bad, uint64_t number, uint64_t rows);

/* The number of bad lines, among the first `count`, that lie within or before the first `rows`
 * rows. */
uint64_t text_bad_rows_within(const struct text_bad_rows *bad, uint64_t count, uint64_t rows);

/* What changes from row to row. A copy brings the parser back to a row. */
struct text_place {
    uint64_t line; /* the number of the next line, from 1 */
    uint64_t rows; /* rows so far */
    struct text_times times;

    bool right;         /* there was a good line */
    uint64_t bad_lines; /* bad lines that were skipped, or read as NaN */
    struct error bad;   /* error of the first bad line */
    uint64_t repeats;   /* repeated lines of the header */
};

struct text_parser {
    struct text_lines lines;
    struct text_columns columns;    /* to be freed */
    struct text_keys *keys;         /* NULL if rows have none */
    struct text_words *words;       /* collects the words of columns whose words are counted */
    struct text_bad_rows *bad_rows; /* may be NULL */
    struct text_place place;
};

/* Begins to parse the rows of a table after the look; the name and the look must stay valid. On
 * success, free the columns. A text without lines has none. */
int text_parser_init(struct text_parser *parser, const char *name, const struct look *look,
                     const struct text_dialect *options, struct error *error);

/* Reads up to `capacity` frames from `text`, which continues where the last call stopped, their
 * `moments` if the columns have times, and their `keys` if rows have some. `*used` bytes of the
 * text were used; the rest, unless there was no room, is an incomplete record. Without room,
 * comments and blank lines are still used.
 *
 * At the end of the input set `last`, and let the text end with a newline even if the input does
 * not. Then everything is used, or there is an error.
 *
 * A bad line (text/dialect.h) is an error that names line and column; so are many bad lines before
 * the first good line, or no good line at all. It is reported by the call that has no other frame
 * to return. */
int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, struct moment *moments, const struct row_key **keys,
                     size_t capacity, size_t *got, size_t *used, struct error *error);

/* The error for a record of more than TEXT_RECORD_MOST bytes. */
int text_parser_too_long(const struct text_parser *parser, struct error *error);

/* ---- blocks of text, parsed by several threads side by side
 *
 * Blocks are cut at ends of lines, so they must not have quotes, which may contain ends of lines.
 * Errors are reported by the parser that reads in order: it parses the block again, and knows the
 * line numbers. */

struct threads;
struct text_blocks;

/* Opens the blocks of a plain file, whose columns `parser` knows. Returns NULL if rows have to be
 * read in order: with one thread, where rows have to be compared with earlier rows, or if memory
 * runs out. */
struct text_blocks *text_blocks_open(struct threads *threads, int fd,
                                     const struct text_parser *parser);
void text_blocks_close(struct text_blocks *blocks);

/* Reads and parses whole lines from byte `from` of the file on, where a line begins and `left`
 * bytes are left, and moves the parser behind them: `*used` bytes. Returns false, with nothing
 * done, where these lines have to be parsed in order. All rows of the last block must have been
 * taken. */
bool text_blocks_parse(struct text_blocks *blocks, struct text_parser *parser, uint64_t from,
                       uint64_t left, uint64_t *used);

/* Have all rows of the last block been taken? */
bool text_blocks_are_taken(const struct text_blocks *blocks);

/* Takes the next rows, with times and keys where they have some. Returns their number; if it is 0,
 * parse the next block. */
size_t text_blocks_take(struct text_blocks *blocks, double *frames, struct moment *moments,
                        const struct row_key **keys, size_t capacity);

#endif
