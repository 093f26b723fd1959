/* Most fields are plain numbers, directly followed by a delimiter. They are read without finding
 * their end first; text_take_field() handles all others. */
#include "format/text/parser_priv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/text/header_priv.h"
#include "format/text/number.h"

void text_parser_init(struct text_parser *parser, const char *name, char usual,
                      const struct text_dialect *dialect)
{
    *parser = (struct text_parser){.to_skip = dialect->skip_lines, .place.line = 1};
    if (dialect->delimiter != '\0')
        usual = dialect->delimiter;
    text_lines_init(&parser->lines, name, dialect, usual);
    parser->place.times.lines = &parser->lines;
    parser->place.times.columns = &parser->columns.time;
}

int text_parser_too_long(const struct text_parser *parser, struct error *error)
{
    return error_set(error, ERROR_FILE, parser->lines.name,
                     "line %llu: is longer than %d bytes: is it text, and has every quote its end?",
                     (unsigned long long)parser->place.line, TEXT_RECORD_MOST);
}

/* ---- fields ---- */

/* The record ends before this column, or does not end before it. */
static enum text_next wrong_count(const struct text_parser *parser, uint64_t line, unsigned column,
                                  bool ends, struct error *error)
{
    const unsigned count = parser->columns.count;
    const bool more = !ends && parser->columns.code == ERROR_FILE;

    if (!text_is_terse(&parser->lines, ERROR_FILE, error))
        error_set(error, more ? ERROR_MORE_FIELDS : parser->columns.code, parser->lines.name,
                  "line %llu, column %u: %s: the first line has %u field%s",
                  (unsigned long long)line, column, ends ? "is missing" : "is one too many", count,
                  count == 1 ? "" : "s");
    return TEXT_FAULT;
}

/* Is a line below numbers alone, in a single column, one with a comma in it? */
static bool has_comma(const struct text_parser *parser, uint64_t line, const char *start,
                      struct error *error)
{
    struct text_field whole = {.start = start, .end = start + strcspn(start, "\r\n")};
    enum error_code code;

    if (parser->columns.count > 1 || !parser->place.right || parser->lines.terse ||
        whole.end[-1] == ',')
        return false;
    code = text_field_code(&parser->lines, &whole, false);
    if (code != ERROR_THOUSANDS && code != ERROR_BIG_NUMBER && code != ERROR_DECIMAL_COMMA)
        return false;
    text_wrong_field(&parser->lines, code, line, 1, &whole, "is not a number", error);
    return true;
}

/* ---- records ---- */

/* The row that a record becomes. */
struct parsed_row {
    double *frame;
    struct moment *moment;       /* NULL: rows have no times */
    const struct row_key **key;  /* NULL: rows have no keys */
    struct text_series *series;  /* which it belongs to */
    struct text_field key_field; /* without a start: it has none */
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
    text_wrong_field(&parser->lines, ERROR_KEYS, line, parser->columns.by, field, why, error);
    return TEXT_FAULT;
}

/* Notices whether the text in a column that is not read has changed. */
static void watch_text(struct text_notice *notice, unsigned column, const struct text_field *field)
{
    const uint64_t hash = text_hash(field);

    if (notice->texts[column] != hash && notice->differs == 0) {
        notice->differs = column + 1;
        notice->is_time = text_is_date(field);
    }
    notice->texts[column] = hash;
}

/* Notices a number in a column that is not read. */
static void watch_field(const struct text_parser *parser, uint64_t line, unsigned column,
                        const struct text_field *field)
{
    const struct text_columns *columns = &parser->columns;
    struct text_notice *notice = parser->notice;
    const size_t used = strlen(notice->words);
    char name[TEXT_SHOWN_ROOM];
    char shown[TEXT_SHOWN_ROOM];
    double value;
    int length;

    if (notice->seen[column] || text_columns_is_label(columns, column) ||
        (text_value(&parser->lines, field, &value) != TEXT_NUMBER &&
         !text_is_amount(&parser->lines, field)))
        return;
    notice->seen[column] = true;
    text_columns_name(columns, &parser->lines, column, name);
    length = snprintf(notice->words + used, sizeof notice->words - used,
                      "%s%u%s%s%s (line %llu: '%s')", used > 0 ? ", " : "", column + 1,
                      name[0] != '\0' ? " '" : "", name, name[0] != '\0' ? "'" : "",
                      (unsigned long long)line, text_show_field(field, shown));
    if (length < (int)(sizeof notice->words - used))
        return;
    notice->words[used] = '\0';
    notice->more++;
}

