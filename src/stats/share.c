#include "stats/share.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/least.h"
#include "base/pages.h"
#include "stats/feed.h"

struct share {
    struct stats_setup setup;
    const char *isa;
    uint64_t first;
    struct share_result *result; /* of the current run */
    struct stats *records;       /* if the run has whole blocks */
    size_t part;                 /* the part being filled */
    uint64_t filled;             /* frames of that part */
    struct feed feed;
    struct channel_stats channels[];
};

/* Does a run have whole blocks? */
static bool in_records(const struct stats_setup *setup, uint64_t run)
{
    return setup->every <= run / 8;
}

uint64_t share_border_before(const struct stats_setup *setup, uint64_t frame, uint64_t run)
{
    uint64_t in_block = frame % setup->every;

    return frame - (in_records(setup, run) ? in_block : in_block % TREE_LEAF);
}

uint64_t share_border(const struct stats_setup *setup, uint64_t frame, uint64_t run)
{
    uint64_t before = share_border_before(setup, frame, run);
    uint64_t left = setup->every - frame % setup->every;

    if (before == frame)
        return frame;
    return frame + (in_records(setup, run) ? left : least(left, before + TREE_LEAF - frame));
}

void share_free(struct share_result *result)
{
    free(result->part);
    free(result->values);
    stats_text_free(&result->text);
    *result = (struct share_result){.parts = 0};
}

static size_t share_bytes(unsigned channels)
{
    return sizeof(struct share) + channels * sizeof(struct channel_stats);
}

struct share *share_open(const struct stats_setup *setup, const char *isa, uint64_t first)
{
    struct share *share = pages_alloc(share_bytes(setup->channels));

    if (share == NULL)
        return NULL;
    share->setup = *setup;
    share->isa = isa;
    share->first = first;
    feed_init(&share->feed, isa, setup->sample, setup->channels, setup->full_scale);
    return share;
}

void share_close(struct share *share)
{
    if (share == NULL)
        return;
    stats_close(share->records);
    pages_free(share, share_bytes(share->setup.channels));
}

/* Makes room for the parts of `most` frames. */
static int make_room(struct share_result *result, uint64_t most, unsigned channels)
{
    if (most <= result->room)
        return 0;
    if (most > SIZE_MAX / sizeof *result->values / channels) {
        errno = ENOMEM;
        return -1;
    }
    free(result->part);
    free(result->values);
    result->room = 0;
    result->part = calloc((size_t)most, sizeof *result->part);
    result->values = calloc((size_t)most * channels, sizeof *result->values);
    if (result->part == NULL || result->values == NULL)
        return -1;
    result->room = (size_t)most;
    return 0;
}

static void begin_part(struct share *share)
{
    share->filled = 0;
    for (unsigned i = 0; i < share->setup.channels; i++)
        channel_init(&share->channels[i]);
}

int share_begin(struct share *share, uint64_t from, uint64_t count, uint64_t run,
                struct share_result *result)
{
    uint64_t frames;

    share->result = result;
    result->in_records = in_records(&share->setup, run);
    result->frames = count;
    result->parts = 0;
    result->records = 0;
    result->text.used = 0;
    if (result->in_records) {
        if (share->records == NULL)
            share->records = stats_open(&share->setup, share->isa, share->first);
        if (share->records == NULL)
            return -1;
        stats_restart(share->records, share->first + from);
        return 0;
    }
    if (make_room(result, parts_most(share->setup.every, count), share->setup.channels) != 0)
        return -1;
    result->parts = parts_cut(result->part, share->setup.every, from, count, &frames);
    share->part = 0;
    begin_part(share);
    return 0;
}

static void end_part(struct share *share)
{
    struct stats_values *values = share->result->values + share->part * share->setup.channels;

    for (unsigned i = 0; i < share->setup.channels; i++)
        values[i] = channel_values(&share->channels[i]);
    share->part++;
    begin_part(share);
}

int share_add(struct share *share, const void *frames, size_t count)
{
    static const struct stats_parts no_parts;
    const unsigned char *from = frames;
    struct share_result *result = share->result;

    if (result->in_records) {
        int failed = stats_add(share->records, frames, count, &no_parts, &result->text);

        result->records = stats_records(share->records);
        return failed;
    }
    while (count > 0) {
        uint64_t room = result->part[share->part].frames - share->filled;
        size_t some = count < room ? count : (size_t)room;

        feed_add(&share->feed, from, some, share->channels);
        share->filled += some;
        if (share->filled == result->part[share->part].frames)
            end_part(share);
        from += some * share->feed.frame_bytes;
        count -= some;
    }
    return 0;
}

int share_take(struct stats *stats, const struct share_result *result, struct stats_text *text)
{
    const struct stats_parts parts = {result->parts, result->part, result->values};

    if (result->in_records)
        return stats_add_records(stats, result->frames, result->records, &result->text, text);
    return stats_add(stats, NULL, (size_t)result->frames, &parts, text);
}
