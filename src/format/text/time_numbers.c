/* SPDX-License-Identifier: MIT */
#include "format/text/time_parts_priv.h"

#include <stdlib.h>

#include "format/text/number.h"

enum { DAY_SECONDS = 86400 };

/* A unit of numbers is `times` * 10^power nanoseconds. With `digits` behind the point a number says
 * every nanosecond. */
static const struct time_size {
    int32_t times;
    int power;
    unsigned digits;
    int64_t nanoseconds;
    int64_t before; /* seconds from the zero of a calendar's days to 1970 */
} time_sizes[TIME_UNITS] = {
    [TIME_S] = {1, 9, 9, MOMENT_SECOND, 0},
    [TIME_MS] = {1, 6, 6, 1000000, 0},
    [TIME_US] = {1, 3, 3, 1000, 0},
    [TIME_NS] = {1, 0, 0, 1, 0},
    [TIME_MIN] = {60, 9, 11, MOMENT_MINUTE, 0},
    [TIME_H] = {3600, 9, 13, MOMENT_HOUR, 0},
    [TIME_D] = {DAY_SECONDS, 9, 14, MOMENT_DAY, 0},
    [TIME_YEAR] = {0, 0, 16, 365 * MOMENT_DAY, 0},
    [TIME_EXCEL] = {DAY_SECONDS, 9, 14, MOMENT_DAY, INT64_C(25569) * DAY_SECONDS},
    [TIME_MATLAB] = {DAY_SECONDS, 9, 14, MOMENT_DAY, INT64_C(719529) * DAY_SECONDS},
    [TIME_JD] = {DAY_SECONDS, 9, 14, MOMENT_DAY, INT64_C(4881175) * DAY_SECONDS / 2},
    [TIME_MJD] = {DAY_SECONDS, 9, 14, MOMENT_DAY, INT64_C(40587) * DAY_SECONDS},
};

/* The largest exponent of a number that is a time. */
enum { TIME_EXPONENT = 9999 };

/* A quarter of the seconds that a moment can hold, in nanoseconds. */
static const moment_count count_most = (moment_count)(INT64_MAX / 4) * MOMENT_SECOND;

int64_t time_unit_nanoseconds(enum time_unit unit)
{
    return time_sizes[unit].nanoseconds;
}

/* Multiplies by a power of ten, and rounds half up. False if the result is too large. */
static bool scale(moment_count *number, int power)
{
    for (; power > 0 && *number != 0; power--) {
        if (*number > count_most / 10)
            return false;
        *number *= 10;
    }
    for (; power < 0 && *number != 0; power++)
        *number = (*number + (power == -1 ? 5 : 0)) / 10;
    return *number < count_most;
}

static moment_count round_to(moment_count count, int64_t unit)
{
    return moment_divide(count + unit / 2, unit) * unit;
}

/* Rounds a day of a calendar with this number of digits behind the point: to a second within half a
 * unit of the last digit (from nine digits on, within a unit of the ninth), or else to
 * microseconds. */
static moment_count round_day(moment_count count, unsigned digits)
{
    enum { DIGITS_MOST = 9 };
    const moment_count second = round_to(count, MOMENT_SECOND);
    int64_t half = digits < DIGITS_MOST ? MOMENT_DAY / 2 : DAY_SECONDS;

    for (unsigned i = 0; i < digits && digits < DIGITS_MOST; i++)
        half /= 10;
    return count - second <= half && second - count <= half ? second : round_to(count, 1000);
}

/* ---- years ---- */

static moment_count year_begin(int64_t year)
{
    return (moment_count)civil_days(year, 1, 1) * MOMENT_DAY;
}

/* Reads the share of a year, or its month, behind the point. */
static bool read_year(const struct time_form *form, const struct decimal *decimal,
                      struct moment *moment)
{
    enum { PLACES_MOST = 18, YEAR_MOST = 9999, MONTHS = 12 };
    moment_count number = (moment_count)decimal->digits;
    int places = -(decimal->power + decimal->exponent);
    moment_count unit = 1;
    moment_count length;
    moment_count part;
    int64_t year;

