#include "format/text/decimal.h"

#include <ctype.h>
#include <stdlib.h>

/* Larger exponents make no difference. */
enum { EXPONENT_MOST = 1000000 };

/* No digits are added to more than this. */
static const decimal_digits FULL = (decimal_digits)UINT64_C(10000000000000000000) * 1000000000;

struct decimal decimal_read(const char *text, bool comma)
{
    struct decimal number = {.length = 0};
    const char *at = text;
    bool pointed = false;
    bool any = false;
    int zeros = 0; /* read, but perhaps redundant at the end */

    for (; isdigit((unsigned char)*at) || (!pointed && (*at == '.' || (comma && *at == ',')));
         at++) {
        if (!isdigit((unsigned char)*at)) {
            pointed = true;
            continue;
        }
        any = true;
        number.places += pointed;
        zeros++;
        if (*at == '0')
            continue;
        for (; zeros > 0 && number.digits > 0 && number.digits < FULL; zeros--)
            number.digits *= 10;
        if (number.digits >= FULL)
            continue;
        zeros = 0;
        number.digits += (unsigned)(*at - '0');
    }
    if (!any)
        return number;
    number.fits = number.digits <= UINT64_MAX;
    number.power = zeros - (int)number.places;
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
