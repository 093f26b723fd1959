/* SPDX-License-Identifier: MIT */
#include "format/text/fields_priv.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "format/text/number.h"

void text_lines_init(struct text_lines *lines, const char *name, const struct text_dialect *dialect,
                     char delimiter)
{
    const char *rest = dialect->missing;

    *lines = (struct text_lines){
        .name = name,
        .dialect = dialect,
        .delimiter = delimiter,
        .decimal = (char)(dialect->decimal != '\0' ? dialect->decimal : '.'),
        .missing = rest == NULL ? TEXT_USUAL_MISSING : rest,
    };
    lines->ends['\0'] = true;
    lines->ends['\n'] = true;
    lines->ends[(unsigned char)delimiter] = true;
    if (delimiter == ' ')
        lines->ends['\t'] = true;
    for (const char *words = lines->missing; words != NULL; (void)list_item(&words)) {
        lines->begins_missing[tolower((unsigned char)*words)] = true;
        lines->begins_missing[toupper((unsigned char)*words)] = true;
    }
    while (rest != NULL && lines->sentinels < TEXT_SENTINELS) {
        const char *word = rest;
        const size_t length = list_item(&rest);
        double number;

        if (number_read_f64(word, word + length, '.', &number) == word + length && !isnan(number))
            lines->sentinel[lines->sentinels++] = number;
    }
}

static const char *pass_blanks(const struct text_lines *lines, const char *at)
{
    while (*at == ' ' || (*at == '\t' && lines->delimiter != '\t'))
        at++;
    return at;
}

/* Lines end with LF, CR LF, or CR CR LF. Returns where the next line begins, or NULL if no line
 * ends here. */
static const char *pass_line_end(const char *at)
{
    while (*at == '\r')
        at++;
    return *at == '\n' ? at + 1 : NULL;
}

/* Moves from the end of a field to the beginning of the next field. */
static enum text_next pass_end(const struct text_lines *lines, struct text_cursor *cursor,
                               const char *at)
{
    const char *behind = pass_blanks(lines, at);
    const char *line = pass_line_end(behind);

    if (line != NULL) {
        cursor->at = line;
        cursor->line++;
        return TEXT_RECORD;
    }
    cursor->at = behind;
    if (lines->delimiter == ' ')
        return behind > at ? TEXT_FIELD : TEXT_FAULT;
    cursor->at++;
    return *behind == lines->delimiter ? TEXT_FIELD : TEXT_FAULT;
}

/* Takes a field from its quote on. */
static enum text_next take_quoted(const struct text_lines *lines, struct text_cursor *cursor,
                                  const char *quote, struct text_field *field)
{
    const char *at = quote + 1;

    *field = (struct text_field){.start = at, .quoted = true};
    for (;;) {
        at = memchr(at, '"', (size_t)(cursor->end - at));
        if (at == NULL)
            return TEXT_OPEN;
        if (at[1] != '"')
            break;
        at += 2;
    }
    field->end = at;
    if (memchr(field->start, '\0', (size_t)(field->end - field->start)) != NULL)
        return TEXT_FAULT;
    for (const char *c = field->start; c < field->end; c++)
        cursor->line += *c == '\n';
    return pass_end(lines, cursor, at + 1);
}

enum text_next text_take_field(const struct text_lines *lines, struct text_cursor *cursor,
                               struct text_field *field)
{
    const char *at = pass_blanks(lines, cursor->at);
    const char *end;

