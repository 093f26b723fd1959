/* SPDX-License-Identifier: MIT */
/* The parts that times of all forms are read and written by: inline, since each row of a table may
 * have a time. */
#ifndef GPUENV_FORMAT_TEXT_TIME_PARTS_PRIV_H
#define GPUENV_FORMAT_TEXT_TIME_PARTS_PRIV_H

#include <string.h>
#include <strings.h>

#include "format/text/time_form.h"

/* The first six are those of ISO 8601, in its order. */
enum time_element {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    ISO_ELEMENTS,
    HOUR_OF_12 = ISO_ELEMENTS, /* 0 if not said */
    AFTERNOON,                 /* 1 if it is */
    DAY_OF_YEAR,               /* 0 if not said */
    WEEKDAY,
    ELEMENTS
};

enum { FRACTION = 9 }; /* digits of a second */

/* ---- reading ---- */

struct reading {
    const char *at; /* what is still to be read */
    const char *end;
    struct time_form *form; /* gets its zone and its digits */

    /* The members below are what has been read. */
    unsigned element[ELEMENTS];
    uint32_t nanosecond; /* less than a second, or a whole one by rounding */
    bool counted;        /* seconds since 1970 were given instead of a date */
    int64_t count;
};

/* What a text does not say is that of the beginning of 1970 in UTC. */
static inline struct reading reading_begin(struct time_form *form, const char *text,
                                           const char *end)
{
    form->zone = false;
    form->offset = '\0';
    form->clock.offset = 0;
    form->digits = 0;
    return (struct reading){.at = text, .end = end, .form = form, .element = {1970, 1, 1}};
}

static inline bool reading_is_digit(const struct reading *reading)
{
    return reading->at < reading->end && *reading->at >= '0' && *reading->at <= '9';
}

static inline bool reading_is_next(const struct reading *reading, char character)
{
    return reading->at < reading->end && *reading->at == character;
}

static inline bool reading_take(struct reading *reading, char character)
{
    const bool found = reading_is_next(reading, character);

    reading->at += found;
    return found;
}

/* Reads the first `length` characters of a word, in upper or lower case. */
static inline bool reading_take_word(struct reading *reading, const char *word, size_t length)
{
    if ((size_t)(reading->end - reading->at) < length ||
        strncasecmp(reading->at, word, length) != 0)
        return false;
    reading->at += length;
    return true;
}

static inline void reading_pass_blanks(struct reading *reading)
{
    while (reading_is_next(reading, ' ') || reading_is_next(reading, '\t'))
        reading->at++;
}

/* Reads `least` to `most` digits, at most 9. */
static inline bool reading_take_digits(struct reading *reading, unsigned least, unsigned most,
                                       unsigned *number)
{
    unsigned count = 0;

    for (*number = 0; count < most && reading_is_digit(reading); count++)
        *number = *number * 10 + (unsigned)(*reading->at++ - '0');
    return count >= least;
}

/* Reads a fraction of a second, rounded to nanoseconds: it may become a whole second. */
static inline bool reading_take_fraction(struct reading *reading)
{
    static const uint32_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                      10000,      1000,      100,      10,      1};
    uint32_t nanosecond = 0;
    unsigned count = 0;

    for (; reading_is_digit(reading); reading->at++, count++) {
        if (count < FRACTION)
            nanosecond = nanosecond * 10 + (unsigned)(*reading->at - '0');
        else if (count == FRACTION)
            nanosecond += *reading->at >= '5';
    }
    reading->form->digits = count < FRACTION ? count : FRACTION;
    reading->nanosecond = nanosecond * powers[reading->form->digits];
    return count > 0;
}

/* Reads "Z", "UTC", "GMT", "+01:00", "+0100" or "+01". */
static inline bool reading_take_zone(struct reading *reading)
{
    struct time_form *form = reading->form;
    unsigned hours;
    unsigned minutes = 0;
    bool west;

    form->zone = true;
    form->offset = 'Z';
    if (reading_take(reading, 'Z') || reading_take(reading, 'z'))
        return true;
    form->offset = 'U';
    if (reading_take_word(reading, "UTC", 3))
        return true;
    form->offset = 'G';
    if (reading_take_word(reading, "GMT", 3))
        return true;
    west = reading_take(reading, '-');
    if ((!west && !reading_take(reading, '+')) || !reading_take_digits(reading, 2, 2, &hours))
        return false;
    form->offset = (char)(reading_take(reading, ':') ? ':' : reading_is_digit(reading) ? '+' : 'h');
    if (form->offset != 'h' && !reading_take_digits(reading, 2, 2, &minutes))
        return false;
    form->clock.offset = (int32_t)(hours * 3600 + minutes * 60) * (west ? -1 : 1);
    return hours <= 23 && minutes <= 59;
}

/* Is there such a date, in the years 1 to 9999, and such a time? Second 60 is valid, and so is
 * 24:00, the end of the day. */
