#include "format/text/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_lines_init(struct text_lines *lines, const char *name, char delimiter)
{
    *lines = (struct text_lines){.name = name, .delimiter = delimiter};
    lines->ends['\0'] = true;
    lines->ends['\n'] = true;
    lines->ends[(unsigned char)delimiter] = true;
    if (delimiter == ' ')
        lines->ends['\t'] = true;
}

static const char *pass_blanks(const struct text_lines *lines, const char *at)
{
    while (*at == ' ' || (*at == '\t' && lines->delimiter != '\t'))
        at++;
    return at;
}

static bool is_line_end(const char *at)
{
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/* From the end of a field to the beginning of the next one. */
static enum text_next pass_end(const struct text_lines *lines, struct text_cursor *cursor,
                               const char *at)
{
    const char *behind = pass_blanks(lines, at);

    if (is_line_end(behind)) {
        cursor->at = behind + (*behind == '\r') + 1;
        cursor->line++;
        return TEXT_RECORD;
    }
    cursor->at = behind;
    if (lines->delimiter == ' ')
        return behind > at ? TEXT_FIELD : TEXT_FAULT;
    cursor->at++;
    return *behind == lines->delimiter ? TEXT_FIELD : TEXT_FAULT;
}

/* From the quote on. */
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
    if (*at == '\n' && end > field->start && end[-1] == '\r')
        end--;
    while (end > field->start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    field->end = end;
    return pass_end(lines, cursor, at);
}

int text_no_field(const struct text_lines *lines, uint64_t line, unsigned column,
                  const struct text_field *field, struct error *error)
{
    bool junk =
        field->quoted && memchr(field->start, '\0', (size_t)(field->end - field->start)) == NULL;

    return error_set(error, ERROR_FILE, lines->name, "line %llu, column %u: %s",
                     (unsigned long long)line, column,
                     junk ? "something follows the quote at its end"
                          : "holds a NUL byte: is this text?");
}

int text_wrong_field(const struct text_lines *lines, enum error_code code, uint64_t line,
                     unsigned column, const struct text_field *field, const char *why,
                     struct error *error)
{
    char shown[TEXT_SHOWN_ROOM];

    return error_set(error, code, lines->name, "line %llu, column %u: '%s' %s",
                     (unsigned long long)line, column, text_show_field(field, shown), why);
}

int text_pass_idle_lines(const struct text_lines *lines, struct text_cursor *cursor,
                         struct error *error)
{
    while (cursor->at < cursor->end && *cursor->at <= '#') {
        const char *at = pass_blanks(lines, cursor->at);
        const char *end = at;

        if (*at == '#') {
            end = memchr(at, '\n', (size_t)(cursor->end - at));
            if (memchr(at, '\0', (size_t)(end - at)) != NULL)
                return text_no_field(lines, cursor->line, 1, &(struct text_field){at, end, false},
                                     error);
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

char *text_field_copy(const struct text_field *field)
{
    char *copy = malloc((size_t)(field->end - field->start) + 1);
    char *to = copy;

    if (copy == NULL)
        return NULL;
    for (const char *at = field->start; at < field->end; at++) {
        *to++ = *at;
        at += field->quoted && *at == '"';
    }
    *to = '\0';
    return copy;
}

/* Does not cut a character in the middle. */
const char *text_show(const char *start, size_t length, char shown[TEXT_SHOWN_ROOM])
{
    bool whole = length < TEXT_SHOWN;

    if (!whole)
        length = TEXT_SHOWN - 1;
    while (!whole && length > 0 && (start[length] & 0xc0) == 0x80)
        length--;
    snprintf(shown, TEXT_SHOWN_ROOM, "%.*s%s", (int)length, start, whole ? "" : "...");
    return shown;
}

const char *text_show_field(const struct text_field *field, char shown[TEXT_SHOWN_ROOM])
{
    return text_show(field->start, (size_t)(field->end - field->start), shown);
}

void text_time_join(struct text_time *time, const struct text_field *fields, unsigned count)
{
    time->text = (struct text_field){.start = fields[0].start, .end = fields[0].end};
    if (count > 1) {
        int used = snprintf(time->joined, sizeof time->joined, "%.*s %.*s",
                            (int)(fields[0].end - fields[0].start), fields[0].start,
                            (int)(fields[1].end - fields[1].start), fields[1].start);

        time->text.start = time->joined;
        time->text.end = time->joined + (used < (int)sizeof time->joined ? used : 0);
    }
}
