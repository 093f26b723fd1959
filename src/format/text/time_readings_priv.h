/* SPDX-License-Identifier: MIT */
/* Which forms the times of a column may have, by examples: somewhere most columns have a date that
 * shows the order of day, month and year. Pure. */
#ifndef GPUENV_FORMAT_TEXT_TIME_READINGS_PRIV_H
#define GPUENV_FORMAT_TEXT_TIME_READINGS_PRIV_H

#include <stdbool.h>

#include "format/text/time_form.h"

enum {
    TIME_READINGS = 4,
    TIME_WORDS = 96, /* characters of the words for a form, or several */
};

/* The forms of dates and times that fit each of the texts so far. All zero: there was none yet. */
struct time_readings {
    bool begun;
    bool clock;                           /* they are times of day, without a date */
    unsigned count;                       /* 0 if the texts have no form in common */
    struct time_form form[TIME_READINGS]; /* with the details of how the first text is written */
};

/* Keeps the forms that fit this text as well. Numbers have none. */
void time_readings_add(struct time_readings *readings, const char *text, const char *end);

/* The form if it is clear: the only form, or hours of one or two digits that could be minutes, too.
 * NULL if it is not clear. */
const struct time_form *time_readings_form(const struct time_readings *readings);

/* Writes the formats of strptime(): "%d/%m/%Y or %m/%d/%Y". Empty if the readings have none. */
void time_readings_say(const struct time_readings *readings, char words[TIME_WORDS]);

/* The first numbers of a column of times. All zero: there was none yet. */
struct time_numbers {
    unsigned count;
    double least;
    double most;
    double last;
    bool fine;          /* a step between two numbers is no whole number of 2 or more */
    bool odd;           /* a number is not about a whole number of twelfths */
    unsigned dates;     /* numbers that look like 2026112018 or 202611, which may be seconds */
    const char *format; /* format of the first number if its digits look like a date; may be NULL */
};

void time_numbers_add(struct time_numbers *numbers, double value, const char *text,
                      const char *end);

/* The unit, other than seconds, in which all numbers are times of our days; TIME_S if there is
 * none. */
enum time_unit time_numbers_unit(const struct time_numbers *numbers);

/* The format of digits that look like a date; may be NULL. */
const char *time_numbers_format(const struct time_numbers *numbers);

#endif
