/* English names in times, the digits of a second, and the sizes of units. */
#ifndef GPUENV_FORMAT_TEXT_TIME_NAMES_PRIV_H
#define GPUENV_FORMAT_TEXT_TIME_NAMES_PRIV_H

#include <stdint.h>

#include "format/text/time_form.h"

enum { TIME_DIGITS = 9 }; /* of the fraction of a second */

/* A unit of numbers is so many times 10^power nanoseconds. With `digits` behind the point a number
 * says every nanosecond. */
struct time_size {
    int32_t times;
    unsigned power;
    unsigned digits;
    int64_t nanoseconds;
};

static const struct time_size time_sizes[TIME_UNITS] = {
    [TIME_S] = {1, 9, 9, MOMENT_SECOND},
    [TIME_MS] = {1, 6, 6, 1000000},
    [TIME_US] = {1, 3, 3, 1000},
    [TIME_NS] = {1, 0, 0, 1},
    [TIME_MIN] = {60, 9, 11, MOMENT_SECOND *INT64_C(60)},
    [TIME_H] = {3600, 9, 13, MOMENT_SECOND *INT64_C(3600)},
    [TIME_D] = {86400, 9, 14, MOMENT_DAY},
};

static const char *const time_months[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};
static const char *const time_days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};

#endif
