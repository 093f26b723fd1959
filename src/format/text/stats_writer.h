/* Statistics as text: a record a line, or a table for people. */
#ifndef GPUENV_FORMAT_TEXT_STATS_WRITER_H
#define GPUENV_FORMAT_TEXT_STATS_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/channel.h"
#include "cpu/level.h"
#include "format/text/column_stats.h"
#include "format/text/stats_text.h"

/* The head of the text: the names of the columns of TSV and CSV, the name of the input above
 * tables. If memory runs out, the text has failed. */
void stats_text_begin(struct memory_text *text, const struct stats_setup *setup);

/* The block that begins at frame `first` of the input: a record for each channel, or a table.
 * `columns`: of a table, for each channel; NULL: what they have is not known. */
void stats_text_block(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                      const struct channel_stats *channels, const struct column_stats *columns);

/* Does a file that begins with these bytes look like statistics, or like a report? `continues`:
 * also like records without a header line. */
enum { STATS_TEXT_LOOK = 4096 }; /* so many bytes are enough */
bool stats_text_looks_so(const char *bytes, size_t size, bool continues);

/* ---- stats_text.c. Private to this room. */

/* A count that is not known, or the place of an extreme that there is none of. */
#define FIGURE_NONE UINT64_MAX

/* What is shown of the samples of a block. A missing number is NAN, a missing count or
 * place FIGURE_NONE. */
struct figures {
    struct level low;
    struct level high;
    struct level peak; /* the largest magnitude */
    uint64_t low_at;   /* frames of the input */
    uint64_t high_at;
    uint64_t peak_at;
    uint64_t nans;
    uint64_t clipped;
    uint64_t clipped_at; /* the first of these */
    double sum;
    double mean;
    double rms;
    double peak_db;
    double rms_db;
    double crest; /* none for silence */
};

/* The block begins at frame `first` of the input; `numbers` samples are not NaN. */
struct figures figures_of(const struct stats_setup *setup, uint64_t first,
                          const struct stats_values *values, double numbers);

/* ---- stats_table.c: the same for tables for people. Of sound as `sox -n stats` prints them: a
 * column for all channels, and where there are several, one for each. Of a table a line for each
 * column. Private to this room. */

/* The line above all tables. */
void stats_table_begin(struct memory_text *text, const struct stats_setup *setup);

/* The table of a block, with an empty line before it. */
void stats_table_put(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                     const struct channel_stats *channels, const struct column_stats *columns);

#endif
