/* SPDX-License-Identifier: MIT */
/* The intervals that a local clock cuts time into: intervals of a fixed length, or of the calendar.
 * Pure. */
#ifndef GPUENV_FORMAT_TEXT_INTERVALS_H
#define GPUENV_FORMAT_TEXT_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/text/zone.h"

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
