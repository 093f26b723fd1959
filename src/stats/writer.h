/* Statistics as text: a record a line, or a table for people. */
#ifndef GPUENV_STATS_WRITER_H
#define GPUENV_STATS_WRITER_H

#include <stdint.h>

#include "stats/channel.h"
#include "stats/stats_text.h"

/* The head of the text: the names of the columns of TSV and CSV, the name of the input above
 * tables. Like stats_text_block(), returns -1, with errno set, if memory runs out. */
int stats_text_begin(struct stats_text *text, const struct stats_setup *setup);

/* The block that begins at frame `first` of the input: a record for each channel, or a table. */
int stats_text_block(struct stats_text *text, const struct stats_setup *setup, uint64_t first,
                     const struct channel_stats *channels);

/* ---- stats_table.c: the same for tables, as `sox -n stats` prints them. A column for all
 * channels, and where there are several, one for each. Private to this room. */

/* The line above all tables. */
int stats_table_begin(struct stats_text *text, const struct stats_setup *setup);

/* The table of a block, with an empty line before it. */
int stats_table_put(struct stats_text *text, const struct stats_setup *setup, uint64_t first,
                    const struct channel_stats *channels);

#endif
