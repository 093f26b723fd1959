/* SPDX-License-Identifier: MIT */
/* Exact moments in time, and the intervals that a clock cuts time into. Pure. */
#ifndef GPUENV_SAMPLE_MOMENT_H
#define GPUENV_SAMPLE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Time since the beginning of 1970 in UTC. (Columns of numbers may count from any time.) */
struct moment {
    int64_t seconds;
    uint32_t nanoseconds; /* on top of the seconds; less than 10^9 */
};

/* Nanoseconds since the beginning of 1970 in UTC. */
__extension__ typedef __int128 moment_count;

enum { MOMENT_SECOND = 1000000000 }; /* nanoseconds */
#define MOMENT_MINUTE (INT64_C(60) * MOMENT_SECOND)
#define MOMENT_HOUR (INT64_C(3600) * MOMENT_SECOND)
#define MOMENT_DAY (INT64_C(86400) * MOMENT_SECOND)

static inline bool moment_is_before(struct moment one, struct moment other)
{
    return one.seconds != other.seconds ? one.seconds < other.seconds
                                        : one.nanoseconds < other.nanoseconds;
}

/* Does the moment lie in the years 1 to 9999? */
static inline bool moment_has_year(struct moment moment)
{
    return moment.seconds >= INT64_C(-62135596800) && moment.seconds <= INT64_C(253402300799);
}

static inline moment_count moment_to_count(struct moment moment)
{
    return (moment_count)moment.seconds * MOMENT_SECOND + moment.nanoseconds;
}

/* Rounds towards the past. */
static inline moment_count moment_divide(moment_count count, moment_count by)
{
    return count / by - (count % by < 0);
}

static inline struct moment moment_from_count(moment_count count)
{
    const moment_count seconds = moment_divide(count, MOMENT_SECOND);

    return (struct moment){
        .seconds = (int64_t)seconds,
        .nanoseconds = (uint32_t)(count - seconds * MOMENT_SECOND),
    };
}

/* The beginning of the interval that the moment lies in. Intervals of `period` nanoseconds begin at
 * its multiples. */
static inline struct moment moment_floor(struct moment moment, int64_t period)
{
    return moment_from_count(moment_divide(moment_to_count(moment), period) * period);
}

static inline struct moment moment_add(struct moment moment, int64_t nanoseconds)
{
    return moment_from_count(moment_to_count(moment) + nanoseconds);
}

/* A date and a time of day in the Gregorian calendar. */
struct civil {
    int64_t year;
    unsigned month; /* counts from 1 */
    unsigned day;   /* counts from 1 */
    unsigned hour;
    unsigned minute;
    unsigned second;
    uint32_t nanosecond;
};

/* Days since 1970 began. */
int64_t civil_days(int64_t year, unsigned month, unsigned day);

unsigned civil_days_of_month(int64_t year, unsigned month);

/* Any part of second 60 counts as the next second. */
struct moment civil_to_moment(const struct civil *civil);
struct civil civil_of_moment(struct moment moment);

#endif
