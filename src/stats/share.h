/* One worker's share of the statistics: those of a run of frames, computed independently and later
 * joined to what precedes it, in order.
 *
 * Runs begin and end at borders (share_border()). With short blocks, these are borders of blocks,
 * and the worker writes the records; otherwise they are borders of leaves, and the worker delivers
 * parts of the summation tree. */
#ifndef GPUENV_STATS_SHARE_H
#define GPUENV_STATS_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/stats.h"

/* The first border at or after `frame`, for runs of about `run` frames. Frames are counted from the
 * first one of the statistics. */
uint64_t share_border(const struct stats_setup *setup, uint64_t frame, uint64_t run);

/* The last border at or before `frame`. */
uint64_t share_border_before(const struct stats_setup *setup, uint64_t frame, uint64_t run);

/* The result of a run. */
struct share_result {
    uint64_t frames;
    bool in_records;
    struct stats_part *part; /* either parts: */
    struct stats_values *values;
    size_t parts;
    size_t room;
    struct stats_text text; /* or records: */
    uint64_t records;
};

void share_free(struct share_result *result);

struct share;

/* `first` is the frame of the input that the statistics begin with. Returns NULL, with errno set,
 * when out of memory. */
struct share *share_open(const struct stats_setup *setup, const char *isa, uint64_t first);
void share_close(struct share *share);

/* Begins a run: `count` frames, starting at `from`. Like share_add(), returns -1, with errno set,
 * when out of memory. */
int share_begin(struct share *share, uint64_t from, uint64_t count, uint64_t run,
                struct share_result *result);

/* Adds the next frames. */
int share_add(struct share *share, const void *frames, size_t count);

/* Appends a whole run to everything before it. */
int share_take(struct stats *stats, const struct share_result *result, struct stats_text *text);

#endif
