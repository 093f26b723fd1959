/* Numbers in columns, as text: lines of fields to frames of float64. Pure: it gets the bytes of the
 * input in pieces, and keeps no pointer to them.
 *
 * A record is a line of fields, with one channel a column. The fields of csv have commas between
 * them, those of tsv tabs, those of txt blanks (spaces and tabs, also at the ends of the line).
 * Blanks around a field do not belong to it. A field may stand in quotes, as RFC 4180 has it: then
 * it may hold all of these, ends of lines, and quotes that are doubled. A line ends with LF or
 * CRLF. Lines of nothing but blanks, and comments, lines that begin with #, are passed over. The
 * first record is a header when none of its fields is a number and one of them is something else.
 */
#ifndef GPUENV_FORMAT_TEXT_PARSER_H
#define GPUENV_FORMAT_TEXT_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    TEXT_RECORD_MOST = 1024 * 1024, /* bytes of a record, the end of its line included */
    TEXT_CHANNELS_MOST = 65535,
};

struct text_parser {
    const char *name;     /* of the input, in messages */
    const char *wanted;   /* see text_parser_init() */
    char delimiter;       /* ',', '\t', or ' ' for any blanks */
    bool begun;           /* the byte-order mark, or its absence, has been seen */
    bool ends[256];       /* the bytes that end a field without quotes */
    uint64_t line;        /* the number of the next line, from 1 */
    unsigned columns;     /* of the text; 0: its first record has not been seen */
    unsigned channels;    /* of a frame */
    unsigned *channel_of; /* of each column; TEXT_UNWANTED */
    enum error_code code; /* of errors about the number of columns */
};

#define TEXT_UNWANTED UINT32_MAX

/* `wanted` says which columns are read, and in which order: numbers, from 1, and names from the
 * header, with commas between them; NULL: all. Both strings have to last. */
void text_parser_init(struct text_parser *parser, const char *name, char delimiter,
                      const char *wanted);
void text_parser_free(struct text_parser *parser);

/* Is this such a list? A column that is numbered 0, or has no name, is an error. */
int text_columns_check(const char *wanted, struct error *error);

/* Reads up to `room` frames from `text`, which begins where the last call left off. `*used` bytes
 * of it need not be given again; the rest is the beginning of a record that has not ended yet,
 * unless there was no room. Without room the header, comments and empty lines are still used, and
 * `columns` and `channels` are set as soon as the first record has ended.
 *
 * At the end of the input `last` is set, and the text has to end with a newline: one is added where
 * the input has none. Then everything is used, or there is an error.
 *
 * What is no number, or a line of too few or too many fields, is an error that names line and
 * column; it is found by the call that has no other frame to give. */
int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, size_t room, size_t *got, size_t *used, struct error *error);

/* The error for a record of more than TEXT_RECORD_MOST bytes. */
int text_parser_too_long(const struct text_parser *parser, struct error *error);

#endif
