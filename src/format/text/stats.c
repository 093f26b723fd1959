/* SPDX-License-Identifier: MIT */
#include "format/text/stats.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "cpu/feed.h"
#include "format/text/figures_priv.h"

struct stats {
    struct stats_setup setup;
    const char *isa;
    uint64_t origin; /* frame of the input with which the statistics begin */
    uint64_t first;  /* frame with which the block, or the part of a share, begins */
    uint64_t filled; /* frames of the block so far */
    uint64_t next;   /* the frame of the input that is added next */
    uint64_t records;
    bool begun;                   /* the header line of a TSV has been written */
    struct moment end;            /* end of a block by the clock */
    struct share_result *result;  /* result of the current run of a share */
    size_t part;                  /* the part of it that is being filled */
    struct column_times *columns; /* those of a table, behind the channels; may be NULL */
    struct time_line *line;       /* times of a summary, if rows have times; may be NULL */
    struct feed *feed;
    struct stats *owner;    /* the statistics that have this series; may be NULL */
    struct pointers series; /* statistics of each key, if records have keys */
    struct channel_stats channels[];
};

uint64_t stats_memory(unsigned channels)
{
    return sizeof(struct stats) + sizeof(struct feed) +
           channels * (uint64_t)sizeof(struct channel_stats);
}

static void begin_block(struct stats *stats, uint64_t first)
{
    stats->first = first;
    stats->filled = 0;
    for (unsigned i = 0; i < stats->setup.channels; i++)
        channel_init(&stats->channels[i], stats->setup.is_table            ? CHANNEL_DEVIATIONS
                                          : stats_have_ends(&stats->setup) ? CHANNEL_LEAVES
                                                                           : CHANNEL_SUMS);
}

static void free_stats(struct stats *stats)
{
    if (stats == NULL)
        return;
    if (stats->owner == NULL)
        free(stats->feed);
    free(stats->line);
    free(stats);
}

/* `owner` are the statistics that have this series; may be NULL. */
static struct stats *open_stats(const struct stats_setup *setup, const char *isa, uint64_t first,
                                struct stats *owner)
{
    const size_t channels = setup->channels;
    const bool has_line = setup->about != NULL && setup->label.timed;
    struct stats *stats =
        calloc(1, sizeof *stats + channels * (sizeof *stats->channels + sizeof *stats->columns));

    if (stats == NULL)
        return NULL;
    stats->setup = *setup;
    stats->isa = isa;
    stats->origin = stats->next = first;
    stats->begun = setup->continues;
    stats->owner = owner;
    if (setup->is_table)
        stats->columns = (struct column_times *)(stats->channels + channels);
    if (has_line)
        stats->line = calloc(1, sizeof *stats->line);
    stats->feed = owner != NULL ? owner->feed : pages_malloc(sizeof *stats->feed, PAGES_LINE);
    if ((has_line && stats->line == NULL) || stats->feed == NULL) {
        free_stats(stats);
        return NULL;
    }
    if (owner == NULL)
        feed_init(stats->feed, isa, setup->sample, setup->channels, setup->full_scale);
    stats->feed->values.ends = stats_have_ends(setup);
    begin_block(stats, first);
    return stats;
}

struct stats *stats_open(const struct stats_setup *setup, const char *isa, uint64_t first)
{
    return open_stats(setup, isa, first, NULL);
}

void stats_close(struct stats *stats)
{
    if (stats == NULL)
        return;
    for (size_t i = 0; i < stats->series.count; i++)
        free_stats(stats->series.at[i]);
    free(stats->series.at);
    free_stats(stats);
}

/* The rows of a series are not neighbours in the input: finds the input rows of its extremes. */
static void place_extremes(struct stats *stats)
{
    for (unsigned i = 0; i < stats->setup.channels; i++) {
        struct stats_values *values = &stats->channels[i].values;
        const uint64_t *row = stats->columns[i].row;

        values->low_at = row[TIME_OF_MIN] - stats->first;
        values->high_at = row[TIME_OF_MAX] - stats->first;
        values->magnitude_at = row[ROW_OF_MAGNITUDE] - stats->first;
    }
}

static void end_block(struct stats *stats, struct memory_text *text)
{
    if (stats->owner != NULL)
        place_extremes(stats);
    stats_text_block(text, &stats->setup, stats->first, stats->channels, stats->columns,
                     stats->line);
    (stats->owner != NULL ? stats->owner : stats)->records += stats->setup.channels;
    begin_block(stats, stats->next);
}