static inline bool civil_is_valid(const struct civil *civil)
{
    const bool ends_day =
        civil->hour == 24 && civil->minute == 0 && civil->second == 0 && civil->nanosecond == 0;

    return civil->year >= 1 && civil->year <= 9999 && civil->month >= 1 && civil->month <= 12 &&
           civil->day >= 1 && civil->day <= civil_days_of_month(civil->year, civil->month) &&
           (civil->hour <= 23 || ends_day) && civil->minute <= 59 && civil->second <= 60;
}

/* The moment that the whole text means. False if text is left over, or if there is no such time. */
static inline bool reading_end(const struct reading *reading, struct moment *moment)
{
    const unsigned *element = reading->element;
    const bool carry = reading->nanosecond == MOMENT_SECOND; /* a fraction that was rounded up */
    const unsigned of_12 = element[HOUR_OF_12];
    const unsigned of_year = element[DAY_OF_YEAR];
    struct civil civil = {
        .year = element[YEAR],
        .month = of_year > 0 ? 1 : element[MONTH],
        .day = of_year > 0 ? 1 : element[DAY],
        .hour = of_12 > 0 ? of_12 % 12 + 12 * element[AFTERNOON] : element[HOUR],
        .minute = element[MINUTE],
        .second = element[SECOND],
        .nanosecond = reading->nanosecond,
    };

    if (reading->at != reading->end || of_12 > 12 || !civil_is_valid(&civil) ||
        (of_year > 0 && of_year > 337 + civil_days_of_month(civil.year, 2)))
        return false;
    if (carry)
        civil.nanosecond = 0;
    *moment = civil_to_moment(&civil);
    if (of_year > 0)
        moment->seconds += (of_year - 1) * INT64_C(86400);
    if (reading->counted)
        *moment = (struct moment){.seconds = reading->count, .nanoseconds = civil.nanosecond};
    moment->seconds += (carry ? 1 : 0) - reading->form->clock.offset;
    return reading->counted || moment_has_year(*moment);
}

/* Read a time in the format of the form, or "-1.5e3"; the whole text has to be one. A number sets
 * the digits of the form; to 0 if they are more than are kept. It is rounded to nanoseconds, halves
 * away from zero, and days of a calendar to the nearest second within half a unit of their last
 * digit, or else to microseconds. */
bool time_read_format(struct time_form *form, const char *text, const char *end,
                      struct moment *moment);
bool time_read_number(struct time_form *form, const char *text, const char *end,
                      struct moment *moment);

/* A unit's length; that of years is about right. */
int64_t time_unit_nanoseconds(enum time_unit unit);

/* ---- writing ---- */

/* What is written of a moment. */
struct writing {
    const struct time_form *form;
    struct moment moment;
    unsigned element[ELEMENTS]; /* what the clock shows */
    uint32_t nanosecond;
    int32_t offset;
};

/* Return the end of the text. */
char *time_write_format(struct writing *writing, char *text);
char *time_write_number(const struct time_form *form, struct moment moment, char *text);

/* Each writes digits and returns the end: `width` digits, with zeros before the number; the digits
 * of a fraction, without zeros at the end beyond the first `least`. */

static inline char *time_put_digits(char *text, uint64_t number, unsigned width)
{
    for (unsigned i = width; i-- > 0; number /= 10)
        text[i] = (char)('0' + number % 10);
    return text + width;
}

static inline char *time_put_fraction(char *text, uint64_t number, unsigned width, unsigned least)
{
    for (; width > least && number % 10 == 0; width--)
        number /= 10;
    return time_put_digits(text, number, width);
}

/* The end of the last interval may lie in the year 10000. */
static inline char *time_put_year(char *text, unsigned year)
{
    return time_put_digits(text, year, year > 9999 ? 5 : 4);
}

static inline char *time_put_part(char *text, char before, unsigned number, bool unpadded)
{
    if (before != '\0')
        *text++ = before;
    if (unpadded && number < 10)
        return time_put_digits(text, number, 1);
    return time_put_digits(text, number, 2); /* a constant: it has no loop then */
}

/* Writes "+01:00" or "Z". */
static inline char *time_put_offset(const struct writing *writing, char *text)
{
    const struct time_form *form = writing->form;
    const int32_t offset = writing->offset;
    const unsigned seconds = (unsigned)(offset < 0 ? -offset : offset);
    const bool letters = form->offset == 'Z' || form->offset == 'U' || form->offset == 'G';
    const bool colon =
        form->offset == ':' || (form->kind == TIME_ISO && form->dash != '\0' && letters);
    const char before = (char)(colon ? ':' : '\0');

    if (offset == 0 && (form->offset == 'U' || form->offset == 'G'))
        return stpcpy(text, form->offset == 'U' ? "UTC" : "GMT");
    if (offset == 0 && form->offset == 'Z')
        return stpcpy(text, "Z");
    text = time_put_part(text, offset < 0 ? '-' : '+', seconds / 3600, false);
    if (form->offset != 'h' || seconds % 3600 > 0)
        text = time_put_part(text, before, seconds / 60 % 60, false);
    if (seconds % 60 > 0) /* local mean time, in the nineteenth century */
        text = time_put_part(text, before, seconds % 60, false);
    return text;
}

#endif
