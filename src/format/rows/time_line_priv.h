/* SPDX-License-Identifier: MIT */
/* The times of the rows of a table as a summary tells them: the first and the last time, the usual
 * step, gaps, and steps back. */
#ifndef GPUENV_FORMAT_ROWS_TIME_LINE_PRIV_H
#define GPUENV_FORMAT_ROWS_TIME_LINE_PRIV_H

#include "base/memory_text.h"
#include "format/rows/gaps.h"
#include "format/text/time_form.h"

enum { TIME_LINE_STEPS = 10000 }; /* steps that are kept; the usual step is their median */

/* All zero: there was no row. */
struct time_line {
    uint64_t rows;
    uint64_t back; /* rows before the row above them */
    uint64_t same; /* rows at the time of the row above them */
    struct moment from;
    struct moment to;
    struct moment last; /* time of the row above */
    struct gaps gaps;
    uint64_t gap_count;
    moment_count longest; /* the longest gap */
    struct moment behind; /* when the longest gap ends */
    unsigned steps;
    moment_count step[TIME_LINE_STEPS];
};

void time_line_add(struct time_line *line, const struct moment *moments, size_t count);

/* Writes the facts in lines. The steps lose their order. */
void time_line_say(struct time_line *line, const struct time_form *form, struct memory_text *text);

#endif
