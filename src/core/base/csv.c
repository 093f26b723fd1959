/* SPDX-License-Identifier: MIT */
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

char *csv_put(char *at, char delimiter, const char *field, size_t length)
{
    unsigned special = 0;

    for (size_t i = 0; i < length; i++)
        special |= (unsigned)(field[i] == delimiter) | (unsigned)(field[i] == '"') |
                   (unsigned)(field[i] == '\n') | (unsigned)(field[i] == '\r');
    if (special != 0)
        return csv_quote(at, field, length);
    memcpy(at, field, length);
    return at + length;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *csv_put_name(char *at, char delimiter, const char *name, size_t length)
{
    if (length > 0 && (name[0] == '#' || is_blank(name[0]) || is_blank(name[length - 1])))
        return csv_quote(at, name, length);
    return csv_put(at, delimiter, name, length);
}
