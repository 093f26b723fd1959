/* SPDX-License-Identifier: MIT */
#include "sample/moment.h"

enum {
    DAY_SECONDS = 86400,
    CYCLE_YEARS = 400, /* the calendar repeats after so many years */
    CYCLE_DAYS = 146097,
    EPOCH_DAYS = 719468, /* days from the first of March of the year 0 to 1970 */
};

/* Rounds towards the past. */
static int64_t divide(int64_t number, int64_t by)
{
    return number / by - (number % by < 0);
}

/* Years begin in March here, so that the leap day is the last one. */
int64_t civil_days(int64_t year, unsigned month, unsigned day)
{
    const int64_t from_march = month > 2 ? year : year - 1;
    const int64_t cycle = divide(from_march, CYCLE_YEARS);
    const int64_t of_cycle = from_march - cycle * CYCLE_YEARS;
    const unsigned of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return cycle * CYCLE_DAYS + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year -
           EPOCH_DAYS;
}

unsigned civil_days_of_month(int64_t year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return month == 2 && leap ? 29 : days[month - 1];
}

struct moment civil_to_moment(const struct civil *civil)
{
    const int64_t minutes = (int64_t)civil->hour * 60 + civil->minute;

    return (struct moment){
        .seconds = civil_days(civil->year, civil->month, civil->day) * DAY_SECONDS + minutes * 60 +
                   civil->second,
        .nanoseconds = civil->second == 60 ? 0 : civil->nanosecond,
    };
}

struct civil civil_of_moment(struct moment moment)
{
    const int64_t day = divide(moment.seconds, DAY_SECONDS);
    const unsigned second = (unsigned)(moment.seconds - day * DAY_SECONDS);
    const int64_t days = day + EPOCH_DAYS;
    const int64_t cycle = divide(days, CYCLE_DAYS);
    const int64_t of_cycle = days - cycle * CYCLE_DAYS;
    const int64_t year =
        (of_cycle - of_cycle / 1460 + of_cycle / 36524 - of_cycle / (CYCLE_DAYS - 1)) / 365;
    const unsigned of_year = (unsigned)(of_cycle - (365 * year + year / 4 - year / 100));
    const unsigned month = (5 * of_year + 2) / 153; /* 0 is March */

    return (struct civil){
        .year = cycle * CYCLE_YEARS + year + (month >= 10),
        .month = month < 10 ? month + 3 : month - 9,
        .day = of_year - (153 * month + 2) / 5 + 1,
        .hour = second / 3600,
        .minute = second / 60 % 60,
        .second = second % 60,
        .nanosecond = moment.nanoseconds,
    };
}