    for (; places > PLACES_MOST; places--)
        number /= 10;
    if (places < 0 && !scale(&number, -places))
        return false;
    for (; places > 0; places--)
        unit *= 10;
    if (number / unit < 1 || number / unit > YEAR_MOST)
        return false;
    year = (int64_t)(number / unit);
    part = number % unit;
    length = year_begin(year + 1) - year_begin(year);
    if (form->months) {
        const unsigned month = (unsigned)((part * MONTHS + unit / 2) / unit);

        *moment = moment_from_count(
            (moment_count)civil_days(year + month / MONTHS, month % MONTHS + 1, 1) * MOMENT_DAY);
    } else {
        *moment = moment_from_count(year_begin(year) + (part * length + unit / 2) / unit);
    }
    return true;
}

/* ---- all units ---- */

bool time_read_number(struct time_form *form, const char *text, const char *end,
                      struct moment *moment)
{
    const bool minus = text < end && *text == '-';
    const char *digits = text + (minus || (text < end && *text == '+'));
    const struct decimal decimal = decimal_read(digits, end, form->decimal == ',');
    const struct time_size *unit = &time_sizes[form->unit];
    moment_count number = (moment_count)decimal.digits * unit->times;

    if (decimal.length == 0 || digits + decimal.length != end ||
        abs(decimal.exponent) > TIME_EXPONENT)
        return false;
    form->digits = decimal.places <= unit->digits ? decimal.places : 0;
    if (form->unit == TIME_YEAR)
        return !minus && read_year(form, &decimal, moment);
    if (!scale(&number, decimal.power + decimal.exponent + unit->power))
        return false;
    number = minus ? -number : number;
    if (unit->before != 0)
        number = round_day(number, decimal.places) - (moment_count)unit->before * MOMENT_SECOND;
    *moment = moment_from_count(number);
    return true;
}

/* Does this share of a unit, with this number of digits, read back as the share `as`? */
static bool reads_back(const struct time_form *form, moment_count share, moment_count as,
                       unsigned digits)
{
    enum { NEAR = 6, OF = 10000 }; /* how near to twelfths of a year numbers are taken for months */
    const moment_count off = share < as ? as - share : share - as;

    return form->months                         ? OF * off <= (moment_count)NEAR * 365 * MOMENT_DAY
           : time_sizes[form->unit].before != 0 ? round_day(share, digits) == as
                                                : off == 0;
}

/* The fraction of a minute and longer units has no end in most cases: finds the fewest digits that
 * read back as this time. Sets their number, which is at least that of the form. */
static uint64_t shortest_fraction(const struct time_form *form, moment_count share,
                                  moment_count unit, unsigned *digits)
{
    const unsigned most = time_sizes[form->unit].digits;
    moment_count power = 1;

    for (*digits = 0;; ++*digits, power *= 10) {
        const moment_count fraction = (share * power + unit / 2) / unit;

        if (*digits >= form->digits &&
            (*digits == most ||
             reads_back(form, (fraction * unit + power / 2) / power, share, *digits)))
            return (uint64_t)fraction;
    }
}

char *time_write_number(const struct time_form *form, struct moment moment, char *text)
{
    const struct time_size *size = &time_sizes[form->unit];
    moment_count unit = size->nanoseconds;
    moment_count count = moment_to_count(moment) + (moment_count)size->before * MOMENT_SECOND;
    uint64_t whole;
    uint64_t fraction;
    unsigned digits = size->digits;

    if (form->unit == TIME_YEAR) {
        const struct civil civil = civil_of_moment(moment);

        whole = (uint64_t)civil.year;
        unit = year_begin(civil.year + 1) - year_begin(civil.year);
        count -= year_begin(civil.year);
        if (form->months && civil.day == 1 && count % MOMENT_DAY == 0)
            count = (civil.month - 1) * unit / 12;
    } else {
        if (count < 0)
            *text++ = '-';
        count = count < 0 ? -count : count;
        whole = (uint64_t)(count / unit);
        count %= unit;
    }
    text += number_write_u64(text, whole);
    if (count == 0 && form->digits == 0)
        return text;
    fraction = size->times == 1 ? (uint64_t)count : shortest_fraction(form, count, unit, &digits);
    if (digits == 0)
        return text;
    *text++ = '.';
    return time_put_fraction(text, fraction, digits, form->digits);
}
