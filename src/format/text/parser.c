/* SPDX-License-Identifier: MIT */
/* Most fields are plain numbers, directly followed by a delimiter. They are read without finding
 * their end first; text_take_field() handles all others. */
#include "format/text/parser_priv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "format/text/number.h"

enum { BAD_ROWS_MOST = 1024 * 1024 };

void text_bad_rows_add(struct text_bad_rows *bad, uint64_t number, uint64_t rows)
{
    uint64_t *grown;

    if (number - bad->left_out == BAD_ROWS_MOST) {
        bad->left_out += BAD_ROWS_MOST / 2;
        memmove(bad->rows, bad->rows + BAD_ROWS_MOST / 2, BAD_ROWS_MOST / 2 * sizeof *bad->rows);
    }
    grown = array_grow(bad->rows, &bad->capacity, number - bad->left_out + 1, sizeof *grown);
    if (grown == NULL)
        return;
    bad->rows = grown;
    grown[number - bad->left_out] = rows;
}

uint64_t text_bad_rows_within(const struct text_bad_rows *bad, uint64_t count, uint64_t rows)
{
    while (count > bad->left_out && count - bad->left_out <= bad->capacity &&
           bad->rows[count - bad->left_out - 1] >= rows)
        count--;
    return count;
}

int text_parser_init(struct text_parser *parser, const char *name, const struct look *look,
                     const struct text_dialect *options, struct error *error)
{
    *parser = (struct text_parser){.place.line = look->line};
    text_lines_init(&parser->lines, name, &look->dialect, look->dialect.delimiter);
    parser->place.times.lines = &parser->lines;
    parser->place.times.columns = &parser->columns.time;
    if (look->count > 0 &&
        text_columns_choose(&parser->columns, &parser->lines, look, options, error) != 0)
        return -1;
    parser->words = parser->columns.counts;
    return 0;
}

int text_parser_too_long(const struct text_parser *parser, struct error *error)
{
    return error_set(error, ERROR_FILE, parser->lines.name,
                     "line %llu: is longer than %d bytes: is it text, and is every quote closed?",
                     (unsigned long long)parser->place.line, TEXT_RECORD_MOST);
}

/* ---- fields ---- */

/* The error for a record that ends before this column, or does not end before it. */
static enum text_next wrong_count(const struct text_parser *parser, uint64_t line, unsigned column,
                                  bool ends, struct error *error)
{
    const unsigned count = parser->columns.count;

    if (text_is_terse(&parser->lines, ERROR_FILE, error))
        return TEXT_FAULT;
    error_set(error, ERROR_FILE, parser->lines.name,
              "line %llu, column %u: %s: its rows have %u column%s", (unsigned long long)line,
              column, ends ? "is missing" : "is one too many", count, count == 1 ? "" : "s");
    error->advice = " (see --bad-lines)";
    return TEXT_FAULT;
}

/* True, with the error set, for a line with a comma below numbers alone in a single column. */
static bool has_comma(const struct text_parser *parser, uint64_t line, const char *start,
                      struct error *error)
{
    const struct text_field whole = {.start = start, .end = start + strcspn(start, "\r\n")};

    if (parser->columns.count > 1 || !parser->place.right || parser->lines.terse ||
        look_signs(&whole) == 0)
        return false;
    text_no_number(&parser->lines, line, 1, &whole, "", error);
    return true;
}

/* ---- records ---- */

/* The row that a record becomes. Its series and fields are set as they are taken. */
struct parsed_row {
    double *frame;
    struct moment *moment;       /* NULL if rows have no times */
    const struct row_key **key;  /* NULL if rows have no keys */
    struct text_series *series;  /* the series of the row */
    struct text_field key_field; /* its start is NULL if the row has no key */
    struct text_field times[TEXT_TIMES];
};

/* Finds the series of a row whose fields have been taken. */
static enum text_next find_series(struct text_parser *parser, uint64_t line, struct parsed_row *row,
                                  struct error *error)
{
    const struct text_field *field = &row->key_field;
    const char *why = NULL;
    struct text_key *key;

