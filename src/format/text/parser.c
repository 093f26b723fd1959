/* Most fields are plain numbers, directly followed by a delimiter. They are read without finding
 * their end first; text_take_field() handles all others. */
#include "format/text/parser_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/text/header_priv.h"
#include "format/text/number.h"
#include "io/input.h"

void text_parser_init(struct text_parser *parser, const char *name, char usual,
                      const struct text_dialect *dialect)
{
    *parser = (struct text_parser){.to_skip = dialect->skip_lines, .line = 1};
    if (dialect->delimiter != '\0')
        usual = dialect->delimiter;
    text_lines_init(&parser->lines, name, dialect, usual);
}

int text_parser_too_long(const struct text_parser *parser, struct error *error)
{
    return error_set(error, ERROR_FILE, parser->lines.name,
                     "line %llu: is longer than %d bytes: is it text, and has every quote its end?",
                     (unsigned long long)parser->line, TEXT_RECORD_MOST);
}

/* ---- fields ---- */

/* The record ends before this column, or does not end before it. */
static enum text_next wrong_count(const struct text_parser *parser, uint64_t line, unsigned column,
                                  bool ends, struct error *error)
{
    const unsigned count = parser->columns.count;
    const bool more = !ends && parser->columns.code == ERROR_FILE;

    error_set(error, more ? ERROR_MORE_FIELDS : parser->columns.code, parser->lines.name,
              "line %llu, column %u: %s: the first line has %u field%s", (unsigned long long)line,
              column, ends ? "is missing" : "is one too many", count, count == 1 ? "" : "s");
    return TEXT_FAULT;
}

/* ---- times ---- */

/* The distance of rows must be that of the first two, to 1% or one unit of the last digit, but not
 * to more than half of it. */
static int check_distance(struct text_parser *parser, uint64_t line, struct moment moment,
                          struct error *error)
{
    const int64_t unit = time_form_unit(&parser->columns.form);
    moment_count distance = moment_to_count(moment) - moment_to_count(parser->time);
    int64_t slack;

    if (distance > INT64_MAX)
        distance = INT64_MAX;
    if (parser->distance == 0)
        parser->distance = (int64_t)distance;
    slack = parser->distance / 100 > unit ? parser->distance / 100 : unit;
    if (slack > parser->distance / 2) /* or a row that is lost would not be noticed */
        slack = parser->distance / 2;
    if (parser->distance > 0 && distance <= (moment_count)parser->distance + slack &&
        distance >= parser->distance - slack)
        return 0;
    return error_set(error, ERROR_DISTANCE, parser->lines.name,
                     "line %llu: its time is %.9g s after the last one, not %.9g s: rows are not "
                     "equally spaced",
                     (unsigned long long)line, (double)distance / MOMENT_SECOND,
                     (double)parser->distance / MOMENT_SECOND);
}

enum { GAPS_MOST = 1000000 };

bool text_gap_is_long(const struct text_dialect *dialect, struct moment before, struct moment after)
{
    const int64_t period = dialect->gap_period;

    return period > 0 && after.seconds - before.seconds >= period / (MOMENT_SECOND / GAPS_MOST) &&
           moment_divide(moment_to_count(after), period) -
                   moment_divide(moment_to_count(before), period) - 1 >
               GAPS_MOST;
}

enum { ORDER_WORDS = 640, DAY_SECONDS = 86400 };

/* Times in a form of the user's, or with numbers of one digit, do not; and columns must be
 * neighbours. */
static bool sorts_as_text(const struct text_columns *columns)
{
    bool sorts =
        columns->form.kind != TIME_FORMAT && !columns->form.unpadded && !columns->form.short_hour;

    for (unsigned i = 1; i < columns->times; i++)
        sorts = sorts && columns->time[i] == columns->time[i - 1] + 1;
    return sorts;
}