    if (*at == '"')
        return take_quoted(lines, cursor, at, field);
    field->start = at;
    field->quoted = false;
    while (!lines->ends[(unsigned char)*at])
        at++;
    end = at;
    while (*at == '\n' && end > field->start && end[-1] == '\r')
        end--;
    while (end > field->start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    field->end = end;
    return pass_end(lines, cursor, at);
}

bool text_same(const struct text_field *one, const struct text_field *other)
{
    const char *at = one->start;
    const char *same = other->start;
    const size_t size = (size_t)(one->end - at);

    if (!one->quoted && !other->quoted)
        return size == (size_t)(other->end - same) && (size == 0 || memcmp(at, same, size) == 0);
    for (; at < one->end && same < other->end && *at == *same; at++, same++) {
        at += one->quoted && *at == '"';
        same += other->quoted && *same == '"';
    }
    return at >= one->end && same >= other->end;
}

static uint64_t mix(uint64_t hash, uint64_t bytes)
{
    hash = (hash ^ bytes) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Hashes eight bytes at a time. */
uint64_t text_hash(const struct text_field *field)
{
    uint64_t hash = 0;
    uint64_t bytes = 0;
    unsigned shift = 0;

    for (const char *at = field->start; at < field->end; at++, shift += 8) {
        if (shift == 64) {
            hash = mix(hash, bytes);
            bytes = shift = 0;
        }
        bytes |= (uint64_t)(unsigned char)*at << shift;
        at += field->quoted && *at == '"';
    }
    return mix(hash, bytes);
}

char *text_copy(const struct text_field *field, char *copy)
{
    for (const char *at = field->start; at < field->end; at++) {
        *copy++ = *at;
        at += field->quoted && *at == '"';
    }
    *copy = '\0';
    return copy;
}

int text_no_field(const struct text_lines *lines, uint64_t line, unsigned column,
                  const struct text_field *field, struct error *error)
{
    bool junk =
        field->quoted && memchr(field->start, '\0', (size_t)(field->end - field->start)) == NULL;

    if (text_is_terse(lines, ERROR_FILE, error))
        return -1;
    return error_set(error, ERROR_FILE, lines->name, "line %llu, column %u: %s",
                     (unsigned long long)line, column,
                     junk ? "something follows the quote at its end"
                          : "holds a NUL byte: is this text?");
}

int text_wrong_field(const struct text_lines *lines, enum error_code code, uint64_t line,
                     unsigned column, const struct text_field *field, const char *why,
                     const char *advice, struct error *error)
{
    char shown[TEXT_SHOWN_ROOM];

    if (text_is_terse(lines, code, error))
        return -1;
    if (advice == NULL && code == ERROR_TIME && lines->dialect->bad_lines == TEXT_BAD_ERROR)
        advice = " (see --time-format, --bad-lines)";
    error_set(error, code, lines->name, "line %llu, column %u: '%s' %s", (unsigned long long)line,
              column, text_show_field(field, shown), why);
    error->advice = advice;
    return -1;
}

void text_try_word(const struct text_lines *lines, const struct text_field *field,
                   struct error *error)
{
    enum { WORD_MOST = 8 };
    char word[WORD_MOST + 1] = "";
    const size_t length = (size_t)(field->end - field->start);

    if (length <= WORD_MOST)
        memcpy(word, field->start, length);
    if (lines->dialect->missing == NULL && *word != '\0' && strpbrk(word, ", \"0123456789") == NULL)
        error_try(error, "--missing", word);
    else
        error_try(error, "--bad-lines", "nan");
}

/* The end of a line without values: a comment, blanks, or delimiters alone. NULL if the line has
 * values. */
static const char *idle_line_end(const struct text_lines *lines, const char *at, const char *end)
{
    struct text_cursor cursor = {.at = pass_blanks(lines, at), .end = end};
    struct text_field field;
    double value;

    at = cursor.at;
    if (*at == '#') {
        (void)text_take_field(lines, &cursor, &field);
        return text_value(lines, &field, &value) == TEXT_MISSING
                   ? NULL
                   : (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    }
    while (*at == lines->delimiter || *at == ' ' || *at == '\t')
        at++;
    return pass_line_end(at);
}

int text_pass_idle_lines(const struct text_lines *lines, struct text_cursor *cursor,
                         struct error *error)
{
    while (cursor->at < cursor->end && (*cursor->at <= '#' || *cursor->at == lines->delimiter)) {
        const char *end = idle_line_end(lines, cursor->at, cursor->end);

        if (end == NULL)
            break;
        if (memchr(cursor->at, '\0', (size_t)(end - cursor->at)) != NULL)
            return text_no_field(lines, cursor->line, 1,
                                 &(struct text_field){cursor->at, end, false}, error);
        cursor->at = end;
        cursor->line++;
    }
    return 0;
}

/* The text is never cut inside a character. */
const char *text_show_field(const struct text_field *field, char shown[TEXT_SHOWN_ROOM])
{
    size_t length = (size_t)(field->end - field->start);
    bool whole = length < TEXT_SHOWN;

    if (!whole)
        length = TEXT_SHOWN - 1;
    while (!whole && length > 0 && (field->start[length] & 0xc0) == 0x80)
        length--;
    snprintf(shown, TEXT_SHOWN_ROOM, "%.*s%s", (int)length, field->start, whole ? "" : "...");
    return shown;
}

void text_time_join(struct text_time *time, const struct text_field *fields, unsigned count)
{
    char *at = time->joined;

    time->text = (struct text_field){.start = fields[0].start, .end = fields[0].end};
    if (count == 1)
        return;
    time->text = (struct text_field){.start = time->joined, .end = time->joined};
    for (unsigned i = 0; i < count; i++) {
        const size_t length = (size_t)(fields[i].end - fields[i].start);

        if (length + 1 > (size_t)(time->joined + sizeof time->joined - at))
            return;
        if (i > 0)
            *at++ = ' ';
        at = mempcpy(at, fields[i].start, length);
    }
    time->text.end = at;
}

/* ---- lists */

bool text_next_item(const char **list, struct text_field *item)
{
    const char *at = *list;

    if (at == NULL)
        return false;
    item->quoted = *at == '"';
    item->start = at + item->quoted;
    if (item->quoted) {
        for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++)
            at += *at == '"';
        item->end = at;
        at += *at == '"';
        (void)list_item(&at);
    } else {
        item->end = item->start + list_item(&at);
    }
    *list = at;
    return true;
}

unsigned text_item_number(const struct text_field *item)
{
    unsigned number = 0;

    for (const char *at = item->start; at < item->end; at++) {
        if (item->quoted || *at < '0' || *at > '9')
            return 0;
        if (number <= UINT32_MAX / 16)
            number = number * 10 + (unsigned)(*at - '0');
    }
    return number;
}

int text_columns_check(const char *list, unsigned most, struct error *error)
{
    struct text_field item;
    unsigned count = 0;

    while (text_next_item(&list, &item)) {
        if (item.start == item.end)
            return USAGE(error, "a column without a number or a name");
        if (!item.quoted && item.start + strspn(item.start, "0") >= item.end)
            return USAGE(error, "there is no column 0: they count from 1");
        if (++count > most)
            return USAGE(error, "more than %u column%s", most, most == 1 ? "" : "s");
    }
    return 0;
}

/* ---- samples */

const char *text_missing_fault(const char *missing)
{
    size_t count = 0;

    while (missing != NULL) {
        if (list_item(&missing) == 0)
            return "a word is missing";
        if (++count > TEXT_SENTINELS)
            return "more than 16 words";
    }
    return NULL;
}

/* The bytes of the blank here, as between thousands: a space, a no-break space or a thin space; 0
 * if there is none. */
static unsigned blank_length(const char *at, const char *end)
{
    if (at < end && *at == ' ')
        return 1;
    if (end - at >= 2 && memcmp(at, "\u00a0", 2) == 0)
        return 2;
    return end - at >= 3 && (memcmp(at, "\u202f", 3) == 0 || memcmp(at, "\u2009", 3) == 0) ? 3 : 0;
}

unsigned text_pass_digits(const char **at, const char *end)
{
    const char *from = *at;

    while (*at < end && **at >= '0' && **at <= '9')
        ++*at;
    return (unsigned)(*at - from);
}

unsigned text_pass_groups(const char **at, const char *end, unsigned first, char sign)
{
    unsigned groups = 0;

    for (const char *next = *at; first >= 1 && first <= 3; groups++, *at = next) {
        const unsigned length = sign == ' ' ? blank_length(next, end) : next < end && *next == sign;

        next += length;
        if (length == 0 || text_pass_digits(&next, end) != 3)
            return groups;
    }
    return groups;
}

/* Copies "1,352.5" without its commas. NULL if they are not between groups of three digits, or if
 * there are none. */
static const char *drop_thousands(const struct text_lines *lines, const char *start,
                                  const char *end, char plain[NUMBER_MOST])
{
    const char *at = start + (*start == '-' || *start == '+');
    const unsigned first = text_pass_digits(&at, end);
    size_t size = 0;

    if (text_pass_groups(&at, end, first, lines->dialect->thousands) == 0)
        return NULL;
    for (; start < at && size < NUMBER_MOST; start++) {
        if (strchr("+-0123456789", *start) != NULL)
            plain[size++] = *start;
    }
    return (size_t)(end - start) > NUMBER_MOST - size
               ? NULL
               : (const char *)mempcpy(plain + size, start, (size_t)(end - start));
}

/* True if all of the text is a number. */
static bool read_number(const struct text_lines *lines, const char *start, const char *end,
                        double *value)
{
    char plain[NUMBER_MOST];
    const char *plain_end;

    if (number_read_f64(start, end, lines->decimal, value) == end)
        return true;
    if (lines->dialect->thousands == '\0')
        return false;
    plain_end = drop_thousands(lines, start, end, plain);
    return plain_end != NULL &&
           number_read_f64(plain, plain_end, lines->decimal, value) == plain_end;
}

enum text_verdict text_value(const struct text_lines *lines, const struct text_field *field,
                             double *value)
{
    const char *start = field->start;
    const char *end = field->end;

    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *value = NAN;
    if (start == end)
        return TEXT_EMPTY;
    if (read_number(lines, start, end, value)) {
        text_drop_sentinels(lines, value, 1);
        return TEXT_NUMBER;
    }
    *value = NAN;
    if (!lines->begins_missing[(unsigned char)*start])
        return TEXT_WORD;
    for (const char *rest = lines->missing; rest != NULL;) {
        const char *word = rest;
        const size_t length = list_item(&rest);

        if (length == (size_t)(end - start) && strncasecmp(word, start, length) == 0)
            return TEXT_MISSING;
    }
    return TEXT_WORD;
}