    row->series = &parser->place.times.series;
    if (row->key == NULL)
        return TEXT_RECORD;
    if (field->end - field->start > TEXT_KEY_BYTES) {
        why = "is longer than a key may be";
    } else {
        key = text_keys_find(parser->keys, field);
        if (key == NULL) {
            error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
            return TEXT_FAULT;
        }
        *row->key = &key->key;
        row->series = &key->series;
        if (parser->keys->count > TEXT_KEYS_MOST)
            why = "is one key more than a million";
    }
    if (why == NULL)
        return TEXT_RECORD;
    text_wrong_field(&parser->lines, ERROR_ROWS, line, parser->columns.by, field, why,
                     TEXT_OTHER_KEYS, error);
    return TEXT_FAULT;
}

/* Keeps the field of a column of keys or times. Returns how often it is a column of the time. */
static unsigned keep_label(const struct text_columns *columns, unsigned column,
                           const struct text_field *field, struct parsed_row *row)
{
    unsigned times = 0;

    if (columns->by == column + 1)
        row->key_field = *field;
    for (unsigned i = 0; i < columns->time.count; i++) {
        if (columns->time.column[i] == column) {
            row->times[i] = *field;
            times++;
        }
    }
    return times;
}

/* Takes any field. Fields of columns that are not read can have any contents. */
static enum text_next take_field(const struct text_parser *parser, struct text_cursor *cursor,
                                 unsigned column, struct parsed_row *row, struct error *error)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned channel = columns->column[column].channel;
    uint64_t line = cursor->line;
    struct text_field field;
    enum text_next next = text_take_field(&parser->lines, cursor, &field);

    if (next == TEXT_OPEN)
        return next;
    if (next == TEXT_FAULT) {
        text_no_field(&parser->lines, line, column + 1, &field, error);
        return next;
    }
    if (channel == TEXT_COUNTED &&
        text_words_add(parser->words, &parser->lines, column, &field) != 0) {
        error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
        return TEXT_FAULT;
    }
    if (channel < columns->channels &&
        text_value(&parser->lines, &field, &row->frame[channel]) == TEXT_WORD) {
        text_no_number(&parser->lines, line, column + 1, &field, "", error);
        return TEXT_FAULT;
    }
    (void)keep_label(columns, column, &field, row);
    return next;
}

/* Takes the numbers of the plain columns from this column on, up to the first that is not a plain
 * number. */
static void take_run(const struct text_parser *parser, struct text_cursor *cursor, unsigned *column,
                     double *frame)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned length = columns->column[*column].plain;
    const bool is_last = *column + length == columns->count;
    const char delimiter = parser->lines.delimiter;
    size_t got;

    cursor->at = number_read_runs_f64(cursor->at, cursor->end, delimiter,
                                      (char)(is_last ? '\n' : delimiter), parser->lines.decimal,
                                      frame + columns->column[*column].channel, length, 1, &got);
    *column += (unsigned)got;
    cursor->line += is_last && got == length;
}

static enum text_next take_fields(const struct text_parser *parser, struct text_cursor *cursor,
                                  struct parsed_row *row, struct error *error)
{
    const struct text_columns *columns = &parser->columns;
    const uint64_t line = cursor->line;
    const char *start = cursor->at;

    for (unsigned column = 0;; column++) {
        enum text_next next;
        bool last;

        if (columns->column[column].plain > 0)
            take_run(parser, cursor, &column, row->frame);
        if (column == columns->count)
            return TEXT_RECORD;
        last = column + 1 == columns->count;
        next = take_field(parser, cursor, column, row, error);
        if (next == TEXT_RECORD && !last)
            return wrong_count(parser, line, column + 2, true, error);
        if (next == TEXT_FIELD && last)
            return has_comma(parser, line, start, error)
                       ? TEXT_FAULT
                       : wrong_count(parser, line, column + 2, false, error);
        if (next != TEXT_FIELD)
            return next;
    }
}

/* Skips a bad line, and finds the fields of its key and of its time, `*times` fields. */
static enum text_next pass_record(const struct text_parser *parser, struct text_cursor *cursor,
                                  struct parsed_row *row, unsigned *times)
{
    const char *start = cursor->at;
    enum text_next next = TEXT_FIELD;

    *times = 0;
    row->key_field.start = NULL;
    for (unsigned column = 0; next == TEXT_FIELD; column++) {
        struct text_field field;

        next = text_take_field(&parser->lines, cursor, &field);
        if (next != TEXT_FAULT)
            *times += keep_label(&parser->columns, column, &field, row);
    }
    if (next != TEXT_FAULT)
        return next;
    start = cursor->at > start ? cursor->at - 1 : start;
    cursor->at = (const char *)memchr(start, '\n', (size_t)(cursor->end - start)) + 1;
    cursor->line++;
    return TEXT_RECORD;
}

