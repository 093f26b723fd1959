/* Statistics as text: a record a line. */
#ifndef GPUENV_STATS_WRITER_H
#define GPUENV_STATS_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "stats/channel.h"

enum stats_format {
    STATS_JSONL,
    STATS_TSV,
};

/* Lines on their way to an output: they grow where they are made, and are written elsewhere. */
struct stats_text {
    char *bytes;
    size_t used;
    size_t room;
};

void stats_text_free(struct stats_text *text);

/* The line of names that the TSV format begins with; nothing for the other. Like the next, returns
 * -1, with errno set, when there is no memory. */
int stats_text_names(struct stats_text *text, enum stats_format format);

/* The record of a channel and a block that begins at frame `first` of the input. */
int stats_text_record(struct stats_text *text, enum stats_format format, uint64_t first,
                      unsigned channel, const struct channel_stats *stats);

/* Adds one text to another. */
int stats_text_append(struct stats_text *text, const struct stats_text *more);

#endif
