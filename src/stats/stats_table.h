/* Statistics as a table for people, as `sox -n stats` prints it: a column for all channels, and
 * where there are several, one for each. Private to this room. */
#ifndef GPUENV_STATS_STATS_TABLE_H
#define GPUENV_STATS_STATS_TABLE_H

#include <stdint.h>

#include "stats/channel.h"
#include "stats/stats_text.h"

/* The line above all tables. Like the next, returns -1, with errno set, when there is no memory. */
int stats_table_begin(struct stats_text *text, const struct stats_setup *setup);

/* The table of a block, with an empty line before it. */
int stats_table_put(struct stats_text *text, const struct stats_setup *setup, uint64_t first,
                    const struct channel_stats *channels);

#endif
