/* Every piece of text ends with a newline, so that nothing that stops at one needs to look for the
 * end of the text; only what stands in quotes may hold newlines.
 *
 * Most fields are plain numbers with a delimiter right behind them. They are read without looking
 * for their end first; whatever else comes is taken apart by take_field(). */
#include "format/text_parser.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/number.h"

/* Where the parser is, while it is not sure that the record is there to its end. */
struct cursor {
    const char *at;
    const char *end;
    uint64_t line;
};

/* What follows a field. */
enum next {
    NEXT_FIELD,
    NEXT_RECORD,
    NEXT_OPEN, /* the text ends within quotes */
    NEXT_FAULT,
};

struct field {
    const char *start;
    const char *end;
    bool quoted;
};

void text_parser_init(struct text_parser *parser, const char *name, char delimiter,
                      const char *wanted)
{
    *parser =
        (struct text_parser){.name = name, .wanted = wanted, .delimiter = delimiter, .line = 1};
    parser->ends['\0'] = true;
    parser->ends['\n'] = true;
    parser->ends[(unsigned char)delimiter] = true;
    if (delimiter == ' ')
        parser->ends['\t'] = true;
}

void text_parser_free(struct text_parser *parser)
{
    free(parser->channel_of);
    parser->channel_of = NULL;
}

/* ---- errors ---- */

static int fault(const struct text_parser *parser, uint64_t line, unsigned column, const char *why,
                 struct error *error)
{
    return error_set(error, ERROR_FILE, parser->name, "line %llu, column %u: %s",
                     (unsigned long long)line, column, why);
}

enum { SHOWN = 40 };

/* Enough of it for a message. A character is not cut in the middle. */
static const char *show(const char *start, size_t length, char shown[SHOWN + 4])
{
    bool whole = length < SHOWN;

    if (!whole)
        length = SHOWN - 1;
    while (!whole && length > 0 && (start[length] & 0xc0) == 0x80)
        length--;
    snprintf(shown, SHOWN + 4, "%.*s%s", (int)length, start, whole ? "" : "...");
    return shown;
}

static const char *show_field(const struct field *field, char shown[SHOWN + 4])
{
    return show(field->start, (size_t)(field->end - field->start), shown);
}

/* The code of an error about a field that looks like several with another separator. `alone`: its
 * line has no other field. */
static enum error_code code_of(const struct text_parser *parser, const struct field *field,
                               bool alone)
{
    size_t length = (size_t)(field->end - field->start);
    const char *semicolon = memchr(field->start, ';', length);
    double value;

    if (parser->delimiter == ',' && memchr(field->start, '\t', length) != NULL)
        return ERROR_TABS;
    if (semicolon != NULL &&
        (alone || number_read_f64(field->start, semicolon, &value) == semicolon))
        return ERROR_SEMICOLONS;
    return ERROR_FILE;
}

static int no_number(const struct text_parser *parser, uint64_t line, unsigned column,
                     const struct field *field, struct error *error)
{
    char shown[SHOWN + 4];

    return error_set(error, code_of(parser, field, parser->columns == 1), parser->name,
                     "line %llu, column %u: '%s' is no number", (unsigned long long)line, column,
                     show_field(field, shown));
}

int text_parser_too_long(const struct text_parser *parser, struct error *error)
{
    return error_set(error, ERROR_FILE, parser->name,
                     "line %llu: is longer than %d bytes: is it text, and has every quote its end?",
                     (unsigned long long)parser->line, TEXT_RECORD_MOST);
}

/* ---- fields ---- */

static const char *pass_blanks(const struct text_parser *parser, const char *at)
{
    while (*at == ' ' || (*at == '\t' && parser->delimiter != '\t'))
        at++;
    return at;
}