/* Says how a file's rows get into the order of their times. */
static const char *say_order(const struct text_parser *parser, char words[ORDER_WORDS])
{
    const struct text_columns *columns = &parser->columns;
    const bool standard = strcmp(parser->lines.name, INPUT_STANDARD) == 0;
    const char delimiter = parser->lines.delimiter;
    char header[32] = "";
    char between[16] = "";
    char sort[96] = "tac";

    if (columns->header != NULL)
        snprintf(header, sizeof header, "sed -u %lluq; ",
                 (unsigned long long)columns->header_lines[1]);
    if (delimiter != ' ')
        snprintf(between, sizeof between, delimiter == '\t' ? "-t $'\\t' " : "-t '%c' ", delimiter);
    if (parser->moved)
        snprintf(sort, sizeof sort, "LC_ALL=C sort -s %s-k %u,%u%s", between, columns->time[0] + 1,
                 columns->time[columns->times - 1] + 1,
                 columns->form.kind == TIME_NUMBER ? "g" : "");
    if (parser->moved && !sorts_as_text(columns))
        return "is before the time of the last row";
    snprintf(words, ORDER_WORDS, "is before the time of the last row: %s{ %s%s; } <%s %s",
             parser->moved ? "" : "if the newest come first, ", header, sort,
             standard ? "FILE" : parser->lines.name,
             parser->moved ? "puts them in order" : "turns them round");
    return words;
}

/* Turns a local time, read as if in UTC, into the moment that it is: of a doubled hour the first
 * that does not go back. Returns what is wrong, or NULL. */
static const char *place_time(struct text_parser *parser, struct moment *moment)
{
    const struct local_clock *clock = &parser->columns.form.clock;
    const bool midnight = moment->seconds % DAY_SECONDS == 0 && moment->nanoseconds == 0;
    struct moment last = *moment;
    int64_t seconds[2];
    const unsigned count = local_find(clock, moment->seconds, &parser->near, seconds);

    if (count == 0 && !midnight)
        return "is a time that the clock of this zone skips";
    moment->seconds = seconds[0];
    if (count < 2)
        return NULL;
    parser->doubled = true;
    last.seconds = seconds[1];
    if (parser->timed && moment_is_before(*moment, parser->time))
        *moment = last;
    return NULL;
}

/* The time of a record whose fields have been taken. */
static enum text_next take_time(struct text_parser *parser, uint64_t line,
                                const struct text_field *fields, struct moment *moment,
                                struct error *error)
{
    struct text_time time;
    enum time_verdict verdict;
    enum error_code code = ERROR_TIME;
    char order[ORDER_WORDS];
    const char *why = NULL;

    text_time_join(&time, fields, parser->columns.times);
    verdict = time_read(&parser->columns.form, time.text.start, time.text.end, moment);
    if (verdict == TIME_NONE)
        why = "is not a time";
    else if (verdict == TIME_OTHER_FORM)
        why = "has another form than the times before it";
    else if (time_form_is_local(&parser->columns.form))
        why = place_time(parser, moment);
    if (verdict == TIME_OTHER_OFFSET && parser->offset_line == 0)
        parser->offset_line = line;
    if (why == NULL && parser->timed && !parser->skips && moment_is_before(*moment, parser->time)) {
        code = ERROR_TIME_ORDER;
        why = say_order(parser, order);
    }
    if (why != NULL) {
        text_wrong_field(&parser->lines, code, line, parser->columns.time[0] + 1, &time.text, why,
                         error);
        return TEXT_FAULT;
    }
    if (!parser->timed || parser->skips)
        return TEXT_RECORD;
    if (parser->lines.dialect->by_distance && check_distance(parser, line, *moment, error) != 0)
        return TEXT_FAULT;
    if (text_gap_is_long(parser->lines.dialect, parser->time, *moment)) {
        error_set(error, ERROR_GAPS, parser->lines.name,
                  "line %llu: more than a million intervals without rows lie before it",
                  (unsigned long long)line);
        return TEXT_FAULT;
    }
    return TEXT_RECORD;
}

/* ---- records ---- */

/* The row that a record becomes. */
struct row {
    double *frame;
    struct moment *moment; /* NULL: rows have no times */
    struct text_field times[TEXT_TIMES];
};

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

    if (notice->seen[column] || text_columns_is_time(columns, column) ||
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
                                 unsigned column, struct row *row, struct error *error)
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
                         text_number_code(&parser->lines, &field, columns->count == 1), line,
                         column + 1, &field, "is not a number", error);
        return TEXT_FAULT;
    }
    if (channel == TEXT_UNWANTED && parser->watched > 0 && parser->notice != NULL)
        watch_field(parser, line, column, &field);
    for (unsigned i = 0; i < columns->times; i++) {
        if (columns->time[i] == column)
            row->times[i] = field;
    }
    return next;
}