/* Any field. One of a column that is not read can be anything. */
static enum text_next take_field(const struct text_parser *parser, struct text_cursor *cursor,
                                 unsigned column, struct parsed_row *row, struct error *error)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned channel = columns->channel_of[column];
    uint64_t line = cursor->line;
    struct text_field field;
    enum text_next next = text_take_field(&parser->lines, cursor, &field);

    if (next == TEXT_OPEN)
        return next;
    if (next == TEXT_FAULT) {
        text_no_field(&parser->lines, line, column + 1, &field, error);
        return next;
    }
    if (channel != TEXT_UNWANTED &&
        text_value(&parser->lines, &field, &row->frame[channel]) == TEXT_WORD) {
        text_wrong_field(&parser->lines,
                         parser->lines.terse
                             ? ERROR_NO_NUMBER
                             : text_number_code(&parser->lines, &field, columns->count == 1),
                         line, column + 1, &field, "is not a number", error);
        return TEXT_FAULT;
    }
    if (channel == TEXT_UNWANTED && parser->place.watched > 0 && parser->notice != NULL) {
        watch_field(parser, line, column, &field);
        if (!text_columns_is_label(columns, column))
            watch_text(parser->notice, column, &field);
    }
    for (unsigned i = 0; i < columns->time.count; i++) {
        if (columns->time.column[i] == column)
            row->times[i] = field;
    }
    if (columns->by == column + 1)
        row->key_field = field;
    return next;
}

/* The numbers of the plain columns from this one on, as far as they are plain, too. */
static void take_run(const struct text_parser *parser, struct text_cursor *cursor, unsigned *column,
                     double *frame)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned length = columns->plain[*column];
    const bool is_last = *column + length == columns->count;
    const char delimiter = parser->lines.delimiter;
    unsigned got;

    cursor->at = number_read_run_f64(cursor->at, cursor->end, delimiter,
                                     (char)(is_last ? '\n' : delimiter), parser->lines.decimal,
                                     frame + columns->channel_of[*column], length, &got);
    *column += got;
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

        if (columns->plain[column] > 0)
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

/* Skips a bad line, and finds the fields of its key and of its time: `*times` of them. */
static enum text_next pass_record(const struct text_parser *parser, struct text_cursor *cursor,
                                  struct parsed_row *row, unsigned *times)
{
    const struct text_columns *columns = &parser->columns;
    const char *start = cursor->at;
    enum text_next next = TEXT_FIELD;

    *times = 0;
    row->key_field.start = NULL;
    for (unsigned column = 0; next == TEXT_FIELD; column++) {
        struct text_field field;

        next = text_take_field(&parser->lines, cursor, &field);
        if (columns->by == column + 1 && next != TEXT_FAULT)
            row->key_field = field;
        for (unsigned i = 0; i < columns->time.count && next != TEXT_FAULT; i++) {
            if (columns->time.column[i] == column) {
                row->times[i] = field;
                ++*times;
            }
        }
    }
    if (next != TEXT_FAULT)
        return next;
    start = cursor->at > start ? cursor->at - 1 : start;
    cursor->at = (const char *)memchr(start, '\n', (size_t)(cursor->end - start)) + 1;
    cursor->line++;
    return TEXT_RECORD;
}

/* A row of NaN, at the time of the last row if its own cannot be read. TEXT_FIELD: no row. */
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
    if (row->moment != NULL &&
        (text_is_of_time(reason->code) || times < parser->columns.time.count ||
         text_take_time(&parser->place.times, row->series, line, row->times, row->moment, &error) !=
             TEXT_RECORD)) {
        parser->place.times.depends = true;
        if (!row->series->timed)
            return TEXT_FIELD;
        *row->moment = moment_add(row->series->newest, parser->place.times.distance);
    }
    for (unsigned i = 0; i < parser->columns.channels; i++)
        row->frame[i] = NAN;
    return TEXT_RECORD;
}

