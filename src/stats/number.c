/* The costly parts are %g and strtod(), of which a search for the fewest digits needs several. So
 * the longest form is printed once, and the shorter ones are rounded from its digits; short ones
 * are read back by one operation. Where rounding twice could differ from rounding once, and for
 * subnormal numbers, the slow way is taken. */
#include "stats/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_MOST = DBL_DECIMAL_DIG,
    EXACT_DIGITS = 15, /* an integer of so many digits is a double */
    EXACT_POWER = 22,  /* 10 to this power is a double */
};

/* 0.d1 d2 d3 ... times ten to the `point`-th. */
struct decimal {
    char digits[DIGITS_MOST];
    int count;
    int point;
};

size_t number_format_whole(char text[NUMBER_MOST], uint64_t number)
{
    char backwards[NUMBER_MOST];
    size_t length = 0;

    do {
        backwards[length++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t i = 0; i < length; i++)
        text[i] = backwards[length - 1 - i];
    return length;
}

/* The magnitude of a number in so many digits. */
static void print_digits(double number, int count, struct decimal *decimal)
{
    char text[NUMBER_MOST]; /* d.ddde+dd */

    snprintf(text, sizeof text, "%.*e", count - 1, fabs(number));
    decimal->digits[0] = text[0];
    memcpy(decimal->digits + 1, text + 2, (size_t)count - 1);
    decimal->count = count;
    decimal->point = (int)strtol(text + count + 2, NULL, 10) + 1;
}

/* Rounds to fewer digits. False: what is left out is exactly one half as far as it is known. */
static bool round_digits(const struct decimal *from, int count, struct decimal *to)
{
    int left_out = memcmp(from->digits + count, "50000000000000000", (size_t)(from->count - count));
    int last = count - 1;

    if (left_out == 0)
        return false;
    memcpy(to->digits, from->digits, (size_t)count);
    to->count = count;
    to->point = from->point;
    if (left_out < 0)
        return true;
    while (last >= 0 && to->digits[last] == '9')
        to->digits[last--] = '0';
    if (last >= 0) {
        to->digits[last]++;
    } else {
        to->digits[0] = '1';
        to->point++;
    }
    return true;
}

/* The digits at these places, 0 being the first one. Around the digits there are zeros. */
static char *put_places(char *at, const struct decimal *decimal, int from, int to)
{
    for (int i = from; i < to; i++) {
        *at = '0';
        if (i >= 0 && i < decimal->count)
            *at = decimal->digits[i];
        at++;
    }
    return at;
}

static char *put_exponent(char *at, int exponent)
{
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    if (abs(exponent) < 10)
        *at++ = '0';
    return at + number_format_whole(at, (uint64_t)abs(exponent));
}

/* As %g does with a precision of `count` digits, without the zeros at their end. */
static size_t put_decimal(char text[NUMBER_MOST], const struct decimal *decimal, bool minus)
{
    int point = decimal->point;
    bool positional = point > -4 && point <= decimal->count;
    int count = decimal->count;
    char *at = text;

    while (count > 1 && decimal->digits[count - 1] == '0')
        count--;
    if (minus)
        *at++ = '-';
    if (positional && point <= 0)
        *at++ = '0';
    if (!positional)
        point = 1;
    at = put_places(at, decimal, 0, point);
    if (count > point)
        *at++ = '.';
    at = put_places(at, decimal, point, count);
    if (!positional)
        at = put_exponent(at, decimal->point - 1);
    *at = '\0';
    return (size_t)(at - text);
}

/* What the text is read as. Where both the digits and the power of ten are doubles, one division
 * or multiplication rounds once, as strtod() does. */
static double read_back(const struct decimal *decimal, const char *text)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int power = decimal->point - decimal->count;
    int64_t digits = 0;
    double value;

    if (decimal->count > EXACT_DIGITS || abs(power) > EXACT_POWER)
        return strtod(text, NULL);
    for (int i = 0; i < decimal->count; i++)
        digits = digits * 10 + (decimal->digits[i] - '0');
    value = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
    return text[0] == '-' ? -value : value;
}

/* A float32 is to be found by both ways of reading it: at once, and by way of a double. */
static bool reads_back(double number, bool narrow, double back, const char *text)
{
    return narrow ? (float)back == (float)number && strtof(text, NULL) == (float)number
                  : back == number;
}

/* By printing and reading with each precision. */
static size_t format_slowly(char text[NUMBER_MOST], double number, bool narrow, int precision)
{
    int most = narrow ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;

    for (; precision <= most; precision++) {
        snprintf(text, NUMBER_MOST, "%.*g", precision, number);
        if (reads_back(number, narrow, strtod(text, NULL), text))
            break;
    }
    return strlen(text);
}

size_t number_format(char text[NUMBER_MOST], double number, bool narrow)
{
    int most = narrow ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    int precision = narrow ? FLT_DIG : DBL_DIG;
    struct decimal longest;

    /* Up to FLT_DIG or DBL_DIG digits the end is zeros, which %g leaves out, unless the number is
     * subnormal. */
    if (fabs(number) < (narrow ? (double)FLT_MIN : DBL_MIN))
        return format_slowly(text, number, narrow, 1);
    print_digits(number, most, &longest);
    for (; precision < most; precision++) {
        struct decimal decimal;
        size_t length;

        if (!round_digits(&longest, precision, &decimal))
            return format_slowly(text, number, narrow, precision);
        length = put_decimal(text, &decimal, number < 0);
        if (reads_back(number, narrow, read_back(&decimal, text), text))
            return length;
    }
    return put_decimal(text, &longest, number < 0);
}
