/* printf() and strtod() can find the fewest digits, but are slow, and several calls are needed. So
 * arithmetic in double tries first. Its answer is taken where what it may be wrong by cannot
 * matter; else the longest form is printed once, and the shorter ones are rounded from its digits;
 * and where rounding twice could differ from rounding once, and for subnormal numbers, each is
 * printed.
 *
 * The nearest decimal of so many digits usually reads back if any does. A power of two is the
 * exception: its neighbour below is half as far as the one above, so that the decimal above it may
 * read back where the nearer one below does not. */
#include "sample/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/decimal.h"

enum {
    DIGITS_MOST = DBL_DECIMAL_DIG,
    EXACT_DIGITS = DBL_DIG, /* a whole number of so many digits is a double */
    EXACT_POWER = 22,       /* 10 to this power is a double */
};

/* 0.d1 d2 d3 ... times ten to the `point`-th. */
struct digits {
    char digits[DIGITS_MOST];
    int count;
    int point;
};

/* The number that is to be read back. */
struct target {
    double number;
    bool narrow;
    bool minus;
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
static void print_digits(double number, int count, struct digits *digits)
{
    char text[NUMBER_MOST]; /* d.ddde+dd, or de+dd */
    const char *exponent;

    snprintf(text, sizeof text, "%.*e", count - 1, fabs(number));
    exponent = strchr(text, 'e');
    digits->digits[0] = text[0];
    memcpy(digits->digits + 1, text + 2, (size_t)count - 1);
    digits->count = count;
    digits->point = (int)strtol(exponent + 1, NULL, 10) + 1;
}

/* Adds one to the last digit. */
static void raise_digits(struct digits *digits)
{
    int last = digits->count - 1;

    while (last >= 0 && digits->digits[last] == '9')
        digits->digits[last--] = '0';
    if (last >= 0) {
        digits->digits[last]++;
    } else {
        digits->digits[0] = '1';
        digits->point++;
    }
}

/* Rounds to fewer digits. False: what is left out is exactly one half as far as it is known. */
static bool round_digits(const struct digits *from, int count, struct digits *to)
{
    int left_out = memcmp(from->digits + count, "50000000000000000", (size_t)(from->count - count));

    if (left_out == 0)
        return false;
    memcpy(to->digits, from->digits, (size_t)count);
    to->count = count;
    to->point = from->point;
    if (left_out > 0)
        raise_digits(to);
    return true;
}

/* The digits at these places, 0 being the first one. Around the digits there are zeros. */
static char *put_places(char *at, const struct digits *digits, int from, int to)
{
    for (int i = from; i < to; i++) {
        *at = '0';
        if (i >= 0 && i < digits->count)
            *at = digits->digits[i];
        at++;
    }
    return at;
}

static char *put_exponent(char *at, int exponent)
{
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    exponent = abs(exponent); /* 324 at most */
    if (exponent >= 100)
        *at++ = (char)('0' + exponent / 100);
    *at++ = (char)('0' + exponent / 10 % 10);
    *at++ = (char)('0' + exponent % 10);
    return at;
}

/* As %g does with a precision of `count` digits, without the zeros at their end. */
static size_t put_digits(char text[NUMBER_MOST], const struct digits *digits, bool minus)
{
    int point = digits->point;
    bool positional = point > -4 && point <= digits->count;
    int count = digits->count;
    char *at = text;

    while (count > 1 && digits->digits[count - 1] == '0')
        count--;
    if (minus)
        *at++ = '-';
    if (positional && point <= 0)
        *at++ = '0';
    if (!positional)
        point = 1;
    at = put_places(at, digits, 0, point);
    if (count > point)
        *at++ = '.';
    at = put_places(at, digits, point, count);
    if (!positional)
        at = put_exponent(at, digits->point - 1);
    *at = '\0';
    return (size_t)(at - text);
}

/* What the text is read as. Where both the digits and the power of ten are doubles, one division
 * or multiplication rounds once, as strtod() does. */
static double read_back(const struct digits *digits, const char *text)
{
    int power = digits->point - digits->count;
    int64_t number = 0;
    double value;

    if (digits->count > EXACT_DIGITS || abs(power) > EXACT_POWER)
        return strtod(text, NULL);
    for (int i = 0; i < digits->count; i++)
        number = number * 10 + (digits->digits[i] - '0');
    value = decimal_scale((double)number, power);
    return text[0] == '-' ? -value : value;
}

/* A float32 is to be found by both ways of reading it: at once, and by way of a double. */
static bool reads_back(const struct target *target, double back, const char *text)
{
    return target->narrow
               ? (float)back == (float)target->number && strtof(text, NULL) == (float)target->number
               : back == target->number;
}

/* Writes these digits, or for a power of two the next decimal above, and returns the length; 0 if
 * neither reads back. */
static size_t try_digits(char text[NUMBER_MOST], const struct target *target, struct digits *digits)
{
    size_t length = put_digits(text, digits, target->minus);
    int exponent;

    if (reads_back(target, read_back(digits, text), text))
        return length;
    if (fabs(frexp(target->number, &exponent)) != 0.5)
        return 0;
    raise_digits(digits);
    length = put_digits(text, digits, target->minus);
    return reads_back(target, read_back(digits, text), text) ? length : 0;
}

/* By printing and reading with each precision, this one first. */
static size_t format_slowly(char text[NUMBER_MOST], const struct target *target, int precision)
{
    for (;; precision++) {
        struct digits digits;
        size_t length;

        print_digits(target->number, precision, &digits);
        length = try_digits(text, target, &digits);
        if (length > 0)
            return length;
    }
}

/* By rounding the longest form. */
static size_t format_from_longest(char text[NUMBER_MOST], const struct target *target,
                                  int precision)
{
    int most = target->narrow ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    struct digits longest;

    print_digits(target->number, most, &longest);
    for (; precision < most; precision++) {
        struct digits digits;
        size_t length;

        if (!round_digits(&longest, precision, &digits))
            return format_slowly(text, target, precision);
        length = try_digits(text, target, &digits);
        if (length > 0)
            return length;
    }
    return put_digits(text, &longest, target->minus);
}

/* ---- by arithmetic ---- */

static void set_digits(struct digits *digits, int64_t number, int count, int point)
{
    for (int i = count - 1; i >= 0; i--) {
        digits->digits[i] = (char)('0' + number % 10);
        number /= 10;
    }
    /* It was rounded up to a power of ten. */
    if (number > 0) {
        digits->digits[0] = '1';
        point++;
    }
    digits->count = count;
    digits->point = point;
}

/* Where the point stands in a number that is not zero: 10^(point-1) <= magnitude < 10^point, or one
 * less next to a power of ten. */
static int find_point(double magnitude)
{
    int exponent;
    int point;

    (void)frexp(magnitude, &exponent);
    point = (int)floor((exponent - 1) * 0.30102999566398120); /* log10(2) */
    return magnitude >= decimal_scale(1, point + 1) ? point + 2 : point + 1;
}

/* Different decimals of up to 15 digits are different doubles, so one that reads back is the only
 * one; and multiplying and dividing by a power of ten that is exact finds out. */
static bool find_wide(double magnitude, struct digits *digits)
{
    int point;
    int power;
    double whole;

    if (magnitude < 1e-7 || magnitude >= 1e15)
        return false;
    point = find_point(magnitude);
    power = EXACT_DIGITS - point;
    if (power > EXACT_POWER)
        return false;
    whole = rint(decimal_scale(magnitude, power));
    if (decimal_scale(whole, -power) != magnitude)
        return false;
    set_digits(digits, (int64_t)whole, EXACT_DIGITS, point);
    return true;
}

/* Digits of a normal float32, `*precision` of them. False: that many are too close to call. */
static bool find_narrow(double magnitude, struct digits *digits, int *precision)
{
    const double close = 1e-5; /* more than the products below can be wrong by */
    int point = find_point(magnitude);
    double scaled = decimal_scale(magnitude, FLT_DECIMAL_DIG - point); /* of nine digits */
    int exponent;
    bool two = frexp(magnitude, &exponent) == 0.5;

    for (*precision = FLT_DIG; *precision <= FLT_DECIMAL_DIG; ++*precision) {
        double step = decimal_scale(1, FLT_DECIMAL_DIG - *precision);
        double whole = floor(scaled / step);
        double rest = scaled - whole * step;

        if (fabs(rest - step / 2) < close)
            return false;
        if (rest > step / 2)
            whole++;
        for (int above = 0; above <= two; above++) {
            double number = whole + above;
            double near = decimal_scale(number, point - *precision);

            if (!decimal_is_clear(near))
                return false;
            if ((float)near == (float)magnitude) {
                set_digits(digits, (int64_t)number, *precision, point);
                return true;
            }
        }
    }
    *precision = FLT_DECIMAL_DIG;
    return false;
}

size_t number_format(char text[NUMBER_MOST], double number, bool narrow)
{
    const struct target target = {.number = number, .narrow = narrow, .minus = signbit(number)};
    double magnitude = fabs(number);
    int precision = narrow ? FLT_DIG : DBL_DIG;
    struct digits digits;

    if (!isfinite(number))
        return (size_t)snprintf(text, NUMBER_MOST, "%g", number);
    if (magnitude == 0) {
        set_digits(&digits, 0, 1, 1);
        return put_digits(text, &digits, target.minus);
    }
    /* Up to FLT_DIG or DBL_DIG digits the end is zeros, which %g leaves out, unless the number is
     * subnormal. */
    if (magnitude < (narrow ? (double)FLT_MIN : DBL_MIN))
        return format_slowly(text, &target, 1);
    if (narrow ? find_narrow(magnitude, &digits, &precision) : find_wide(magnitude, &digits))
        return put_digits(text, &digits, target.minus);
    return format_from_longest(text, &target, precision);
}
