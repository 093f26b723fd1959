/* Statistics of the input: a record for each block of frames and each channel, or a table for each
 * block.
 *
 * They take the raw frames of the stream in order, cut anywhere. The text is the same for every
 * cut, instruction set and number of threads. */
#ifndef GPUENV_STATS_STATS_H
#define GPUENV_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/part.h"
#include "sample/sample_type.h"
#include "stats/writer.h"

#define STATS_ALL UINT64_MAX

struct stats_setup {
    enum stats_format format;
    uint64_t every;           /* frames of a block; STATS_ALL: one block for all */
    struct stats_label label; /* the name has to last */
    struct sample_type sample;
    unsigned channels;
    const char *isa; /* as for an engine */
};

struct stats;

/* The bytes that stats_open() takes. */
uint64_t stats_memory(unsigned channels);

/* The first block begins at frame `first` of the input. NULL, with errno set, when there is no
 * memory. */
struct stats *stats_open(const struct stats_setup *setup, uint64_t first);
void stats_close(struct stats *stats);

/* Starts anew at another frame, for records that are put behind others: without a line of names. */
void stats_restart(struct stats *stats, uint64_t first);

/* These are the records of a part of a stream, to be put behind those of other parts: without the
 * names unless it is the `first`, and, unless it `stands_for_nothing`, without a record when there
 * are no frames. Comes before the first frames. */
void stats_is_part(struct stats *stats, bool first, bool stands_for_nothing);

/* The frames that come next. An engine may have worked on some of them already: its parts, each of
 * which lies within one block; where these are all, `frames` is not looked at. The records of the
 * blocks that end here are added to the text. Returns -1, with errno set, when there is no memory
 * for that. */
int stats_add(struct stats *stats, const void *frames, size_t count,
              const struct stats_parts *parts, struct stats_text *text);

/* Whole blocks that follow, of so many frames, whose records somebody else has written. */
int stats_add_records(struct stats *stats, uint64_t frames, uint64_t records,
                      const struct stats_text *written, struct stats_text *text);

/* The stream has ended. Writes the last block, which may be short; an empty one is written only if
 * the stream had no frame at all (but see stats_is_part()). */
int stats_end(struct stats *stats, struct stats_text *text);

/* How many records there have been. */
uint64_t stats_records(const struct stats *stats);

#endif
