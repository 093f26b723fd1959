/* SPDX-License-Identifier: MIT */
/* The times of the rows of a table as a summary tells them: from when to when they are, how far
 * apart, and where they do not go on. */
#ifndef GPUENV_FORMAT_ROWS_TIME_LINE_PRIV_H
#define GPUENV_FORMAT_ROWS_TIME_LINE_PRIV_H

#include "base/memory_text.h"
#include "format/rows/gaps.h"
#include "format/text/time_form.h"

enum { TIME_LINE_STEPS = 10000 }; /* of which the usual one is the median */

/* All zero: there was no row. */
struct time_line {
    uint64_t rows;
    uint64_t back; /* rows before the one above them, */
    uint64_t same; /* and at the same time */
    struct moment from;
    struct moment to;
    struct moment last; /* of the row above */
    struct gaps gaps;
    uint64_t gap_count;
    moment_count longest; /* gap, */
    struct moment behind; /* which ends then */
    unsigned steps;
    moment_count step[TIME_LINE_STEPS];
};

void time_line_add(struct time_line *line, const struct moment *moments, size_t count);

/* Says what there is to say, in lines. The steps lose their order. */
void time_line_say(struct time_line *line, const struct time_form *form, struct memory_text *text);

#endif