/* The size of the text up to the end of its line. */
static size_t without_end(const char *text, size_t size)
{
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    return size;
}

/* Is the record at the cursor one of the header, again? Returns its size, or 0. */
static size_t repeated_size(const struct text_parser *parser, const struct text_cursor *cursor)
{
    const struct text_columns *columns = &parser->columns;
    size_t size = columns->names_size;
    struct text_look look;
    struct error error;

    for (size_t at = 0; at < columns->header_size; at += size) {
        const char *record = columns->header + at;
        size_t same;

        if (at > 0)
            size =
                (size_t)((const char *)memchr(record, '\n', columns->header_size - at) - record) +
                1;
        same = without_end(record, size);
        if (same < (size_t)(cursor->end - cursor->at) && memcmp(cursor->at, record, same) == 0 &&
            text_look_at(&look, &parser->lines, cursor, &error) == TEXT_RECORD && look.words &&
            without_end(cursor->at, (size_t)(look.behind.at - cursor->at)) == same)
            return (size_t)(look.behind.at - cursor->at);
    }
    return 0;
}

static enum text_next pass_bytes(struct text_cursor *cursor, size_t size)
{
    for (const char *end = cursor->at + size; cursor->at < end; cursor->at++)
        cursor->line += *cursor->at == '\n';
    return TEXT_FIELD;
}

/* The error where no line is right so far. Its advice is that of the first. */
static enum text_next nothing_right(const struct text_parser *parser, struct error *error)
{
    const struct text_place *place = &parser->place;
    const enum error_code code = place->bad.code;
    char reason[ERROR_REASON];

    (void)snprintf(reason, sizeof reason, "%s", place->bad.reason);
    error_set(error, code == ERROR_NO_NUMBER || code == ERROR_TIME ? ERROR_FILE : code,
              parser->lines.name, "none of its %slines is right; the first: %s",
              place->bad_lines >= TEXT_BAD_MOST ? "first 1000 " : "", reason);
    return TEXT_FAULT;
}

/* Does the series go on with this row? */
static bool is_kept(const struct text_parser *parser, const struct parsed_row *row)
{
    return row->key == NULL || !parser->place.times.ahead;
}

/* TEXT_FIELD: a bad line, or one of the header, that is passed over. */
static enum text_next take_record(struct text_parser *parser, struct text_cursor *cursor,
                                  struct parsed_row *row, struct error *error)
{
    const struct text_cursor start = *cursor;
    const size_t repeated = repeated_size(parser, cursor);
    enum text_next next;

    if (repeated > 0) {
        parser->place.repeats++;
        return pass_bytes(cursor, repeated);
    }
    if (parser->notice != NULL)
        parser->notice->differs = 0;
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
    if (row->moment != NULL && parser->notice != NULL && parser->notice->differs > 0 &&
        row->series->timed && moment_to_count(*row->moment) == moment_to_count(row->series->newest))
        parser->notice->key = parser->notice->differs;
    if (row->moment != NULL && is_kept(parser, row))
        text_series_go_on(row->series, *row->moment);
    text_drop_sentinels(&parser->lines, row->frame, parser->columns.channels);
    parser->place.watched -= parser->place.watched > 0;
    return TEXT_RECORD;
}

/* Records of nothing but plain numbers, the bulk of most texts: they need no look at each line. The
 * first one that may be something else stays. */
static void take_plain(struct text_parser *parser, struct text_cursor *cursor, double *frames,
                       size_t capacity, size_t *got)
{
    const struct text_columns *columns = &parser->columns;

    while (*got < capacity && columns->plain[0] == columns->count) {
        struct text_cursor next = *cursor;
        double *frame = frames + *got * columns->channels;
        unsigned column = 0;

        take_run(parser, &next, &column, frame);
        if (column < columns->count || next.at - cursor->at > TEXT_RECORD_MOST)
            return;
        text_drop_sentinels(&parser->lines, frame, columns->channels);
        parser->place.right = true;
        *cursor = next;
        ++*got;
    }
}

/* ---- the text ---- */

/* Skips the byte-order mark of UTF-8, or rejects that of UTF-16. TEXT_OPEN: more text is needed to
 * decide. */
