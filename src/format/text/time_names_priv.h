/* English names in times, and the digits of a second. */
#ifndef GPUENV_FORMAT_TEXT_TIME_NAMES_PRIV_H
#define GPUENV_FORMAT_TEXT_TIME_NAMES_PRIV_H

enum { TIME_DIGITS = 9 }; /* of the fraction of a second */

static const char *const time_months[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};
static const char *const time_days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};

#endif
