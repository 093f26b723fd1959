/* SPDX-License-Identifier: MIT */
#include "format/text/zone.h"

enum { FIRST_MONDAY = 4 }; /* days after the beginning of 1970 */

/* The number of the interval of a time on the clock. */
static moment_count number_of(const struct intervals *intervals, moment_count shown)
{
    struct civil civil;

    if (intervals->months == 0)
        return moment_divide(shown - (intervals->weeks ? FIRST_MONDAY * MOMENT_DAY : 0),
                             intervals->period);
    civil = civil_of_moment(moment_from_count(shown));
    return moment_divide((moment_count)civil.year * 12 + civil.month - 1, intervals->months);
}

/* What the clock shows at the beginning of an interval. */
static moment_count begin_of(const struct intervals *intervals, moment_count number)
{
    int64_t month;
    int64_t year;

    if (intervals->months == 0)
        return number * intervals->period + (intervals->weeks ? FIRST_MONDAY * MOMENT_DAY : 0);
    month = (int64_t)number * intervals->months;
    year = (int64_t)moment_divide(month, 12);
    return (moment_count)civil_days(year, (unsigned)(month - year * 12) + 1, 1) * MOMENT_DAY;
}

/* An interval of less than a day; it ends where the clock's offset changes. */
static struct interval short_at(const struct intervals *intervals, const struct local_span *span,
                                moment_count moment)
{
    const moment_count offset = (moment_count)span->offset * MOMENT_SECOND;
    const moment_count from = (moment_count)span->from * MOMENT_SECOND;
    const moment_count to = (moment_count)span->to * MOMENT_SECOND;
    const moment_count begin = begin_of(intervals, number_of(intervals, moment + offset)) - offset;
    const moment_count end = begin + intervals->period;

    return (struct interval){moment_from_count(begin < from ? from : begin),
                             moment_from_count(end > to ? to : end)};
}

struct interval interval_at(const struct intervals *intervals, struct moment moment)
{
    const struct local_span span = local_span_at(&intervals->clock, moment.seconds);
    const moment_count count = moment_to_count(moment);
    moment_count number;
    moment_count begin;
    moment_count end;

    if (intervals->period < MOMENT_DAY)
        return short_at(intervals, &span, count);
    number = number_of(intervals, count + (moment_count)span.offset * MOMENT_SECOND);
    begin = local_first(&intervals->clock, begin_of(intervals, number));
    /* A clock that is set back from a new day to the old one has begun the new one, and a day that
     * the clock skips has no time. */
    while ((end = local_first(&intervals->clock, begin_of(intervals, ++number))) <= count)
        begin = end;
    return (struct interval){moment_from_count(begin), moment_from_count(end)};
}
