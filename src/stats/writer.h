/* Statistics as text: a record a line, or a table for people. */
#ifndef GPUENV_STATS_WRITER_H
#define GPUENV_STATS_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/channel.h"

enum stats_format {
    STATS_JSONL,
    STATS_TSV,
    STATS_CSV,
    STATS_TABLE,
};

/* What is said beside the statistics. */
struct stats_label {
    const char *name; /* of the input; in tables */
    double rate;      /* 0: not known; in tables */
    bool named;       /* records say the name, too */
};

/* Lines on their way to an output: they grow where they are made, and are written elsewhere. */
struct stats_text {
    char *bytes;
    size_t used;
    size_t room;
};

void stats_text_free(struct stats_text *text);

/* What a format begins with: the line of names of TSV and CSV, the name of the input above tables.
 * Like the next, returns -1, with errno set, when there is no memory. */
int stats_text_begin(struct stats_text *text, enum stats_format format,
                     const struct stats_label *label);

/* A block that begins at frame `first` of the input: a record for each channel, or a table. */
int stats_text_block(struct stats_text *text, enum stats_format format,
                     const struct stats_label *label, uint64_t first,
                     const struct channel_stats *channels, unsigned count);

/* Below full scale, which is 1: silence is -infinity. */
double stats_decibels(double level);

/* Adds bytes; one text to another. */
int stats_text_put(struct stats_text *text, const char *bytes, size_t size);
int stats_text_append(struct stats_text *text, const struct stats_text *more);

#endif
