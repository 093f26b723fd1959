/* Numbers in columns, as text: lines of fields to frames of float64 and, where the user names a
 * column of times, a moment for each. Pure: it gets the bytes of the input in pieces, and keeps no
 * pointer to them.
 *
 * A record is a line of fields, with one channel a column. The fields of csv have commas between
 * them, those of tsv tabs, those of txt blanks (spaces and tabs, also at the ends of the line), or
 * what the dialect says. Blanks around a field do not belong to it. A field may stand in quotes, as
 * RFC 4180 has it: then it may hold all of these, ends of lines, and quotes that are doubled. A
 * line ends with LF or CRLF. Lines of nothing but blanks, and comments, lines that begin with #,
 * are passed over. The first record is a header when none of its fields is a number and one of them
 * is something else; so is a second one like that, of units. */
#ifndef GPUENV_FORMAT_TEXT_PARSER_H
#define GPUENV_FORMAT_TEXT_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/columns.h"
#include "format/text/dialect.h"
#include "format/text/fields.h"
#include "format/text/samples.h"
#include "sample/moment.h"

enum { TEXT_RECORD_MOST = 1024 * 1024 }; /* bytes of a record, the end of its line included */

struct text_parser {
    const struct text_dialect *dialect;
    char usual; /* the delimiter where the dialect does not say it; 0: see text_find_delimiter()
                 */
    struct text_lines lines;
    struct text_values values;
    bool begun;       /* the byte-order mark, or its absence, has been seen */
    uint64_t to_skip; /* lines before the header */
    uint64_t line;    /* the number of the next line, from 1 */
    struct text_columns columns;

    bool timed;         /* a row has been read: */
    struct moment time; /* the last one's, */
    int64_t distance;   /* from it to the next, in nanoseconds; 0: not known */

    uint64_t bad_lines; /* passed over, or read as NaN */
    struct error bad;   /* what was wrong with the first of them */
};

/* More intervals lie between two rows than are written without rows. */
bool text_gap_is_long(const struct text_dialect *dialect, struct moment before,
                      struct moment after);

/* `usual` is the delimiter of the format, or 0 for csv. The name and the dialect have to last. */
void text_parser_init(struct text_parser *parser, const char *name, char usual,
                      const struct text_dialect *dialect);
void text_parser_free(struct text_parser *parser);

/* Reads up to `room` frames from `text`, which begins where the last call left off, and their
 * `moments` if the columns have times. `*used` bytes of it need not be given again; the rest is the
 * beginning of a record that has not ended yet, unless there was no room. Without room the header,
 * comments and empty lines are still used, and `columns` is set as soon as the first row is there.
 *
 * At the end of the input `last` is set, and the text has to end with a newline: one is added where
 * the input has none. Then everything is used, or there is an error.
 *
 * A bad line (text/dialect.h) is an error that names line and column; it is found by the call that
 * has no other frame to give. */
int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, struct moment *moments, size_t room, size_t *got, size_t *used,
                     struct error *error);

/* The error for a record of more than TEXT_RECORD_MOST bytes. */
int text_parser_too_long(const struct text_parser *parser, struct error *error);

#endif
