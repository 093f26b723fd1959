/* Which statistics are wanted, and their text, as it is put together. */
#ifndef GPUENV_STATS_STATS_TEXT_H
#define GPUENV_STATS_STATS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/part.h"
#include "sample/sample_type.h"
#include "sample/time_form.h"

#define STATS_ALL UINT64_MAX

enum stats_format {
    STATS_JSONL,
    STATS_TSV,
    STATS_CSV,
    STATS_TABLE,
};

/* NULL-terminated; the place of a word is its format. */
extern const char *const stats_format_words[];

/* What is said beside the statistics. */
struct stats_label {
    const char *name; /* of the input; in tables */
    double rate;      /* 0: not known; in tables */
    bool named;       /* records say the name, too, */
    bool timed;       /* and the time of a block, */
    struct time_form times;
    struct moment time; /* which is this one's; */
    bool time_known;    /* a block without rows has none */
};

struct stats_setup {
    enum stats_format format;
    uint64_t every;           /* frames of a block; STATS_ALL: one block for all */
    int64_t period;           /* or its time in nanoseconds, by the times of rows; 0: none */
    bool skip_empty;          /* no records of periods without rows */
    struct stats_label label; /* the name must stay valid */
    struct sample_type sample;
    struct full_scale full_scale;
    unsigned channels;
};

/* Lines on their way to an output: they grow where they are made, and are written elsewhere. */
struct stats_text {
    char *bytes;
    size_t used;
    size_t room;
};

void stats_text_free(struct stats_text *text);

/* Room for `size` bytes more. Like the next, returns -1, with errno set, when there is no
 * memory. */
int stats_text_reserve(struct stats_text *text, size_t size);

/* Adds bytes. */
int stats_text_put(struct stats_text *text, const char *bytes, size_t size);

/* Below full scale, which is 1: silence is -infinity. */
double stats_decibels(double level);

#endif
