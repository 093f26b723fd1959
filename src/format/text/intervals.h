/* SPDX-License-Identifier: MIT */
/* The intervals that a local clock cuts time into: of a length, or of the calendar. Pure. */
#ifndef GPUENV_FORMAT_TEXT_INTERVALS_H
#define GPUENV_FORMAT_TEXT_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/text/zone.h"

/* Intervals of less than a day also begin where the clock's offset changes. Longer ones begin when
 * the clock first shows their beginning, or a later time where it skips that. */
struct intervals {
    int64_t period;  /* in nanoseconds; 0: there are none. Of months, that of the longest */
    unsigned months; /* 0: they have the same length. Otherwise a divisor of 12 */
    bool weeks;      /* from Monday; otherwise multiples of the period since 1970 */
    bool skip_empty; /* those without rows are left out */
    struct local_clock clock;
};

struct interval {
    struct moment begin;
    struct moment end; /* the next one begins here */
};

/* The interval that a moment lies in. */
struct interval interval_at(const struct intervals *intervals, struct moment moment);

#endif
