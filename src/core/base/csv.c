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
    const char special[] = {delimiter, '"', '\n', '\r'};

    for (size_t i = 0; i < length; i++) {
        if (memchr(special, field[i], sizeof special) != NULL)
            return csv_quote(at, field, length);
    }
    memcpy(at, field, length);
    return at + length;
}
