/* The elements of a time as text, for its forms, and times by a format. Private to this room. */
#ifndef GPUENV_SAMPLE_TIME_PARTS_H
#define GPUENV_SAMPLE_TIME_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/time_form.h"

enum { TIME_DIGITS = 9 }; /* of the fraction of a second */

/* The text that is still to be read. */
struct time_reader {
    const char *at;
    const char *end;
};

static inline bool time_is_digit(const struct time_reader *reader)
{
    return reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
}

static inline bool time_take(struct time_reader *reader, char character)
{
    if (reader->at == reader->end || *reader->at != character)
        return false;
    reader->at++;
    return true;
}

static inline void time_pass_blanks(struct time_reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t'))
        reader->at++;
}

/* From `least` to `most` digits, at most 9. */
bool time_take_digits(struct time_reader *reader, unsigned least, unsigned most, unsigned *number);

/* The digits of a fraction, in nanoseconds, rounded to the nearest: it may be a whole second. */
bool time_take_fraction(struct time_reader *reader, uint32_t *nanoseconds, unsigned *digits);

/* What a text has said so far. */
struct time_parts {
    struct civil civil;
    int offset; /* from UTC, in seconds */
    bool zone;
    bool afternoon; /* for 12-hour clocks: */
    bool half_day;
    unsigned day_of_year; /* 0: not said */
    bool counted;         /* seconds since 1970 were given instead of a date */
    int64_t count;
    unsigned digits; /* of the fraction */
};

/* "Z", "UTC", "+01:00", "+0100" or "+01". */
bool time_take_zone(struct time_reader *reader, struct time_parts *parts);

/* False if there is no such time. */
bool time_of_parts(const struct time_parts *parts, struct moment *moment);

/* Each writes digits and returns the end: `width` of them, with zeros before the number; those of
 * the fraction of a second, without zeros at the end beyond the first `least`. */
char *time_put_digits(char *text, uint64_t number, unsigned width);
char *time_put_fraction(char *text, uint32_t nanoseconds, unsigned least);

/* ---- times by a format of strptime() (time_format.c) */

/* Reads a time, whose fraction has so many digits; the whole text has to be one. */
bool time_format_read(const char *format, const char *text, const char *end, struct moment *moment,
                      unsigned *digits);

/* Writes a time, a fraction with at least so many digits, and returns the length. */
size_t time_format_write(const char *format, struct moment moment, unsigned digits,
                         char text[TIME_MOST]);

#endif
