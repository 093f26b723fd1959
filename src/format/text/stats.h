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

#include "base/memory_text.h"
#include "engine/part.h"
#include "format/source.h"
#include "format/text/time_form.h"
#include "format/text/zone.h"
#include "sample/sample_type.h"

#define STATS_ALL UINT64_MAX

enum stats_format {
    STATS_JSONL,
    STATS_TSV,
    STATS_CSV,
    STATS_TABLE,
};

/* NULL-terminated; the index of a word is its format. */
extern const char *const stats_format_words[];

/* Facts that are written beside the statistics. */
struct stats_label {
    const char *name;       /* name of the input, for tables */
    double rate;            /* 0 if not known; for tables */
    bool keyed;             /* records begin with the key of their rows */
    const char *key;        /* key of the current block; may be NULL */
    bool named;             /* records have the name of the input, too */
    bool timed;             /* records have the time of the block, too */
    struct time_form times; /* how times of blocks are written */
    struct time_form rows;
    struct moment time; /* time of the current block */
    bool time_known;    /* false for a block without rows */
};

struct stats_setup {
    enum stats_format format;
    uint64_t every;             /* frames of a block; STATS_ALL for one block of all */
    struct intervals intervals; /* intervals of a clock, each of which is a block; else `every` */
    struct stats_label label;   /* the name must stay valid */
    struct sample_type sample;
    struct full_scale full_scale;
    unsigned channels;
    bool is_table;            /* columns have a deviation, a first and a last number */
    bool is_array;            /* the input is an array of numbers without a full scale */
    bool of_tables;           /* records always have the fields of tables, even if not known */
    const char *const *names; /* names of the channels; may be NULL */
    const char *const *units; /* units of the channels; may be NULL */
    const char *about;        /* lines of a summary, above its only block; NULL if this is none */
    const struct text_words *words; /* words of columns of text; may be NULL */
    bool continues;                 /* the records are appended to others: without a header line */
    bool may_be_empty;              /* without frames there is no record */
};

/* The head of the text: the names of the columns of TSV and CSV, the name of the input above
 * tables. If memory runs out, the text has failed. */
void stats_text_begin(struct memory_text *text, const struct stats_setup *setup);

/* Does a file that begins with these bytes look like statistics, or like a report? `continues`:
 * also like records without a header line. */
enum { STATS_TEXT_LOOK = 4096 }; /* bytes that are enough to tell */
bool stats_text_looks_so(const char *bytes, size_t size, bool continues);

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
