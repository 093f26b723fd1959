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

#endif
