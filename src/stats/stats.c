#include "stats/stats.h"

#include <stdbool.h>

#include "base/pages.h"
#include "stats/feed.h"
#include "stats/writer.h"

struct stats {
    struct stats_setup setup;
    uint64_t first;  /* frame of the input that the block begins with */
    uint64_t filled; /* frames of the block so far */
    uint64_t records;
    bool begun;        /* the header line of a TSV has been written */
    bool may_be_empty; /* no record in that case */
    struct moment end; /* of a block by the clock */
    struct feed feed;
    struct channel_stats channels[];
};

uint64_t stats_memory(unsigned channels)
{
    return sizeof(struct stats) + channels * (uint64_t)sizeof(struct channel_stats);
}

static void begin_block(struct stats *stats, uint64_t first)
{
    stats->first = first;
    stats->filled = 0;
    for (unsigned i = 0; i < stats->setup.channels; i++)
        channel_init(&stats->channels[i]);
}

struct stats *stats_open(const struct stats_setup *setup, const char *isa, uint64_t first)
{
    struct stats *stats = pages_borrow((size_t)stats_memory(setup->channels));

    if (stats == NULL)
        return NULL;
    stats->setup = *setup;
    stats->records = 0;
    stats->begun = false;
    stats->may_be_empty = false;
    feed_init(&stats->feed, isa, setup->sample, setup->channels, setup->full_scale);
    begin_block(stats, first);
    return stats;
}

void stats_restart(struct stats *stats, uint64_t first)
{
    stats->begun = true;
    stats->records = 0;
    begin_block(stats, first);
}

void stats_is_part(struct stats *stats, bool first, bool write_if_empty)
{
    stats->begun = !first;
    stats->may_be_empty = !write_if_empty;
}

void stats_close(struct stats *stats)
{
    if (stats != NULL)
        pages_return(stats, (size_t)stats_memory(stats->setup.channels));
}

static int end_block(struct stats *stats, struct stats_text *text)
{
    if (stats_text_block(text, &stats->setup, stats->first, stats->channels) != 0)
        return -1;
    stats->records += stats->setup.channels;
    begin_block(stats, stats->first + stats->filled);
    return 0;
}

/* The next block begins when one is full. */
static int end_full_block(struct stats *stats, struct stats_text *text)
{
    return stats->filled == stats->setup.every ? end_block(stats, text) : 0;
}

static int add_frames(struct stats *stats, const unsigned char *frames, size_t count,
                      struct stats_text *text)
{
    while (count > 0) {
        uint64_t room = stats->setup.every - stats->filled;
        size_t run = count < room ? count : (size_t)room;

        feed_add(&stats->feed, frames, run, stats->channels);
        stats->filled += run;
        if (end_full_block(stats, text) != 0)
            return -1;
        frames += run * stats->feed.frame_bytes;
        count -= run;
    }
    return 0;
}

static int begin_text(struct stats *stats, struct stats_text *text)
{
    if (stats->begun)
        return 0;
    stats->begun = true;
    return stats_text_begin(text, &stats->setup);
}

int stats_add(struct stats *stats, const void *frames, size_t count,
              const struct stats_parts *parts, struct stats_text *text)
{
    const unsigned char *from = frames;
    size_t done = 0;

    if (begin_text(stats, text) != 0)
        return -1;
    for (size_t i = 0; i < parts->count; i++) {
        const struct stats_part *part = &parts->part[i];
        const struct stats_values *values = parts->values + i * stats->setup.channels;
        size_t before = (size_t)part->first - done;

        if (before > 0 &&
            add_frames(stats, from + done * stats->feed.frame_bytes, before, text) != 0)
            return -1;
        for (unsigned c = 0; c < stats->setup.channels; c++)
            channel_add_part(&stats->channels[c], part, &values[c]);
        stats->filled += part->frames;
        if (end_full_block(stats, text) != 0)
            return -1;
        done = (size_t)(part->first + part->frames);
    }
    if (done == count)
        return 0;
    return add_frames(stats, from + done * stats->feed.frame_bytes, count - done, text);
}

/* Begins the block of a row: by the clock, after records of the periods that have none. */
static int begin_rows(struct stats *stats, struct moment moment, struct stats_text *text)
{
    const int64_t period = stats->setup.period;
    struct moment *begin = &stats->setup.label.time;
    struct moment own;

    stats->setup.label.time_known = true;
    if (period == 0) {
        *begin = moment;
        return 0;
    }
    own = moment_floor(moment, period);
    while (stats->records > 0 && !stats->setup.skip_empty && moment_is_before(stats->end, own)) {
        *begin = stats->end;
        if (end_block(stats, text) != 0)
            return -1;
        stats->end = moment_add(stats->end, period);
    }
    *begin = own;
    stats->end = moment_add(*begin, period);
    return 0;
}

/* How many of the rows belong to the block. */
static size_t rows_of_block(const struct stats *stats, const struct moment *moments, size_t count)
{
    const uint64_t room = stats->setup.every - stats->filled;
    size_t rows = 0;

    if (stats->setup.period == 0)
        return count < room ? count : (size_t)room;
    while (rows < count && moment_is_before(moments[rows], stats->end))
        rows++;
    return rows;
}

int stats_add_rows(struct stats *stats, const void *rows, const struct moment *moments,
                   size_t count, struct stats_text *text)
{
    const unsigned char *from = rows;
    size_t done = 0;

    if (begin_text(stats, text) != 0)
        return -1;
    while (done < count) {
        size_t run;

        if (stats->filled == 0 && begin_rows(stats, moments[done], text) != 0)
            return -1;
        run = rows_of_block(stats, moments + done, count - done);
        feed_add(&stats->feed, from + done * stats->feed.frame_bytes, run, stats->channels);
        stats->filled += run;
        done += run;
        if (stats->filled == stats->setup.every || (stats->setup.period > 0 && done < count)) {
            if (end_block(stats, text) != 0)
                return -1;
        }
    }
    return 0;
}

int stats_add_records(struct stats *stats, uint64_t frames, uint64_t records,
                      const struct stats_text *written, struct stats_text *text)
{
    if (begin_text(stats, text) != 0 || stats_text_put(text, written->bytes, written->used) != 0)
        return -1;
    stats->records += records;
    begin_block(stats, stats->first + frames);
    return 0;
}

int stats_end(struct stats *stats, struct stats_text *text)
{
    if (begin_text(stats, text) != 0)
        return -1;
    if (stats->filled > 0 || (stats->records == 0 && !stats->may_be_empty))
        return end_block(stats, text);
    return 0;
}

uint64_t stats_records(const struct stats *stats)
{
    return stats->records;
}
