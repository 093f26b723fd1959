/* SPDX-License-Identifier: MIT */
#include "format/text/number.h"

/* Larger exponents make no difference: no text has so many digits. */
enum { EXPONENT_MOST = 100000000 };

/* No digits are added to more than this. */
static const decimal_digits FULL = (decimal_digits)UINT64_C(10000000000000000000) * 1000000000;

static bool is_digit(const char *at, const char *end)
{
    return at != end && *at >= '0' && *at <= '9';
}

static bool is_point(const char *at, const char *end, bool comma)
{
    return at != end && (*at == '.' || (comma && *at == ','));
}

/* Reads "e-7" and returns its end. There may be none. */
static const char *read_exponent(const char *text, const char *end, int *exponent)
{
    const char *at = text;
    bool minus;

    if (at == end || (*at != 'e' && *at != 'E'))
        return text;
    at++;
    minus = at != end && *at == '-';
    at += minus || (at != end && *at == '+');
    if (!is_digit(at, end))
        return text;
    for (; is_digit(at, end); at++)
        *exponent = *exponent < EXPONENT_MOST ? *exponent * 10 + (*at - '0') : *exponent;
    *exponent = minus ? -*exponent : *exponent;
    return at;
}

/* Divides by ten as often as that is exact; returns how often. */
static int strip_zeros(decimal_digits *digits)
{
    uint64_t low;
    int zeros = 0;

    for (; *digits > UINT64_MAX && *digits % 10 == 0; *digits /= 10)
        zeros++;
    if (*digits > UINT64_MAX)
        return zeros;
    for (low = (uint64_t)*digits; low > 0 && low % 10 == 0; low /= 10)
        zeros++;
    *digits = low;
    return zeros;
}

struct decimal decimal_read(const char *text, const char *end, bool comma)
{
    struct decimal number = {.length = 0};
    const char *at = text;
    bool pointed = false;
    bool any = false;
    bool exact = true;

    for (; is_digit(at, end) || (!pointed && is_point(at, end, comma)); at++) {
        if (!is_digit(at, end)) {
            pointed = true;
            continue;
        }
        any = true;
        number.places += pointed;
        if (number.digits < FULL) {
            number.digits = number.digits * 10 + (unsigned)(*at - '0');
        } else {
            number.power++;
            exact = exact && *at == '0';
        }
    }
    if (!any)
        return number;
    number.power += strip_zeros(&number.digits) - (int)number.places;
    number.fits = exact && number.digits <= UINT64_MAX;
    number.mantissa = (size_t)(at - text);
    number.length = (size_t)(read_exponent(at, end, &number.exponent) - text);
    return number;
}