/* The columns from `column` on, each of which is the next channel. */
static bool take_run(const struct text_parser *parser, struct text_cursor *cursor, unsigned *column,
                     double *frame)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned left = columns->count - columns->run;
    double *first = frame + columns->channels - left;
    unsigned got;

    cursor->at = number_read_line_f64(cursor->at, cursor->end, parser->lines.delimiter,
                                      parser->lines.decimal, first, left, &got);
    *column += got;
    cursor->line += got == left;
    return got == left;
}

/* A plain number, directly followed by the delimiter or the end of the line. */
static bool take_number(const struct text_parser *parser, struct text_cursor *cursor, bool last,
                        double *value)
{
    const char delimiter = parser->lines.delimiter;
    const char *end = number_read_f64(cursor->at, cursor->end, parser->lines.decimal, value);

    /* The next field must not begin with a blank, or be empty at the end of the line. */
    if (end == NULL || *end != (last ? '\n' : delimiter) || (!last && (unsigned char)end[1] <= ' '))
        return false;
    cursor->at = end + 1;
    cursor->line += last;
    return true;
}

static enum text_next take_fields(const struct text_parser *parser, struct text_cursor *cursor,
                                  struct row *row, struct error *error)
{
    const struct text_columns *columns = &parser->columns;
    const uint64_t line = cursor->line;

    for (unsigned column = 0;; column++) {
        enum text_next next;
        bool last;

        if (column == columns->run && take_run(parser, cursor, &column, row->frame))
            return TEXT_RECORD;
        last = column + 1 == columns->count;
        if (columns->is_plain[column] &&
            take_number(parser, cursor, last, &row->frame[columns->channel_of[column]])) {
            if (last)
                return TEXT_RECORD;
            continue;
        }
        next = take_field(parser, cursor, column, row, error);
        if (next == TEXT_RECORD && !last)
            return wrong_count(parser, line, column + 2, true, error);
        if (next == TEXT_FIELD && last)
            return wrong_count(parser, line, column + 2, false, error);
        if (next != TEXT_FIELD)
            return next;
    }
}

/* Skips a bad line, and finds the fields of its time: `*times` of them. */
static enum text_next pass_record(const struct text_parser *parser, struct text_cursor *cursor,
                                  struct row *row, unsigned *times)
{
    const struct text_columns *columns = &parser->columns;
    const char *start = cursor->at;
    enum text_next next = TEXT_FIELD;

