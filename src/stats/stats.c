#include "stats/stats.h"

#include <stdbool.h>

#include "base/pages.h"
#include "cpu/kernels.h"
#include "cpu/planes.h"
#include "stats/channel.h"

enum {
    BATCH_FRAMES = TREE_LEAF, /* at a time */
    BATCH_FLOATS = 16384,
    BATCH_CHANNELS = 256, /* with more of them each is converted by itself */
};

struct stats {
    struct stats_setup setup;
    const struct cpu_kernels *kernels;
    size_t frame_bytes;
    uint64_t first;  /* frame of the input that the block begins with */
    uint64_t filled; /* frames of the block so far */
    uint64_t records;
    bool begun; /* the names of a TSV have been written */
    float frames[BATCH_FLOATS];
    float planes[PLANES_GROUP][BATCH_FRAMES];
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

struct stats *stats_open(const struct stats_setup *setup, uint64_t first)
{
    struct stats *stats = pages_alloc((size_t)stats_memory(setup->channels));

    if (stats == NULL)
        return NULL;
    stats->setup = *setup;
    stats->kernels = cpu_kernels_pick(setup->isa);
    stats->frame_bytes = sample_type_bytes(setup->sample) * setup->channels;
    begin_block(stats, first);
    return stats;
}

void stats_close(struct stats *stats)
{
    if (stats != NULL)
        pages_free(stats, (size_t)stats_memory(stats->setup.channels));
}

/* So many channels that a batch of all of them would be short. */
static bool is_wide(const struct stats *stats)
{
    return stats->setup.channels > BATCH_CHANNELS;
}

static bool usable_in_place(const struct stats *stats, const unsigned char *frames)
{
    return sample_type_is_native(stats->setup.sample) && (uintptr_t)frames % sizeof(float) == 0;
}

static void add_wide(struct stats *stats, const unsigned char *frames, size_t count)
{
    struct sample_type type = stats->setup.sample;

    for (unsigned i = 0; i < stats->setup.channels; i++) {
        sample_decode_strided(type, frames + i * sample_type_bytes(type), stats->setup.channels,
                              stats->planes[0], count);
        channel_add(&stats->channels[i], stats->kernels, stats->planes[0], count);
    }
}

static void add_planes(struct stats *stats, const float *frames, size_t count)
{
    unsigned channels = stats->setup.channels;
    float *const planes[PLANES_GROUP] = {stats->planes[0], stats->planes[1], stats->planes[2],
                                         stats->planes[3]};

    for (unsigned first = 0; first < channels; first += PLANES_GROUP) {
        unsigned left = channels - first;
        unsigned group = left < PLANES_GROUP ? left : PLANES_GROUP;

        planes_split(frames + first, channels, group, count, planes);
        for (unsigned i = 0; i < group; i++)
            channel_add(&stats->channels[first + i], stats->kernels, planes[i], count);
    }
}

/* No more frames than there is room for. */
static void add_batch(struct stats *stats, const unsigned char *frames, size_t count)
{
    const float *floats = stats->frames;

    if (is_wide(stats)) {
        add_wide(stats, frames, count);
        return;
    }
    if (usable_in_place(stats, frames))
        floats = (const float *)(const void *)frames;
    else
        stats->kernels->decode(stats->setup.sample, frames, stats->frames,
                               count * stats->setup.channels);
    if (stats->setup.channels == 1)
        channel_add(&stats->channels[0], stats->kernels, floats, count);
    else
        add_planes(stats, floats, count);
}

/* All within one block. */
static void add_to_block(struct stats *stats, const unsigned char *frames, size_t count)
{
    size_t room = is_wide(stats) ? BATCH_FRAMES : BATCH_FLOATS / stats->setup.channels;

    if (room > BATCH_FRAMES)
        room = BATCH_FRAMES;
    stats->filled += count;
    while (count > 0) {
        size_t batch = count < room ? count : room;

        add_batch(stats, frames, batch);
        frames += batch * stats->frame_bytes;
        count -= batch;
    }
}

static int end_block(struct stats *stats, struct stats_text *text)
{
    for (unsigned i = 0; i < stats->setup.channels; i++) {
        if (stats_text_record(text, stats->setup.format, stats->first, i, &stats->channels[i]) != 0)
            return -1;
    }
    stats->records += stats->setup.channels;
    begin_block(stats, stats->first + stats->filled);
    return 0;
}

/* The next block begins where one is full. */
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

        add_to_block(stats, frames, run);
        if (end_full_block(stats, text) != 0)
            return -1;
        frames += run * stats->frame_bytes;
        count -= run;
    }
    return 0;
}

static int add_part(struct stats *stats, const struct stats_part *part,
                    const struct stats_values *values, struct stats_text *text)
{
    for (unsigned i = 0; i < stats->setup.channels; i++)
        channel_add_part(&stats->channels[i], part, &values[i]);
    stats->filled += part->frames;
    return end_full_block(stats, text);
}

static int begin_text(struct stats *stats, struct stats_text *text)
{
    if (stats->begun)
        return 0;
    stats->begun = true;
    return stats_text_names(text, stats->setup.format);
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

        if (add_frames(stats, from + done * stats->frame_bytes, (size_t)part->first - done, text) !=
                0 ||
            add_part(stats, part, values, text) != 0)
            return -1;
        done = (size_t)(part->first + part->frames);
    }
    return add_frames(stats, from + done * stats->frame_bytes, count - done, text);
}

int stats_end(struct stats *stats, struct stats_text *text)
{
    if (begin_text(stats, text) != 0)
        return -1;
    return stats->filled > 0 || stats->records == 0 ? end_block(stats, text) : 0;
}

uint64_t stats_records(const struct stats *stats)
{
    return stats->records;
}
