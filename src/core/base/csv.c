#include "base/csv.h"

#include <stdbool.h>
#include <string.h>

char *csv_quote(char *at, const char *field, size_t length)
{
    *at++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (field[i] == '"')
            *at++ = '"';
        *at++ = field[i];
    }
    *at++ = '"';
    return at;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *csv_put(char *at, char delimiter, const char *field, size_t length)
{
    unsigned special =
        length > 0 && (field[0] == '#' || is_blank(field[0]) || is_blank(field[length - 1]));

    for (size_t i = 0; i < length; i++)
        special |= (unsigned)(field[i] == delimiter) | (unsigned)(field[i] == '"') |
                   (unsigned)(field[i] == '\n') | (unsigned)(field[i] == '\r');
    if (special != 0)
        return csv_quote(at, field, length);
    memcpy(at, field, length);
    return at + length;
}
