/* SPDX-License-Identifier: MIT */
/* Statistics of the input: a record for each block of frames and each channel, or a table for each
 * block.
 *
 * The raw frames of the stream are added in order, cut anywhere. Samples keep their precision, also
 * where the output is float32: they are decoded to the kind sample_type_value(). The text does not
 * depend on the cuts, the instruction set or the number of threads. */
#ifndef GPUENV_FORMAT_TEXT_STATS_H
#define GPUENV_FORMAT_TEXT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/part.h"
#include "format/source.h"
#include "format/text/stats_text.h"

struct stats;

/* The bytes that stats_open() allocates. */
uint64_t stats_memory(unsigned channels);

/* The first block begins at frame `first` of the input. `isa`: as for an engine. Returns NULL, with
 * errno set, when out of memory. */
struct stats *stats_open(const struct stats_setup *setup, const char *isa, uint64_t first);
void stats_close(struct stats *stats);

/* Adds the next frames; `moments` are their times; may be NULL. The records of the blocks that end
 * here are appended to the text. Returns -1, with errno set, when out of memory. */
int stats_add(struct stats *stats, const void *frames, const struct moment *moments, size_t count,
              struct memory_text *text);

/* Adds rows of one key, which follow one another in the input from row number `number` on. Each key
 * has blocks of its own. */
int stats_add_series(struct stats *stats, const struct row_key *key, uint64_t number,
                     const void *frames, const struct moment *moments, size_t count,
                     struct memory_text *text);

/* Ends the stream. Writes the last block, which may be short; an empty block is written only if the
 * stream had no frames at all (but see `may_be_empty`). */
int stats_end(struct stats *stats, struct memory_text *text);

/* The number of records so far. */
uint64_t stats_records(const struct stats *stats);

/* ---- One worker's share of the statistics: those of a run of frames, computed independently and
 * later joined to what precedes it, in order.
 *
 * Runs begin and end at borders, and all have a length of about `run`. With short blocks, these are
 * borders of blocks, and the worker writes the records; otherwise they are borders of leaves, and
 * the worker delivers parts of the summation tree. */

/* The last border at or before `frame`, counted from the first frame of the statistics. Any
 * max_u64(run, TREE_LEAF) frames contain a border. */
uint64_t share_border(const struct stats *stats, uint64_t frame, uint64_t run);

/* The result of a run. */
struct share_result {
    uint64_t frames;
    bool in_records;
    struct stats_part *part; /* the parts of the tree, unless `in_records` */
    struct stats_values *values;
    size_t parts;
    struct memory_text text; /* the records, if `in_records` */
    uint64_t records;
};

void share_free(struct share_result *result);

/* The statistics of a worker, to be closed by stats_close(). Returns NULL, with errno set, when out
 * of memory. */
struct stats *share_of(const struct stats *stats);

/* Begins a run: `count` frames, starting at frame `first` of the input. Like share_add(), returns
 * -1, with errno set, when out of memory. */
int share_begin(struct stats *share, uint64_t first, uint64_t count, uint64_t run,
                struct share_result *result);

/* Adds the next frames. */
int share_add(struct stats *share, const void *frames, size_t count);

/* Appends a whole run to everything before it. */
int share_take(struct stats *stats, const struct share_result *result, struct memory_text *text);

#endif