/* Ends a full block, and begins the next block. */
static void end_full_block(struct stats *stats, struct memory_text *text)
{
    if (stats->filled == stats->setup.every)
        end_block(stats, text);
}

static void begin_text(struct stats *stats, struct memory_text *text)
{
    if (!stats->begun)
        stats_text_begin(text, &stats->setup);
    stats->begun = true;
}

static void begin_interval(struct stats *stats, struct moment moment)
{
    const struct interval interval = interval_at(&stats->setup.intervals, moment);

    stats->setup.label.time = interval.begin;
    stats->end = interval.end;
}

/* Goes to the block of a row by the clock, past intervals without rows. */
static void go_to(struct stats *stats, struct moment moment, struct memory_text *text)
{
    const struct intervals *intervals = &stats->setup.intervals;
    const bool by_clock = intervals->period > 0;

    if (!by_clock && stats->filled == 0)
        stats->setup.label.time = moment;
    if (by_clock && !stats->setup.label.time_known)
        begin_interval(stats, moment);
    stats->setup.label.time_known = true;
    while (by_clock && !moment_is_before(moment, stats->end)) {
        end_block(stats, text);
        begin_interval(stats, intervals->skip_empty ? moment : stats->end);
    }
}

/* How many of the next frames belong to the block. */
static size_t frames_of_block(const struct stats *stats, const struct moment *moments, size_t count)
{
    size_t frames = 0;

    if (moments == NULL || stats->setup.intervals.period == 0)
        return (size_t)min_u64(count, stats->setup.every - stats->filled);
    while (frames < count && moment_is_before(moments[frames], stats->end))
        frames++;
    return frames;
}

/* Notes which of the next rows, which the channels have taken, have the extremes and the ends so
 * far. */
static void note_rows(struct stats *stats, const struct moment *moments, size_t count)
{
    for (unsigned i = 0; i < stats->setup.channels; i++) {
        const struct stats_values *values = &stats->channels[i].values;
        const uint64_t places[COLUMN_ROWS] = {values->low_at, values->high_at, values->first_at,
                                              values->last_at, values->magnitude_at};

        for (unsigned j = 0; j < COLUMN_ROWS; j++) {
            const uint64_t at = places[j] - stats->filled;

            if (places[j] < stats->filled || at >= count)
                continue;
            stats->columns[i].row[j] = stats->next + at;
            if (moments != NULL && j < COLUMN_TIMES)
                stats->columns[i].at[j] = moments[at];
        }
    }
}

/* `moments` are the times of the frames; may be NULL. */
static void add_frames(struct stats *stats, const unsigned char *frames,
                       const struct moment *moments, size_t count, struct memory_text *text)
{
    size_t run;

    for (size_t done = 0; done < count; done += run) {
        const struct moment *next = moments == NULL ? NULL : moments + done;

        if (next != NULL)
            go_to(stats, *next, text);
        run = frames_of_block(stats, next, count - done);
        feed_add(stats->feed, frames + done * stats->feed->frame_bytes, run, stats->channels);
        if (stats->columns != NULL)
            note_rows(stats, next, run);
        stats->filled += run;
        stats->next += run;
        end_full_block(stats, text);
    }
}

int stats_add(struct stats *stats, const void *frames, const struct moment *moments, size_t count,
              struct memory_text *text)
{
    begin_text(stats, text);
    if (stats->line != NULL)
        time_line_add(stats->line, moments, count);
    add_frames(stats, frames, moments, count, text);
    return memory_text_reserve(text, 0);
}

/* The statistics of a key, which may be new. Returns NULL, with errno set, if memory runs out. */
static struct stats *series_of(struct stats *stats, const struct row_key *key)
{
    void **const place = pointers_place(&stats->series, key->number);
    struct stats *series;

    if (place == NULL)
        return NULL;
    if (*place == NULL &&
        (series = open_stats(&stats->setup, stats->isa, stats->origin, stats)) != NULL) {
        series->setup.label.key = key->name;
        *place = series;
    }
    return *place;
}

int stats_add_series(struct stats *stats, const struct row_key *key, uint64_t number,
                     const void *frames, const struct moment *moments, size_t count,
                     struct memory_text *text)
{
    struct stats *series = series_of(stats, key);

