#include "sample/time_parts.h"

#include <strings.h>

bool time_take_digits(struct time_reader *reader, unsigned least, unsigned most, unsigned *number)
{
    unsigned count = 0;

    for (*number = 0; count < most && time_is_digit(reader); count++)
        *number = *number * 10 + (unsigned)(*reader->at++ - '0');
    return count >= least;
}

bool time_take_fraction(struct time_reader *reader, uint32_t *nanoseconds, unsigned *digits)
{
    unsigned count = 0;

    *nanoseconds = 0;
    for (; time_is_digit(reader); reader->at++, count++) {
        if (count < TIME_DIGITS)
            *nanoseconds = *nanoseconds * 10 + (unsigned)(*reader->at - '0');
        else if (count == TIME_DIGITS)
            *nanoseconds += *reader->at >= '5';
    }
    *digits = count;
    for (unsigned i = count; i < TIME_DIGITS; i++)
        *nanoseconds *= 10;
    return count > 0;
}

bool time_of_parts(const struct time_parts *parts, struct moment *moment)
{
    struct civil civil = parts->civil;
    const bool carry = civil.nanosecond == MOMENT_SECOND; /* a fraction that was rounded up */

    if (parts->half_day && (civil.hour < 1 || civil.hour > 12))
        return false;
    if (parts->half_day)
        civil.hour = civil.hour % 12 + (parts->afternoon ? 12 : 0);
    if (parts->day_of_year > 0) {
        unsigned day = parts->day_of_year;

        for (civil.month = 1; civil.month <= 12; civil.month++) {
            if (day <= civil_days_of_month(civil.year, civil.month))
                break;
            day -= civil_days_of_month(civil.year, civil.month);
        }
        civil.day = day;
    }
    if (!civil_is_valid(&civil))
        return false;
    if (carry)
        civil.nanosecond = 0;
    *moment = civil_to_moment(&civil);
    if (parts->counted)
        *moment = (struct moment){.seconds = parts->count, .nanoseconds = civil.nanosecond};
    moment->seconds += (carry ? 1 : 0) - parts->offset;
    civil = civil_of_moment(*moment);
    return parts->counted || (civil.year >= 1 && civil.year <= 9999);
}

bool time_take_zone(struct time_reader *reader, struct time_parts *parts)
{
    const bool west = reader->at < reader->end && *reader->at == '-';
    unsigned hours;
    unsigned minutes = 0;

    parts->zone = true;
    if (time_take(reader, 'Z') || time_take(reader, 'z'))
        return true;
    if (reader->end - reader->at >= 3 && strncasecmp(reader->at, "UTC", 3) == 0) {
        reader->at += 3;
        return true;
    }
    if (!west && !time_take(reader, '+'))
        return false;
    reader->at += west;
    if (!time_take_digits(reader, 2, 2, &hours))
        return false;
    if ((time_take(reader, ':') || time_is_digit(reader)) &&
        !time_take_digits(reader, 2, 2, &minutes))
        return false;
    if (hours > 23 || minutes > 59)
        return false;
    parts->offset = (int)(hours * 3600 + minutes * 60) * (west ? -1 : 1);
    return true;
}

char *time_put_digits(char *text, uint64_t number, unsigned width)
{
    for (unsigned i = width; i-- > 0; number /= 10)
        text[i] = (char)('0' + number % 10);
    return text + width;
}

char *time_put_fraction(char *text, uint32_t nanoseconds, unsigned least)
{
    unsigned width = TIME_DIGITS;

    for (; width > least && nanoseconds % 10 == 0; width--)
        nanoseconds /= 10;
    return time_put_digits(text, nanoseconds, width);
}
