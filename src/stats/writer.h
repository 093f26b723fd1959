/* Statistics as text: a record a line. */
#ifndef GPUENV_STATS_WRITER_H
#define GPUENV_STATS_WRITER_H

#include <stdint.h>

#include "base/error.h"
#include "bytes/output.h"
#include "stats/channel.h"

enum stats_format {
    STATS_JSONL,
    STATS_TSV,
};

/* Lines on their way to an output. */
struct stats_writer {
    struct output *output; /* not owned */
    enum stats_format format;
    size_t used;
    char text[16384];
};

/* The TSV format begins with a line of names. */
void stats_writer_init(struct stats_writer *writer, struct output *output,
                       enum stats_format format);

/* The record of a channel and a block that begins at frame `first` of the input. */
int stats_writer_record(struct stats_writer *writer, uint64_t first, unsigned channel,
                        const struct channel_stats *stats, struct error *error);

/* What is held back goes out. */
int stats_writer_flush(struct stats_writer *writer, struct error *error);

#endif
