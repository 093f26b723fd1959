/* SPDX-License-Identifier: MIT */
/* Statistics as text: the figures that are shown of a block, and the two ways to show them.
 * Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_FIGURES_PRIV_H
#define GPUENV_FORMAT_TEXT_FIGURES_PRIV_H

#include <stdint.h>

#include "cpu/channel.h"
#include "cpu/level.h"
#include "format/rows/time_line_priv.h"
#include "format/text/stats.h"

/* A count that is not known, or the place of an extreme that does not exist. */
#define FIGURE_NONE UINT64_MAX

/* What is shown of the samples of a block. A missing number is NAN, a missing count or
 * place FIGURE_NONE. */
struct figures {
    struct level low;
    struct level high;
    struct level peak; /* the largest magnitude */
    uint64_t frame;    /* number of the input frame at which the block begins */
    uint64_t frames;   /* frames of the block */
    uint64_t low_at;   /* frames of the input */
    uint64_t high_at;
    uint64_t peak_at;
    uint64_t numbers;
    uint64_t nans;
    uint64_t clipped;
    uint64_t clipped_at; /* the first clipped frame */
    double sum;
    double mean;
    double rms;
    double peak_db;
    double rms_db;
    double crest; /* missing for silence */

    /* The members below are for tables, and for arrays in a summary. */
    double std;
    double first;
    double last;
};

/* Where a column has its extremes, and its first and last number; ROW_OF_MAGNITUDE has no time. */
enum column_time { TIME_OF_MIN, TIME_OF_MAX, TIME_OF_FIRST, TIME_OF_LAST, COLUMN_TIMES };

enum { ROW_OF_MAGNITUDE = COLUMN_TIMES, COLUMN_ROWS };

struct column_times {
    struct moment at[COLUMN_TIMES]; /* if rows have times */
    uint64_t row[COLUMN_ROWS];      /* rows of the input */
};

static inline bool stats_have_ends(const struct stats_setup *setup)
{
    return setup->is_table || (setup->is_array && setup->about != NULL);
}

/* The block begins at frame `first` of the input; `numbers` samples are not NaN. */
struct figures figures_of(const struct stats_setup *setup, uint64_t first, uint64_t frames,
                          const struct stats_values *values, double numbers);
struct figures figures_of_channel(const struct stats_setup *setup, uint64_t first,
                                  const struct channel_stats *channel);

/* The block that begins at frame `first` of the input: a record for each channel, or a table.
 * `columns`, for a table, are the rows of each channel; may be NULL. */
void stats_text_block(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                      const struct channel_stats *channels, const struct column_times *columns,
                      struct time_line *line);

/* ---- Tables for people. For sound they are as `sox -n stats` prints them: a column for all
 * channels, and one for each if there are several. For a table they have a line for each column. */

/* The table of a block, with an empty line before it. `line`, for a summary, has the times of the
 * rows; may be NULL. */
void stats_table_put(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                     const struct channel_stats *channels, const struct column_times *columns,
                     struct time_line *line);

#endif