    if (series == NULL)
        return -1;
    begin_text(stats, text);
    series->next = number;
    if (series->filled == 0)
        series->first = number;
    add_frames(series, frames, moments, count, text);
    return memory_text_reserve(text, 0);
}

int stats_end(struct stats *stats, struct memory_text *text)
{
    begin_text(stats, text);
    for (size_t i = 0; i < stats->series.count; i++) {
        struct stats *series = stats->series.at[i];

        if (series != NULL && series->filled > 0)
            end_block(series, text);
    }
    if (stats->filled > 0 ||
        (stats->records == 0 && !stats->setup.may_be_empty && !stats->setup.label.keyed))
        end_block(stats, text);
    return memory_text_reserve(text, 0);
}

uint64_t stats_records(const struct stats *stats)
{
    return stats->records;
}

/* ---- shares */

/* Does a run have whole blocks? */
static bool in_records(const struct stats *stats, uint64_t run)
{
    return stats->setup.every <= run / 8;
}

uint64_t share_border(const struct stats *stats, uint64_t frame, uint64_t run)
{
    uint64_t in_block = frame % stats->setup.every;

    return frame - (in_records(stats, run) ? in_block : in_block % TREE_LEAF);
}

void share_free(struct share_result *result)
{
    free(result->part);
    free(result->values);
    memory_text_free(&result->text);
}

struct stats *share_of(const struct stats *stats)
{
    return stats_open(&stats->setup, stats->isa, stats->origin);
}

int share_begin(struct stats *share, uint64_t first, uint64_t count, uint64_t run,
                struct share_result *result)
{
    const uint64_t every = share->setup.every;
    const size_t most = (size_t)parts_most(every, count);
    uint64_t frames;

    share->begun = true;
    share->records = 0;
    share->result = result;
    share->part = 0;
    share->next = first;
    begin_block(share, first);
    result->in_records = in_records(share, run);
    result->frames = count;
    result->records = 0;
    result->text.used = 0;
    if (result->in_records)
        return 0;
    free(result->part);
    free(result->values);
    result->part = calloc(most, sizeof *result->part);
    result->values = calloc(most * share->setup.channels, sizeof *result->values);
    if (result->part == NULL || result->values == NULL)
        return -1;
    result->parts = parts_cut(result->part, every, first - share->origin, count, &frames);
    return 0;
}

static void end_part(struct stats *share)
{
    const unsigned channels = share->setup.channels;

    for (unsigned i = 0; i < channels; i++)
        share->result->values[share->part * channels + i] = channel_values(&share->channels[i]);
    share->part++;
    begin_block(share, share->first + share->filled);
}

int share_add(struct stats *share, const void *frames, size_t count)
{
    struct share_result *result = share->result;
    const unsigned char *from = frames;

    if (result->in_records) {
        add_frames(share, frames, NULL, count, &result->text);
        result->records = share->records;
        return memory_text_reserve(&result->text, 0);
    }
    while (count > 0) {
        const struct stats_part *part = &result->part[share->part];
        size_t some = (size_t)min_u64(count, part->frames - share->filled);

        feed_add(share->feed, from, some, share->channels);
        share->filled += some;
        if (share->filled == part->frames)
            end_part(share);
        from += some * share->feed->frame_bytes;
        count -= some;
    }
    return 0;
}

/* Each part lies within one block. */
static void add_parts(struct stats *stats, const struct share_result *result,
                      struct memory_text *text)
{
    const unsigned channels = stats->setup.channels;

    for (size_t i = 0; i < result->parts; i++) {
        const struct stats_part *part = &result->part[i];

        for (unsigned c = 0; c < channels; c++)
            channel_add_part(&stats->channels[c], part, &result->values[i * channels + c]);
        stats->filled += part->frames;
        stats->next += part->frames;
        end_full_block(stats, text);
    }
}

int share_take(struct stats *stats, const struct share_result *result, struct memory_text *text)
{
    begin_text(stats, text);
    if (result->in_records) {
        memory_text_add(text, result->text.bytes, result->text.used);
        stats->records += result->records;
        stats->next += result->frames;
        begin_block(stats, stats->next);
    } else {
        add_parts(stats, result, text);
    }
    return memory_text_reserve(text, 0);
}
