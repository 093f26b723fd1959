#include "format/text/samples.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "sample/number.h"

static const char usual[] = "nan,NA,N/A,null,none,-,--";

/* The words of a list, one after the other. */
static bool next_word(const char **list, const char **word, size_t *length)
{
    if (*list == NULL)
        return false;
    *word = *list;
    *length = strcspn(*list, ",");
    *list += *length;
    *list = **list == ',' ? *list + 1 : NULL;
    return true;
}

void text_values_init(struct text_values *values, char decimal, const char *missing)
{
    const char *list = missing;
    const char *word;
    size_t length;

    *values =
        (struct text_values){.decimal = decimal, .missing = missing == NULL ? usual : missing};
    while (next_word(&list, &word, &length) && values->sentinels < TEXT_SENTINELS) {
        double number;

        if (number_read_f64(word, word + length, '.', &number) == word + length && !isnan(number))
            values->sentinel[values->sentinels++] = number;
    }
}

const char *text_missing_fault(const char *missing)
{
    const char *list = missing;
    const char *word;
    size_t length;
    size_t count = 0;

    while (next_word(&list, &word, &length)) {
        if (length == 0)
            return "a word is missing";
        if (++count > TEXT_SENTINELS)
            return "more than 16 words";
    }
    return NULL;
}

static bool is_missing(const struct text_values *values, const char *start, size_t size)
{
    const char *list = values->missing;
    const char *word;
    size_t length;

    while (next_word(&list, &word, &length)) {
        if (length == size && strncasecmp(word, start, size) == 0)
            return true;
    }
    return false;
}

enum text_verdict text_value(const struct text_values *values, const struct text_field *field,
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
    if (number_read_f64(start, end, values->decimal, value) == end) {
        text_drop_sentinels(values, value, 1);
        return TEXT_NUMBER;
    }
    *value = NAN;
    return is_missing(values, start, (size_t)(end - start)) ? TEXT_MISSING : TEXT_WORD;
}

char text_find_delimiter(const char *line, char decimal)
{
    bool quoted = false;
    bool tab = false;
    bool bar = false;
    char found = '\0';

    for (; *line != '\n'; line++) {
        quoted ^= *line == '"';
        if (quoted)
            continue;
        if (*line == ',' && decimal != ',')
            return ',';
        if (*line == ';')
            found = ';';
        tab = tab || *line == '\t';
        bar = bar || *line == '|';
    }
    if (found != '\0')
        return found;
    if (tab)
        return '\t';
    if (bar)
        return '|';
    if (decimal == ',')
        return ';';
    return ',';
}

/* A number, but for a comma in it. */
static bool has_decimal_comma(const struct text_field *field)
{
    size_t length = (size_t)(field->end - field->start);
    double number;

    return length < 64 && memchr(field->start, ',', length) != NULL &&
           number_read_f64(field->start, field->end, ',', &number) == field->end;
}

enum error_code text_field_code(const struct text_lines *lines, const struct text_values *values,
                                const struct text_field *field, bool alone)
{
    size_t length = (size_t)(field->end - field->start);
    const char *semicolon = memchr(field->start, ';', length);
    struct text_field first = {.start = field->start, .end = semicolon};
    double value;

    if (values->decimal != ',' && has_decimal_comma(field))
        return ERROR_DECIMAL_COMMA;
    if (lines->delimiter == ',' && memchr(field->start, '\t', length) != NULL)
        return ERROR_TABS;
    if (semicolon != NULL &&
        (alone || text_value(values, &first, &value) == TEXT_NUMBER || has_decimal_comma(&first)))
        return ERROR_SEMICOLONS;
    return ERROR_FILE;
}