    *times = 0;
    for (unsigned column = 0; next == TEXT_FIELD; column++) {
        struct text_field field;

        next = text_take_field(&parser->lines, cursor, &field);
        for (unsigned i = 0; i < columns->times && next != TEXT_FAULT; i++) {
            if (columns->time[i] == column) {
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
                               struct row *row, const struct error *reason)
{
    const uint64_t line = cursor->line;
    unsigned times;
    struct error error;
    enum text_next next = pass_record(parser, cursor, row, &times);

    if (next != TEXT_RECORD)
        return next;
    if (parser->bad_lines++ == 0)
        parser->bad = *reason;
    if (parser->lines.dialect->bad_lines == TEXT_BAD_SKIP)
        return TEXT_FIELD;
    if (row->moment != NULL &&
        (times < parser->columns.times ||
         take_time(parser, line, row->times, row->moment, &error) != TEXT_RECORD)) {
        if (!parser->timed)
            return TEXT_FIELD;
        *row->moment = moment_add(parser->time, parser->distance);
    }
    for (unsigned i = 0; i < parser->columns.channels; i++)
        row->frame[i] = NAN;
    return TEXT_RECORD;
}

static enum text_next pass_bytes(struct text_cursor *cursor, size_t size)
{
    for (const char *end = cursor->at + size; cursor->at < end; cursor->at++)
        cursor->line += *cursor->at == '\n';
    return TEXT_FIELD;
}

/* TEXT_FIELD: a bad line, or one of the header, that is passed over. */
static enum text_next take_record(struct text_parser *parser, struct text_cursor *cursor,
                                  struct row *row, struct error *error)
{
    const struct text_cursor start = *cursor;
    const size_t repeated = text_columns_repeat(&parser->columns, &parser->lines, cursor);
    enum text_next next;

    if (repeated > 0) {
        parser->repeats++;
        return pass_bytes(cursor, repeated);
    }
    next = take_fields(parser, cursor, row, error);
    if (next == TEXT_RECORD && row->moment != NULL)
        next = take_time(parser, start.line, row->times, row->moment, error);
    if (next == TEXT_FAULT && parser->lines.dialect->bad_lines != TEXT_BAD_ERROR &&
        error->code != ERROR_DISTANCE && error->code != ERROR_GAPS) {
        *cursor = start;
        next = take_bad(parser, cursor, row, error);
    }
    if (next != TEXT_RECORD)
        return next;
    if (row->moment != NULL) {
        parser->moved =
            parser->timed && (parser->moved || moment_is_before(parser->time, *row->moment));
        parser->time = *row->moment;
        parser->timed = true;
    }
    text_drop_sentinels(&parser->lines, row->frame, parser->columns.channels);
    parser->watched -= parser->watched > 0;
    return TEXT_RECORD;
}

/* Records of nothing but plain numbers, the bulk of most texts: they need no look at each line. The
 * first one that may be something else stays. */
static void take_plain(struct text_parser *parser, struct text_cursor *cursor, double *frames,
                       size_t capacity, size_t *got)
{
    const struct text_columns *columns = &parser->columns;

    while (*got < capacity) {
        struct text_cursor next = *cursor;
        double *frame = frames + *got * columns->channels;
        unsigned column = 0;

        if (!take_run(parser, &next, &column, frame) || next.at - cursor->at > TEXT_RECORD_MOST)
            return;
        text_drop_sentinels(&parser->lines, frame, columns->channels);
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
                      "is text in UTF-16: convert it to UTF-8 first");
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
        parser->line = cursor->line;
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
    char found = find_delimiter(cursor->at, lines->decimal);
    enum text_next next = found == ';' ? is_prose(cursor, last) : TEXT_FIELD;

    if (next == TEXT_OPEN)
        return next;
    if (next == TEXT_RECORD)
        found = '\0';
    next = TEXT_RECORD;
    text_lines_init(lines, lines->name, lines->dialect, (char)(found != '\0' ? found : ' '));
    if (found == '\0')
        next = text_has_blanks(lines, cursor, last, error);
    if (next == TEXT_OPEN)
        text_lines_init(lines, lines->name, lines->dialect, '\0');
    if (next == TEXT_FIELD)
        text_lines_init(lines, lines->name, lines->dialect, lines->decimal == ',' ? ';' : ',');
    return next == TEXT_OPEN ? TEXT_OPEN : TEXT_RECORD;
}

/* Keeps the last comment among lines that have been passed over: it may have the names. */
static void keep_comment(struct text_parser *parser, struct text_cursor cursor, const char *end)
{
    while (cursor.at < end) {
        const char *from = cursor.at;
        const char *next = (const char *)memchr(from, '\n', (size_t)(end - from)) + 1;

        from += strspn(from, " \t");
        if (*from == '#') {
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
                     double *frames, struct moment *moments, size_t capacity, size_t *got,
                     size_t *used, struct error *error)
{
    const char *newline = memrchr(text, '\n', size);
    struct text_cursor cursor = {
        .at = text, .end = newline == NULL ? text : newline + 1, .line = parser->line};
    enum text_next next = TEXT_RECORD;
    bool plain = parser->columns.run == 0; /* most records are, so far */

    *got = 0;
    *used = 0;
    if (!parser->begun)
        next = pass_mark(parser, &cursor, size, last, error);
    if (next == TEXT_RECORD)
        next = pass_lines(parser, &cursor);
    *used = (size_t)(cursor.at - text);
    while (next == TEXT_RECORD || next == TEXT_FIELD) {
        const bool known = parser->columns.count > 0;
        struct row row = {.frame = NULL};
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
        parser->line = cursor.line;
        *used = (size_t)(cursor.at - text);
        if (next == TEXT_FAULT || cursor.at >= cursor.end || (known && *got == capacity))
            break;
        if (!known) {
            next = take_first(parser, &cursor, last, error);
            continue;
        }
        row.frame = frames + *got * parser->columns.channels;
        row.moment = parser->columns.times > 0 ? moments + *got : NULL;
        next = take_record(parser, &cursor, &row, error);
        if (next == TEXT_RECORD && cursor.at - (text + *used) > TEXT_RECORD_MOST) {
            (void)text_parser_too_long(parser, error);
            next = TEXT_FAULT;
        }
        *got += next == TEXT_RECORD;
    }
    if (next == TEXT_OPEN && last && *used < size && parser->begun) {
        error_set(error, ERROR_FILE, parser->lines.name, "line %llu: ends inside quotes",
                  (unsigned long long)parser->line);
        next = TEXT_FAULT;
    }
    return next == TEXT_FAULT && *got == 0 ? -1 : 0;
}