static enum text_next pass_mark(struct text_parser *parser, struct text_cursor *cursor, size_t size,
                                bool last, struct error *error)
{
    static const char *const marks[] = {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i]);

        if (memcmp(cursor->at, marks[i], size < length ? size : length) != 0)
            continue;
        if (size < length && !last)
            return TEXT_OPEN;
        if (size < length)
            break;
        if (i > 0) {
            error_set(error, ERROR_FILE, parser->lines.name,
                      "is text in UTF-16: convert it first: iconv -f UTF-16 -t UTF-8");
            return TEXT_FAULT;
        }
        cursor->at += length;
        break;
    }
    parser->begun = true;
    return TEXT_RECORD;
}

/* Skips the lines before the header that the user wants to skip. */
static enum text_next pass_lines(struct text_parser *parser, struct text_cursor *cursor)
{
    for (; parser->to_skip > 0; parser->to_skip--) {
        if (cursor->at >= cursor->end)
            return TEXT_OPEN;
        cursor->at = (const char *)memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at)) + 1;
        cursor->line++;
        parser->place.line = cursor->line;
    }
    return TEXT_RECORD;
}

/* The delimiter of csv: the comma or, if the first line has none, a semicolon, a tab or a bar; 0:
 * it has none of these. */
static char find_delimiter(const char *line, char decimal)
{
    static const char others[] = {';', '\t', '|'}; /* the first of them that is there */
    const char *found = NULL;
    bool quoted = false;

    for (; *line != '\n'; line++) {
        const char *other = memchr(others, *line, sizeof others);

        quoted ^= *line == '"';
        if (quoted)
            continue;
        if (*line == ',' && decimal != ',')
            return ',';
        if (other != NULL && (found == NULL || other < found))
            found = other;
    }
    if (found != NULL)
        return *found;
    return '\0';
}

/* Is a semicolon in the first line one of prose? TEXT_RECORD: yes, it stands before a blank, and
 * the next line has none; TEXT_FIELD: no; TEXT_OPEN: more text is needed. */
static enum text_next is_prose(const struct text_cursor *cursor, bool last)
{
    const char *end = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    const char *semicolon = memchr(cursor->at, ';', (size_t)(end - cursor->at));
    const char *next = NULL;

    if (semicolon[1] != ' ')
        return TEXT_FIELD;
    if (end + 1 < cursor->end)
        next = memchr(end + 1, '\n', (size_t)(cursor->end - end - 1));
    if (next == NULL)
        return last ? TEXT_FIELD : TEXT_OPEN;
    return memchr(end + 1, ';', (size_t)(next - end - 1)) == NULL ? TEXT_RECORD : TEXT_FIELD;
}

/* The delimiter that the first lines of csv have. */
static enum text_next choose_delimiter(struct text_parser *parser, const struct text_cursor *cursor,
                                       bool last, struct error *error)
{
    struct text_lines *lines = &parser->lines;
    const char comma = lines->decimal == ',' ? ';' : ',';
    char found = find_delimiter(cursor->at, lines->decimal);
    enum text_next next = found == ';' ? is_prose(cursor, last) : TEXT_FIELD;

    if (next == TEXT_OPEN)
        return next;
    if (next == TEXT_RECORD || found == '\0') {
        text_lines_init(lines, lines->name, lines->dialect, ' ');
        next = text_has_blanks(lines, cursor, last, error);
        found = (char)(next == TEXT_RECORD ? ' ' : next == TEXT_OPEN ? '\0' : comma);
    }
    text_lines_init(lines, lines->name, lines->dialect, found);
    return next == TEXT_OPEN ? TEXT_OPEN : TEXT_RECORD;
}

/* Keeps the last comment with words among lines that have been passed over: it may have the names.
 */
static void keep_comment(struct text_parser *parser, struct text_cursor cursor, const char *end)
{
    while (cursor.at < end) {
        const char *from = cursor.at;
        const char *next = (const char *)memchr(from, '\n', (size_t)(end - from)) + 1;

        from += strspn(from, " \t");
        if (*from == '#' && strchr("\r\n", from[strspn(from, "# \t")]) == NULL) {
            from += strspn(from, "# \t");
            parser->comment[0] = '\0';
            if (next - from < TEXT_COMMENT)
                *(char *)mempcpy(parser->comment, from, (size_t)(next - from)) = '\0';
            parser->comment_line = cursor.line;
        }
        cursor.at = next;
        cursor.line++;
    }
}

