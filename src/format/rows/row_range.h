/* SPDX-License-Identifier: MIT */
/* A part of a table by the times of its rows (--from, --to). */
#ifndef GPUENV_FORMAT_ROWS_ROW_RANGE_H
#define GPUENV_FORMAT_ROWS_ROW_RANGE_H

#include "format/source.h"

/* Where a range begins or ends: before the rows at this moment. */
struct row_bound {
    bool given;
    bool since_first; /* the moment is `length` after the first row */
    int64_t length;   /* nanoseconds */
    struct moment moment;
};

struct row_range {
    struct row_bound from;
    struct row_bound to;
    bool begun; /* the first row has come */
    struct moment first;
};

/* Tells the range the time of a row. Only the first call counts. */
void row_range_begin(struct row_range *range, struct moment first);

static inline bool row_range_is_before(const struct row_range *range, struct moment moment)
{
    return range->from.given && moment_is_before(moment, range->from.moment);
}

static inline bool row_range_is_behind(const struct row_range *range, struct moment moment)
{
    return range->to.given && !moment_is_before(moment, range->to.moment);
}

static inline bool row_range_has(const struct row_range *range, struct moment moment)
{
    return !row_range_is_before(range, moment) && !row_range_is_behind(range, moment);
}

/* Puts a source before `*source`, which has rows with times and without keys; they never go back.
 * It ends at the first row behind the range. */
int row_range_open(struct source **source, const struct row_range *range, struct error *error);

/* Skips the rows before the range; `*passed` is their number. `source` is that of
 * row_range_open(). */
int row_range_skip(struct source *source, uint64_t *passed, struct error *error);

/* The range and its first row; the row that ended it, or the last one so far. */
const struct row_range *row_range_of(const struct source *source);
bool row_range_ended(const struct source *source, struct moment *last);

#endif
