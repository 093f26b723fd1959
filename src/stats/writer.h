/* Statistics as text: a record a line, or a table for people. */
#ifndef GPUENV_STATS_WRITER_H
#define GPUENV_STATS_WRITER_H

#include <stdint.h>

#include "stats/channel.h"
#include "stats/stats_text.h"

/* What a format begins with: the line of names of TSV and CSV, the name of the input above tables.
 * Like the next, returns -1, with errno set, when there is no memory. */
int stats_text_begin(struct stats_text *text, const struct stats_setup *setup);

/* The block that begins at frame `first` of the input: a record for each channel, or a table. */
int stats_text_block(struct stats_text *text, const struct stats_setup *setup, uint64_t first,
                     const struct channel_stats *channels);

#endif