/* "sep=;", which Excel reads and writes in a first line, says the delimiter, unless the user does.
 */
static bool take_separator(struct text_parser *parser, struct text_cursor *cursor)
{
    struct text_lines *lines = &parser->lines;
    const char *line = cursor->at;
    const char *end;

    if (cursor->line > 1 || strncasecmp(line, "sep=", 4) != 0 || line[4] == '\n')
        return false;
    end = line + 5 + strspn(line + 5, "\r");
    if (*end != '\n')
        return false;
    if (lines->dialect->delimiter == '\0')
        text_lines_init(lines, lines->name, lines->dialect, line[4]);
    cursor->at = end + 1;
    cursor->line++;
    return true;
}

/* Finds the columns, and skips the header. */
static enum text_next take_first(struct text_parser *parser, struct text_cursor *cursor, bool last,
                                 struct error *error)
{
    const struct text_cursor comment = {.at = parser->comment,
                                        .end = parser->comment + strlen(parser->comment),
                                        .line = parser->comment_line};

    if (take_separator(parser, cursor))
        return TEXT_FIELD;
    if (parser->lines.delimiter == '\0' &&
        choose_delimiter(parser, cursor, last, error) == TEXT_OPEN)
        return TEXT_OPEN;
    return text_columns_find(&parser->columns, &parser->lines, &comment, cursor, last, error);
}

int text_parser_read(struct text_parser *parser, const char *text, size_t size, bool last,
                     double *frames, struct moment *moments, const struct row_key **keys,
                     size_t capacity, size_t *got, size_t *used, struct error *error)
{
    const char *newline = memrchr(text, '\n', size);
    struct text_cursor cursor = {
        .at = text, .end = newline == NULL ? text : newline + 1, .line = parser->place.line};
    enum text_next next = TEXT_RECORD;
    bool plain = true; /* most records are, so far */

    *got = 0;
    *used = 0;
    if (!parser->begun)
        next = pass_mark(parser, &cursor, size, last, error);
    if (next == TEXT_RECORD)
        next = pass_lines(parser, &cursor);
    *used = (size_t)(cursor.at - text);
    while (next == TEXT_RECORD || next == TEXT_FIELD) {
        const bool known = parser->columns.count > 0;
        struct parsed_row row = {.frame = NULL};
        struct text_cursor begin;

        if (known && plain) {
            const size_t before = *got;

            take_plain(parser, &cursor, frames, capacity, got);
            plain = *got > before;
        }
        begin = cursor;
        if (text_pass_idle_lines(&parser->lines, &cursor, error) != 0)
            next = TEXT_FAULT;
        if (!known)
            keep_comment(parser, begin, cursor.at);
        parser->place.line = cursor.line;
        *used = (size_t)(cursor.at - text);
        if (next == TEXT_FAULT || cursor.at >= cursor.end || (known && *got == capacity))
            break;
        if (!known) {
            next = take_first(parser, &cursor, last, error);
            continue;
        }
        row.frame = frames + *got * parser->columns.channels;
        row.moment = parser->columns.time.count > 0 ? moments + *got : NULL;
        row.key = parser->columns.by > 0 ? keys + *got : NULL;
        next = take_record(parser, &cursor, &row, error);
        if (next == TEXT_RECORD && cursor.at - (text + *used) > TEXT_RECORD_MOST) {
            (void)text_parser_too_long(parser, error);
            next = TEXT_FAULT;
        }
        *got += next == TEXT_RECORD;
    }
    if (next == TEXT_OPEN && last && *used < size && parser->begun) {
        error_set(error, ERROR_FILE, parser->lines.name, "line %llu: ends inside quotes",
                  (unsigned long long)parser->place.line);
        next = TEXT_FAULT;
    }
    if (next != TEXT_FAULT && last && *used == size && parser->place.bad_lines > 0 &&
        !parser->place.right)
        next = nothing_right(parser, error);
    return next == TEXT_FAULT && *got == 0 ? -1 : 0;
}
