/* SPDX-License-Identifier: MIT */
/* The text of statistics: what is wanted, how it begins, and what looks like it. */
#ifndef GPUENV_FORMAT_TEXT_STATS_TEXT_H
#define GPUENV_FORMAT_TEXT_STATS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory_text.h"
#include "engine/part.h"
#include "format/text/intervals.h"
#include "format/text/time_form.h"
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
    const char *name;       /* of the input; in tables */
    double rate;            /* 0: not known; in tables */
    bool keyed;             /* records begin with the key of their rows */
    const char *key;        /* of the current block; or NULL */
    bool named;             /* records have the name, too */
    bool timed;             /* and the time of the block */
    struct time_form times; /* of blocks */
    struct time_form rows;
    struct moment time; /* of the current block */
    bool time_known;    /* a block without rows has no time */
};

struct stats_setup {
    enum stats_format format;
    uint64_t every;             /* frames of a block; STATS_ALL: one block for all */
    struct intervals intervals; /* or blocks are those of the clock, by the times of rows */
    struct stats_label label;   /* the name must stay valid */
    struct sample_type sample;
    struct full_scale full_scale;
    unsigned channels;
    bool is_table;            /* columns have a deviation, a first and a last number */
    bool is_array;            /* its columns are numbers, without a full scale */
    bool of_tables;           /* records have fields for these, also where they are not known */
    const char *const *names; /* of the channels; or NULL */
    const char *const *units; /* the same */
    const char *about;        /* lines of a summary, above its only block; NULL: it is none */
    const struct text_words *words; /* of its columns of text; or NULL */
    bool continues;                 /* the records are appended to others: without a header line */
    bool may_be_empty;              /* without a record if there are no frames */
};

/* The head of the text: the names of the columns of TSV and CSV, the name of the input above
 * tables. If memory runs out, the text has failed. */
void stats_text_begin(struct memory_text *text, const struct stats_setup *setup);

/* Does a file that begins with these bytes look like statistics, or like a report? `continues`:
 * also like records without a header line. */
enum { STATS_TEXT_LOOK = 4096 }; /* so many bytes are enough */
bool stats_text_looks_so(const char *bytes, size_t size, bool continues);

#endif
