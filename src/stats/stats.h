/* Statistics of the input: a record for each block of frames and each channel, or a table for each
 * block.
 *
 * The raw frames of the stream are added in order, cut anywhere. Samples keep their precision,
 * also where the output is float32: they are decoded to the kind sample_type_value(). The text
 * is the same for every cut, instruction set and number of threads. */
#ifndef GPUENV_STATS_STATS_H
#define GPUENV_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/part.h"
#include "stats/stats_text.h"

struct stats;

/* The bytes that stats_open() allocates. */
uint64_t stats_memory(unsigned channels);

/* The first block begins at frame `first` of the input. `isa`: as for an engine. Returns NULL, with
 * errno set, when out of memory. */
struct stats *stats_open(const struct stats_setup *setup, const char *isa, uint64_t first);
void stats_close(struct stats *stats);

/* Restarts at another frame, for records that are appended to others: without a header line. */
void stats_restart(struct stats *stats, uint64_t first);

/* The records are those of a part of a stream, to be appended to those of other parts: without the
 * header line unless it is the `first`, and, if there are no frames, without a record unless
 * `write_if_empty`. Call this before the first frames. */
void stats_is_part(struct stats *stats, bool first, bool write_if_empty);

/* Adds the next frames. An engine that works on values of the kind sample_type_value() may have
 * processed some of them already: its parts, each of which lies within one block; if the parts
 * cover all frames, `frames` is not read. The records of the blocks that end here are appended to
 * the text. Returns -1, with errno set, when out of memory. */
int stats_add(struct stats *stats, const void *frames, size_t count,
              const struct stats_parts *parts, struct stats_text *text);

/* The same for the next rows of a table with times; no part of them has been processed. */
int stats_add_rows(struct stats *stats, const void *rows, const struct moment *moments,
                   size_t count, struct stats_text *text);

/* Appends the records of whole blocks, `frames` frames in all, that were written elsewhere. */
int stats_add_records(struct stats *stats, uint64_t frames, uint64_t records,
                      const struct stats_text *written, struct stats_text *text);

/* Ends the stream. Writes the last block, which may be short; an empty block is written only if the
 * stream had no frames at all (but see stats_is_part()). */
int stats_end(struct stats *stats, struct stats_text *text);

/* The number of records so far. */
uint64_t stats_records(const struct stats *stats);

#endif
