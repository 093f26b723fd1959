/* SPDX-License-Identifier: MIT */
/* Time zones: how far local clocks are from UTC, and when that changes; and the intervals, of a
 * fixed length or of the calendar, that a local clock cuts time into. Pure. */
#ifndef GPUENV_FORMAT_TEXT_ZONE_H
#define GPUENV_FORMAT_TEXT_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/moment.h"

enum {
    ZONE_CHANGES_MOST = 2048,
    ZONE_NAME = 48,
};

/* The clocks of a place. Times are in seconds since 1970, offsets in seconds east of UTC. */
struct zone {
    char name[ZONE_NAME];
    bool repeats;   /* the changes of the last 400 years recur for ever */
    unsigned count; /* changes of the offset */
    int64_t at[ZONE_CHANGES_MOST];
    int32_t offset[ZONE_CHANGES_MOST +
                   1]; /* the offset before the first change, and after each change */
};

/* Reads a file of the system's time zones ("TZif", RFC 9636). False if the file is no such file, is
 * damaged, or counts leap seconds. The name is not changed. */
bool zone_read(struct zone *zone, const unsigned char *bytes, size_t size);

/* Reads a zone that POSIX describes: "CET-1CEST,M3.5.0,M10.5.0/3". */
bool zone_read_rule(struct zone *zone, const char *text, size_t size);

/* A local clock. All zero: UTC. */
struct local_clock {
    const struct zone *zone; /* NULL if `offset` never changes */
    int32_t offset;
};

/* A time without a change of the offset. */
struct local_span {
    int64_t from; /* INT64_MIN if there was no earlier change */
    int64_t to;   /* the next change; INT64_MAX if there is none */
    int32_t offset;
};

struct local_span local_span_at(const struct local_clock *clock, int64_t seconds);

/* The moments at which the clock shows a time, in seconds as if that were in UTC: usually one, two
 * in an hour that the clock repeats, none in an hour that the clock skips: then `seconds[0]` is the
 * end of the gap. `*near` keeps the span that was found for the next call; all zero at first. */
unsigned local_find(const struct local_clock *clock, int64_t shown, struct local_span *near,
                    int64_t seconds[2]);

/* The first moment at which the clock shows this time, or a later one; in nanoseconds. */
moment_count local_first(const struct local_clock *clock, moment_count shown);

/* What the clock shows at a moment, as if that were in UTC. */
static inline struct moment local_shown(const struct local_clock *clock, struct moment moment)
{
    moment.seconds +=
        clock->zone == NULL ? clock->offset : local_span_at(clock, moment.seconds).offset;
    return moment;
}

/* ---- intervals */

/* Intervals of less than a day also begin where the clock's offset changes. Longer ones begin when
 * the clock first shows their beginning, or a later time where it skips that. */
struct intervals {
    int64_t period;  /* nanoseconds, of months those of the longest; 0 if there are no intervals */
    unsigned months; /* months of an interval, a divisor of 12; 0 for a fixed length */
    bool weeks; /* intervals begin on Monday; otherwise at multiples of the period since 1970 */
    bool skip_empty; /* intervals without rows are left out */
    struct local_clock clock;
};

struct interval {
    struct moment begin;
    struct moment end; /* the next interval begins here */
};

/* The interval that a moment lies in. */
struct interval interval_at(const struct intervals *intervals, struct moment moment);

#endif
