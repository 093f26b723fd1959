#include "base/csv.h"

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