static bool is_line_end(const char *at)
{
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/* From the end of a field to the beginning of the next one. */
static enum next pass_end(const struct text_parser *parser, struct cursor *cursor, const char *at)
{
    const char *behind = pass_blanks(parser, at);

    if (is_line_end(behind)) {
        cursor->at = behind + (*behind == '\r') + 1;
        cursor->line++;
        return NEXT_RECORD;
    }
    cursor->at = behind;
    if (parser->delimiter == ' ')
        return behind > at ? NEXT_FIELD : NEXT_FAULT;
    cursor->at++;
    return *behind == parser->delimiter ? NEXT_FIELD : NEXT_FAULT;
}

/* From the quote on. */
static enum next take_quoted(const struct text_parser *parser, struct cursor *cursor,
                             const char *quote, struct field *field)
{
    const char *at = quote + 1;

    *field = (struct field){.start = at, .quoted = true};
    for (;;) {
        at = memchr(at, '"', (size_t)(cursor->end - at));
        if (at == NULL)
            return NEXT_OPEN;
        if (at[1] != '"')
            break;
        at += 2;
    }
    field->end = at;
    if (memchr(field->start, '\0', (size_t)(field->end - field->start)) != NULL)
        return NEXT_FAULT;
    for (const char *c = field->start; c < field->end; c++)
        cursor->line += *c == '\n';
    return pass_end(parser, cursor, at + 1);
}

static enum next take_field(const struct text_parser *parser, struct cursor *cursor,
                            struct field *field)
{
    const char *at = pass_blanks(parser, cursor->at);
    const char *end;

    if (*at == '"')
        return take_quoted(parser, cursor, at, field);
    field->start = at;
    field->quoted = false;
    while (!parser->ends[(unsigned char)*at])
        at++;
    end = at;
    if (*at == '\n' && end > field->start && end[-1] == '\r')
        end--;
    while (end > field->start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    field->end = end;
    return pass_end(parser, cursor, at);
}

/* What is wrong with a field that take_field() does not take. */
static int no_field(const struct text_parser *parser, uint64_t line, unsigned column,
                    const struct field *field, struct error *error)
{
    if (!field->quoted || memchr(field->start, '\0', (size_t)(field->end - field->start)) != NULL)
        return fault(parser, line, column, "holds a NUL byte: is this text?", error);
    return fault(parser, line, column, "something follows the quote at its end", error);
}

static bool field_value(const struct field *field, double *value)
{
    const char *start = field->start;
    const char *end = field->end;

    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *value = NAN;
    return start == end || number_read_f64(start, end, value) == end;
}

static bool field_is(const struct field *field, const char *name, size_t length)
{
    const char *at = field->start;

    for (; length > 0; name++, at++, length--) {
        if (at == field->end || *at != *name)
            return false;
        at += field->quoted && *at == '"'; /* doubled */
    }
    return at == field->end;
}

/* ---- the first record ---- */

struct first_record {
    struct cursor start;
    struct cursor behind;
    unsigned columns;
    bool is_header;
    enum error_code code; /* of errors about its columns */
};

static enum next look_at_first(const struct text_parser *parser, const struct cursor *cursor,
                               struct first_record *first, struct error *error)
{
    bool numbers = false;
    bool words = false;
    struct field field;
    enum next next;

    *first = (struct first_record){.start = *cursor, .behind = *cursor};
    do {
        uint64_t line = first->behind.line;
        double value;

        next = take_field(parser, &first->behind, &field);
        first->columns++;
        if (next == NEXT_OPEN)
            return next;
        if (next == NEXT_FAULT) {
            no_field(parser, line, first->columns, &field, error);
            return next;
        }
        if (!field_value(&field, &value))
            words = true;
        else if (field.start < field.end)
            numbers = true;
    } while (next == NEXT_FIELD);
    first->is_header = words && !numbers;
    first->code = first->columns == 1 ? code_of(parser, &field, true) : ERROR_FILE;
    return next;
}

/* Names the columns that are there, as far as there is room. */
static int no_column(const struct text_parser *parser, const struct first_record *first,
                     const char *name, struct error *error)
{
    enum { NAMES = 160 };
    struct cursor cursor = first->start;
    char names[NAMES + SHOWN + 32]; /* with the last name, and how many are left out */
    size_t used = 0;
    unsigned column;

    for (column = 0; column < first->columns && used < NAMES; column++) {
        struct field field;
        char shown[SHOWN + 4];

        (void)take_field(parser, &cursor, &field);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'",
                                 column > 0 ? ", " : "", show_field(&field, shown));
    }
    if (column < first->columns)
        snprintf(names + used, sizeof names - used, " and %u more", first->columns - column);
    return error_set(error, first->code, parser->name, "has no column '%s': it has %s", name,
                     names);
}

/* The column with this name. 0 is an error. */
static unsigned find_name(const struct text_parser *parser, const struct first_record *first,
                          const char *name, size_t length, struct error *error)
{
    struct cursor cursor = first->start;
    unsigned found = 0;
    char shown[SHOWN + 4];

    show(name, length, shown);
    for (unsigned column = 1; first->is_header && column <= first->columns; column++) {
        struct field field;

        (void)take_field(parser, &cursor, &field);
        if (!field_is(&field, name, length))
            continue;
        if (found > 0) {
            error_set(error, ERROR_FILE, parser->name,
                      "columns %u and %u both have the name '%s': choose one by its number", found,
                      column, shown);
            return 0;
        }
        found = column;
    }
    if (!first->is_header)
        error_set(error, ERROR_FILE, parser->name,
                  "its first line, %llu, names no columns: choose '%s' by its number",
                  (unsigned long long)first->start.line, shown);
    else if (found == 0)
        no_column(parser, first, shown, error);
    return found;
}

/* A number, else 0; what is too large is more than the columns of any text. */
static unsigned column_number(const char *item, size_t length)
{
    unsigned number = 0;

    for (size_t i = 0; i < length; i++) {
        if (item[i] < '0' || item[i] > '9')
            return 0;
        if (number <= TEXT_RECORD_MOST)
            number = number * 10 + (unsigned)(item[i] - '0');
    }
    return number;
}

int text_columns_check(const char *wanted, struct error *error)
{
    for (;;) {
        size_t length = strcspn(wanted, ",");

        if (length == 0)
            return error_set(error, ERROR_COLUMNS, NULL, "a column without a number or a name");
        if (strspn(wanted, "0") == length)
            return error_set(error, ERROR_COLUMNS, NULL, "there is no column 0: they count from 1");
        wanted += length;
        if (*wanted == '\0')
            return 0;
        wanted++;
    }
}

static int choose_wanted(struct text_parser *parser, const struct first_record *first,
                         struct error *error)
{
    const char *item = parser->wanted;

    for (unsigned i = 0; i < first->columns; i++)
        parser->channel_of[i] = TEXT_UNWANTED;
    for (parser->channels = 0;; item++) {
        size_t length = strcspn(item, ",");
        unsigned column = column_number(item, length);
        char shown[SHOWN + 4];

        if (column == 0)
            column = find_name(parser, first, item, length, error);
        if (column == 0)
            return -1;
        if (column > first->columns)
            return error_set(error, ERROR_FILE, parser->name,
                             "has %u column%s, and so no column %s", first->columns,
                             first->columns == 1 ? "" : "s", show(item, length, shown));
        if (parser->channel_of[column - 1] != TEXT_UNWANTED)
            return error_set(error, ERROR_FILE, parser->name, "column %u is chosen twice", column);
        parser->channel_of[column - 1] = parser->channels++;
        item += length;
        if (*item == '\0')
            return 0;
    }
}

static int choose_columns(struct text_parser *parser, const struct first_record *first,
                          struct error *error)
{
    parser->channel_of = malloc(first->columns * sizeof *parser->channel_of);
    if (parser->channel_of == NULL)
        return error_system(error, ERROR_FILE, parser->name, errno);
    if (parser->wanted == NULL) {
        for (unsigned i = 0; i < first->columns; i++)
            parser->channel_of[i] = i;
        parser->channels = first->columns;
    } else if (choose_wanted(parser, first, error) != 0) {
        goto error;
    }
    if (parser->channels > TEXT_CHANNELS_MOST) {
        error_set(error, ERROR_FILE, parser->name,
                  "has %u columns, more than %d: choose some of them", parser->channels,
                  TEXT_CHANNELS_MOST);
        goto error;
    }
    parser->columns = first->columns;
    parser->code = first->code;
    return 0;

error:
    text_parser_free(parser);
    return -1;
}

/* The columns are known afterwards, and a header is passed over. */
static enum next take_first(struct text_parser *parser, struct cursor *cursor, struct error *error)
{
    struct first_record first;
    enum next next = look_at_first(parser, cursor, &first, error);

    if (next != NEXT_RECORD)
        return next;
    if (choose_columns(parser, &first, error) != 0)
        return NEXT_FAULT;
    if (first.is_header)
        *cursor = first.behind;
    return NEXT_RECORD;
}

/* ---- the others ---- */

/* A field of which not much is known. One that is not wanted, `value` NULL, can be anything. */
static enum next take_value(const struct text_parser *parser, struct cursor *cursor,
                            unsigned column, double *value, struct error *error)
{
    uint64_t line = cursor->line;
    struct field field;
    enum next next = take_field(parser, cursor, &field);

    if (next == NEXT_FAULT) {
        no_field(parser, line, column, &field, error);
    } else if (next != NEXT_OPEN && value != NULL && !field_value(&field, value)) {
        no_number(parser, line, column, &field, error);
        next = NEXT_FAULT;
    }
    return next;
}

/* The record ends, or does not, with this column. */
static enum next wrong_count(const struct text_parser *parser, uint64_t line, unsigned column,
                             bool ends, struct error *error)
{
    error_set(error, parser->code, parser->name,
              "line %llu, column %u: %s: the first line has %u field%s", (unsigned long long)line,
              column, ends ? "is missing" : "is one too many", parser->columns,
              parser->columns == 1 ? "" : "s");
    return NEXT_FAULT;
}

static enum next take_record(const struct text_parser *parser, struct cursor *cursor, double *frame,
                             struct error *error)
{
    const uint64_t line = cursor->line;
    const char *at = cursor->at;
    unsigned column = 0;

    if (parser->wanted == NULL)
        at = number_read_line_f64(at, cursor->end, parser->delimiter, frame, parser->columns,
                                  &column);
    if (column == parser->columns) {
        cursor->at = at;
        cursor->line++;
        return NEXT_RECORD;
    }
    for (;; column++) {
        unsigned channel = parser->channel_of[column];
        bool last = column + 1 == parser->columns;
        enum next next;

        if (channel != TEXT_UNWANTED) {
            const char *end = number_read_f64(at, cursor->end, &frame[channel]);

            /* A delimiter, and no blank or end of a line behind it. */
            if (!last && end != NULL && *end == parser->delimiter && (unsigned char)end[1] > ' ') {
                at = end + 1;
                continue;
            }
            if (last && end != NULL && *end == '\n') {
                cursor->at = end + 1;
                cursor->line++;
                return NEXT_RECORD;
            }
        }
        cursor->at = at;
        next = take_value(parser, cursor, column + 1,
                          channel == TEXT_UNWANTED ? NULL : &frame[channel], error);
        if (next == NEXT_RECORD && !last)
            return wrong_count(parser, line, column + 2, true, error);
        if (next == NEXT_FIELD && last)
            return wrong_count(parser, line, column + 2, false, error);
        if (next != NEXT_FIELD)
            return next;
        at = cursor->at;
    }
}

/* ---- the text ---- */

/* A byte-order mark is passed over, or names an encoding that is not read. NEXT_OPEN: more has to
 * be there before it can be known. */
static enum next pass_mark(struct text_parser *parser, struct cursor *cursor, size_t size,
                           bool last, struct error *error)
{
    static const struct {
        const char *bytes;
        const char *encoding; /* NULL: UTF-8 */
    } marks[] = {{"\xef\xbb\xbf", NULL}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"}};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i].bytes);

        if (memcmp(cursor->at, marks[i].bytes, size < length ? size : length) != 0)
            continue;
        if (size < length && !last)
            return NEXT_OPEN;
        if (size < length)
            break;
        if (marks[i].encoding != NULL) {
            error_set(error, ERROR_FILE, parser->name, "is text in %s: convert it to UTF-8 first",
                      marks[i].encoding);
            return NEXT_FAULT;
        }
        cursor->at += length;
        break;
    }
    parser->begun = true;
    return NEXT_RECORD;
}

/* Passes over comments and lines of nothing but blanks. */
static int pass_idle_lines(const struct text_parser *parser, struct cursor *cursor,
                           struct error *error)
{
    while (cursor->at < cursor->end && *cursor->at <= '#') {
        const char *at = pass_blanks(parser, cursor->at);
        const char *end = at;

        if (*at == '#') {
            end = memchr(at, '\n', (size_t)(cursor->end - at));
            if (memchr(at, '\0', (size_t)(end - at)) != NULL)
                return fault(parser, cursor->line, 1, "holds a NUL byte: is this text?", error);
        } else if (!is_line_end(at)) {
            break;
        } else if (*at == '\r') {
            end++;
        }
        cursor->at = end + 1;
        cursor->line++;
    }
    return 0;
}

/* The end of the last line that is there. */
static const char *end_of_lines(const char *text, size_t size)
{
    const char *newline = memrchr(text, '\n', size);

    return newline == NULL ? text : newline + 1;
}

int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, size_t room, size_t *got, size_t *used, struct error *error)
{
    struct cursor cursor = {.at = text, .end = end_of_lines(text, size), .line = parser->line};
    enum next next = NEXT_RECORD;

    *got = 0;
    *used = 0;
    if (!parser->begun)
        next = pass_mark(parser, &cursor, size, last, error);
    while (next == NEXT_RECORD) {
        int result = pass_idle_lines(parser, &cursor, error);

        parser->line = cursor.line;
        *used = (size_t)(cursor.at - text);
        if (cursor.at >= cursor.end && result == 0)
            break;
        if (result != 0) {
            next = NEXT_FAULT;
        } else if (parser->columns == 0) {
            next = take_first(parser, &cursor, error);
        } else if (*got < room) {
            next = take_record(parser, &cursor, frames + *got * parser->channels, error);
            *got += next == NEXT_RECORD;
        } else {
            break;
        }
    }
    if (next == NEXT_OPEN && last) {
        error_set(error, ERROR_FILE, parser->name, "line %llu: ends inside quotes",
                  (unsigned long long)parser->line);
        next = NEXT_FAULT;
    }
    return next == NEXT_FAULT && *got == 0 ? -1 : 0;
}
