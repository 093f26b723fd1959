#include "format/text/decimal.h"

#include <ctype.h>
#include <stdlib.h>

/* Larger exponents make no difference. */
enum { EXPONENT_MOST = 1000000 };

struct decimal decimal_read(const char *text)
{
    struct decimal number = {.fits = true};
    const char *at = text;
    const char *point = NULL;
    bool any = false;
    int zeros = 0; /* read, but perhaps redundant at the end */

    for (; isdigit((unsigned char)*at) || (*at == '.' && point == NULL); at++) {
        if (*at == '.') {
            point = at;
            continue;
        }
        any = true;
        number.power -= point != NULL;
        zeros++;
        if (*at == '0')
            continue;
        for (; zeros > 0 && number.digits != 0; zeros--)
            number.fits =
                number.fits && !__builtin_mul_overflow(number.digits, UINT64_C(10), &number.digits);
        zeros = 0;
        number.fits = number.fits &&
                      !__builtin_add_overflow(number.digits, (uint64_t)(*at - '0'), &number.digits);
    }
    if (!any)
        return number;
    number.power += zeros;
    number.mantissa = (size_t)(at - text);
    if ((*at == 'e' || *at == 'E') &&
        isdigit((unsigned char)at[at[1] == '+' || at[1] == '-' ? 2 : 1])) {
        char *end;
        const long exponent = strtol(at + 1, &end, 10);

        number.exponent = (int)(exponent > EXPONENT_MOST    ? EXPONENT_MOST
                                : exponent < -EXPONENT_MOST ? -EXPONENT_MOST
                                                            : exponent);
        at = end;
    }
    number.length = (size_t)(at - text);
    return number;
}