/* Makes a row of NaN of a bad line, at the time of the last row if its own cannot be read.
 * TEXT_FIELD: there is no row. */
static enum text_next take_bad(struct text_parser *parser, struct text_cursor *cursor,
                               struct parsed_row *row, const struct error *reason)
{
    const uint64_t line = cursor->line;
    unsigned times;
    struct error error;
    enum text_next next = pass_record(parser, cursor, row, &times);

    if (next != TEXT_RECORD)
        return next;
    if (parser->place.bad_lines++ == 0)
        parser->place.bad = *reason;
    parser->lines.terse = true;
    if (parser->lines.dialect->bad_lines == TEXT_BAD_SKIP)
        return TEXT_FIELD;
    if ((row->key != NULL && row->key_field.start == NULL) ||
        find_series(parser, line, row, &error) != TEXT_RECORD)
        return TEXT_FIELD;
    if (row->moment != NULL && (reason->code == ERROR_TIME || times < parser->columns.time.count ||
                                text_take_time(&parser->place.times, row->series, line, row->times,
                                               row->moment, &error) != TEXT_RECORD)) {
        parser->place.times.depends = true;
        if (!row->series->timed)
            return TEXT_FIELD;
        *row->moment = moment_add(row->series->newest, parser->place.times.distance);
    }
    for (unsigned i = 0; i < parser->columns.channels; i++)
        row->frame[i] = NAN;
    return TEXT_RECORD;
}

/* The size of the record at the cursor if it repeats a record of the header; otherwise 0. */
static size_t repeated_size(const struct text_parser *parser, const struct text_cursor *cursor)
{
    const char *record = parser->columns.header;

    for (size_t size; record != NULL && *record != '\0'; record += size + 1) {
        const char *behind;

        size = strlen(record);
        if (*record != *cursor->at || size >= (size_t)(cursor->end - cursor->at) ||
            memcmp(cursor->at, record, size) != 0)
            continue;
        behind = cursor->at + size + strspn(cursor->at + size, "\r");
        if (*behind == '\n')
            return (size_t)(behind + 1 - cursor->at);
    }
    return 0;
}

/* The error where no line is right so far, with the advice about the time of the first line. */
static enum text_next nothing_right(const struct text_parser *parser, struct error *error)
{
    const struct text_place *place = &parser->place;
    char reason[ERROR_REASON];

    (void)snprintf(reason, sizeof reason, "%s", place->bad.reason);
    error_set(error, ERROR_FILE, parser->lines.name, "none of its %slines is right; the first: %s",
              place->bad_lines >= TEXT_BAD_MOST ? "first 1000 " : "", reason);
    error->advice = place->bad.code == ERROR_TIME ? place->bad.advice : NULL;
    return TEXT_FAULT;
}

/* Does the series go on with this row? */
static bool is_kept(const struct text_parser *parser, const struct parsed_row *row)
{
    return row->key == NULL || !parser->place.times.ahead;
}

/* Takes a record. TEXT_FIELD: a bad line or a repeated header was skipped. */
static enum text_next take_record(struct text_parser *parser, struct text_cursor *cursor,
                                  struct parsed_row *row, struct error *error)
{
    const struct text_cursor start = *cursor;
    const size_t repeated = repeated_size(parser, cursor);
    enum text_next next;

    if (repeated > 0) {
        parser->place.repeats++;
        for (; cursor->at < start.at + repeated; cursor->at++)
            cursor->line += *cursor->at == '\n';
        return TEXT_FIELD;
    }
    next = take_fields(parser, cursor, row, error);
    if (next == TEXT_RECORD)
        next = find_series(parser, start.line, row, error);
    if (next == TEXT_RECORD && row->moment != NULL)
        next = text_take_time(&parser->place.times, row->series, start.line, row->times,
                              row->moment, error);
    if (next == TEXT_RECORD && row->moment != NULL && is_kept(parser, row))
        text_series_step(row->series, *row->moment);
    if (next == TEXT_FAULT && parser->lines.dialect->bad_lines != TEXT_BAD_ERROR &&
        text_is_of_line(error->code)) {
        *cursor = start;
        next = take_bad(parser, cursor, row, error);
        if (next != TEXT_OPEN && !parser->place.right && parser->place.bad_lines >= TEXT_BAD_MOST)
            return nothing_right(parser, error);
    } else if (next == TEXT_RECORD) {
        parser->place.right = true;
    }
    if (next != TEXT_RECORD)
        return next;
    if (row->moment != NULL && is_kept(parser, row))
        text_series_go_on(row->series, *row->moment);
    text_drop_sentinels(&parser->lines, row->frame, parser->columns.channels);
    return TEXT_RECORD;
}

