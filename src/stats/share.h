/* One worker's share of the statistics: those of a run of frames, worked out by itself, to be put
 * together with what lies before it later, in order.
 *
 * Runs begin and end at borders (share_border()). Where blocks are short, these are borders of
 * blocks, and the worker writes the records; else they are borders of leaves, and what it hands
 * over are parts of the summation tree. */
#ifndef GPUENV_STATS_SHARE_H
#define GPUENV_STATS_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/stats.h"

/* The first border at `frame` or behind it, where runs are to have about `run` frames. Frames are
 * counted from the first one of the statistics. */
uint64_t share_border(const struct stats_setup *setup, uint64_t frame, uint64_t run);

/* The last border at `frame` or before it. */
uint64_t share_border_before(const struct stats_setup *setup, uint64_t frame, uint64_t run);

/* What comes out of a run. */
struct share_result {
    uint64_t frames;
    bool in_records;
    struct stats_part *part; /* of parts: */
    struct stats_values *values;
    size_t parts;
    size_t room;
    struct stats_text text; /* of records: */
    uint64_t records;
};

void share_free(struct share_result *result);

struct share;

/* `first` is the frame of the input that the statistics begin with. NULL, with errno set, when
 * there is no memory. */
struct share *share_open(const struct stats_setup *setup, uint64_t first);
void share_close(struct share *share);

/* Begins a run: `count` frames, from `from` on. Like the next, returns -1, with errno set, when
 * there is no memory. */
int share_begin(struct share *share, uint64_t from, uint64_t count, uint64_t run,
                struct share_result *result);

/* The frames that come next. */
int share_add(struct share *share, const void *frames, size_t count);

/* Puts a whole run behind all that came before it. */
int share_take(struct stats *stats, const struct share_result *result, struct stats_text *text);

#endif
