/* Times that are numbers. Private to format. */
#ifndef GPUENV_FORMAT_TEXT_TIME_NUMBERS_PRIV_H
#define GPUENV_FORMAT_TEXT_TIME_NUMBERS_PRIV_H

#include <stdbool.h>

#include "format/text/time_form.h"

/* Reads "-1.5e3" and sets the digits of the form; to 0 if they are more than are kept. Rounds to
 * nanoseconds, half of one away from zero, and days of a calendar to the nearest second within half
 * a unit of their last digit, or else to microseconds. */
bool time_read_number(struct time_form *form, const char *text, const char *end,
                      struct moment *moment);
char *time_write_number(const struct time_form *form, struct moment moment, char *text);

/* A unit's length; that of years is about right. */
int64_t time_unit_nanoseconds(enum time_unit unit);

/* The first numbers of a column of times. All zero: there was none yet. */
struct time_numbers {
    unsigned count;
    double least;
    double most;
    double last;
    bool fine;          /* a step between two is no whole number of 2 or more */
    bool odd;           /* one is no twelfth of a year */
    unsigned hours;     /* so many are dates with an hour, 2026112018 */
    const char *format; /* of the first, whose digits look like a date; or NULL */
};

void time_numbers_add(struct time_numbers *numbers, double value, const char *text,
                      const char *end);

/* The unit in which all of them are times of our days, other than seconds; or TIME_S. */
enum time_unit time_numbers_unit(const struct time_numbers *numbers);

/* The format of digits that look like a date; or NULL. */
const char *time_numbers_format(const struct time_numbers *numbers);

#endif