/* Takes records of plain numbers alone, the bulk of most texts, without checks of each line. Stops
 * before the first record that may be anything else. */
static size_t take_plain(struct text_parser *parser, struct text_cursor *cursor, double *frames,
                         size_t capacity)
{
    const struct text_columns *columns = &parser->columns;
    const size_t left = (size_t)(cursor->end - cursor->at);
    const char *end = cursor->at + (left < TEXT_RECORD_MOST ? left : TEXT_RECORD_MOST);
    const char *at;
    size_t got;

    if (columns->column[0].plain < columns->count)
        return 0;
    at = number_read_runs_f64(cursor->at, end, parser->lines.delimiter, '\n', parser->lines.decimal,
                              frames, columns->count, capacity, &got);
    /* Not behind the first numbers of the next line. */
    while (at > cursor->at && at[-1] != '\n')
        at--;
    cursor->at = at;
    cursor->line += got / columns->count;
    text_drop_sentinels(&parser->lines, frames, got);
    parser->place.right = parser->place.right || got >= columns->count;
    parser->place.rows += got / columns->count;
    return got / columns->count;
}

/* ---- the text ---- */

int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, struct moment *moments, const struct row_key **keys,
                     size_t capacity, size_t *got, size_t *used, struct error *error)
{
    const char *newline = memrchr(text, '\n', size);
    struct text_cursor cursor = {
        .at = text, .end = newline == NULL ? text : newline + 1, .line = parser->place.line};
    enum text_next next = TEXT_RECORD;
    bool plain = true; /* most records so far are plain */

    *got = 0;
    *used = size;
    if (parser->columns.count == 0)
        return 0;
    *used = 0;
    while (next == TEXT_RECORD || next == TEXT_FIELD) {
        const uint64_t bad_lines = parser->place.bad_lines;
        struct parsed_row row;

        if (plain) {
            const size_t rows = take_plain(
                parser, &cursor, frames + *got * parser->columns.channels, capacity - *got);

            plain = rows > 0;
            *got += rows;
        }
        if (text_pass_idle_lines(&parser->lines, &cursor, error) != 0)
            next = TEXT_FAULT;
        parser->place.line = cursor.line;
        *used = (size_t)(cursor.at - text);
        if (next == TEXT_FAULT || cursor.at >= cursor.end || *got == capacity)
            break;
        row.frame = frames + *got * parser->columns.channels;
        row.moment = parser->columns.time.count > 0 ? moments + *got : NULL;
        row.key = parser->columns.by > 0 ? keys + *got : NULL;
        row.key_field = (struct text_field){.start = NULL};
        next = take_record(parser, &cursor, &row, error);
        if (next == TEXT_RECORD && cursor.at - (text + *used) > TEXT_RECORD_MOST) {
            (void)text_parser_too_long(parser, error);
            next = TEXT_FAULT;
        }
        *got += next == TEXT_RECORD;
        parser->place.rows += next == TEXT_RECORD;
        if (parser->place.bad_lines > bad_lines && parser->bad_rows != NULL)
            text_bad_rows_add(parser->bad_rows, bad_lines,
                              parser->place.rows - (next == TEXT_RECORD));
    }
    if (next == TEXT_OPEN && last && *used < size) {
        error_set(error, ERROR_FILE, parser->lines.name, "line %llu: ends inside quotes",
                  (unsigned long long)parser->place.line);
        next = TEXT_FAULT;
    }
    if (next != TEXT_FAULT && last && *used == size && parser->place.bad_lines > 0 &&
        !parser->place.right)
        next = nothing_right(parser, error);
    return next == TEXT_FAULT && *got == 0 ? -1 : 0;
}
