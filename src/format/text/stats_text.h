/* SPDX-License-Identifier: MIT */
/* The text of statistics: settings, its beginning, and how it is recognised. */
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

#endif
