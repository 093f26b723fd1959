/* Parses numbers in columns: lines of fields to frames of float64 and, if the user names a column
 * of times, a moment for each. Pure: it gets the bytes of the input in pieces, and keeps no pointer
 * to them.
 *
 * A record is a line of fields; each column is a channel. Fields are separated by commas (csv),
 * tabs (tsv), blanks (txt: spaces and tabs, also at the ends of the line), or what the dialect
 * says. Blanks around a field do not belong to it. A field in quotes (RFC 4180) may contain all of
 * these, ends of lines, and doubled quotes. A line ends with LF, CR LF or CR CR LF. Skipped are
 * blank lines, lines of delimiters alone, comments, which begin with #, and lines that repeat the
 * header, which text/header_priv.h describes.
 */
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
#include "format/text/row_times_priv.h"
#include "sample/moment.h"

enum { TEXT_COMMENT = 2048 };

enum { TEXT_RECORD_MOST = 1024 * 1024 }; /* bytes of a record, the end of its line included */

/* What changes from row to row. A copy brings the parser back to a row. */
struct text_place {
    uint64_t line; /* the number of the next line, from 1 */
    struct text_times times;

    bool right;         /* a line was */
    uint64_t bad_lines; /* skipped, or read as NaN */
    struct error bad;   /* of the first of them */
    uint64_t repeats;   /* of lines of the header */

    unsigned watched; /* rows that are still watched for numbers in columns that are not read */
};

struct text_parser {
    struct text_lines lines;
    bool begun;       /* past the byte-order mark, if there is one */
    uint64_t to_skip; /* lines before the header */
    uint64_t comment_line;
    char comment[TEXT_COMMENT];  /* the last one before the header, without its #; or "" */
    struct text_columns columns; /* to be freed */
    struct text_keys *keys;      /* NULL: rows have none */
    struct text_notice *notice;  /* NULL: nothing is watched */
    struct text_place place;
};

enum {
    TEXT_WATCHED = 100,
    TEXT_NOTICE = 512,
};

/* Columns that are not read because they begin with a word, and that have numbers further down. */
struct text_notice {
    bool *seen;              /* of each column */
    uint64_t *texts;         /* hashes of the last row's fields, by columns */
    unsigned differs;        /* from 1: a column whose text is another one than in the last row */
    bool is_time;            /* it looks like a date or a clock */
    unsigned key;            /* from 1: so it does in two rows at the same time. 0: no column */
    unsigned more;           /* columns for which there was no room */
    char words[TEXT_NOTICE]; /* the others; "": there are none */
};

/* `usual` is the delimiter of the format, or 0 for csv, whose first line says it. The name and the
 * dialect must stay valid. */
void text_parser_init(struct text_parser *parser, const char *name, char usual,
                      const struct text_dialect *dialect);

/* Reads up to `capacity` frames from `text`, which continues where the last call stopped, and their
 * `moments` if the columns have times, and `keys` if they have some. `*used` bytes of it were used;
 * the rest, unless there was no room, is an incomplete record. Without room, the header, comments
 * and blank lines are still used, and `columns` is set as soon as the first row is there.
 *
 * At the end of the input set `last`, and let the text end with a newline even if the input does
 * not. Then everything is used, or there is an error.
 *
 * A bad line (text/dialect.h) is an error that names line and column; so are many before the first
 * good one, or no good one at all. It is reported by the call that has no other frame to return. */
int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, struct moment *moments, const struct row_key **keys,
                     size_t capacity, size_t *got, size_t *used, struct error *error);

/* The error for a record of more than TEXT_RECORD_MOST bytes. */
int text_parser_too_long(const struct text_parser *parser, struct error *error);

#endif
