/* SPDX-License-Identifier: MIT */
/* Statistics of arrays.
 *
 * Threads share the blocks of an array, or the runs of long blocks. A run is a subtree of its
 * block's summation tree, so the sums have the same bits for every number of threads. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cut.h"
#include "base/rounding.h"
#include "cpu/feed.h"
#include "cpu/level.h"
#include "cpu/record.h"
#include "lib/lib_priv.h"

enum {
    RUN_LEVEL = 6,
    RUN_FRAMES = TREE_LEAF << RUN_LEVEL,
    GROUP = 16, /* channels of a unit */
    GATHER_BYTES = 65536,
};

struct survey {
    struct work work;
    struct strided array;
    uint64_t every;
    uint64_t blocks; /* blocks of a row */
    uint64_t runs;   /* runs of a block; the last block may have fewer */
    struct groups groups;
    gpuenv_record *record;
    size_t distance;             /* bytes from one record to the next */
    struct stats_values *values; /* statistics of each run, if blocks have several */
};

struct leaf_place {
    uint64_t row;
    uint64_t block;
    uint64_t channel; /* first channel of a group */
    uint64_t run;
    size_t channels;
};

/* The memory of a task. */
struct desk {
    struct feed feed;
    struct channel_stats channels[GROUP];
    alignas(64) unsigned char raw[GATHER_BYTES];
};

static uint64_t frames_of_block(const struct survey *survey, uint64_t block)
{
    uint64_t left = survey->array.frames - block * survey->every;

    return left < survey->every ? left : survey->every;
}

static gpuenv_record *place_of_record(const struct survey *survey, const struct leaf_place *place,
                                      size_t channel)
{
    uint64_t index = (place->row * survey->blocks + place->block) * survey->array.channels +
                     place->channel + channel;

    return (gpuenv_record *)(void *)((unsigned char *)survey->record + index * survey->distance);
}

/* The bits of a 64-bit integer. */
static uint64_t bits_of_level(struct level level)
{
    return level.negative ? 0 - level.whole : level.whole;
}

#define SAME_PLACE(member)                                                                         \
    _Static_assert(offsetof(gpuenv_record, member) == offsetof(struct stats_record, member),       \
                   "what kernels write is a gpuenv_record")
SAME_PLACE(nans);
SAME_PLACE(type);
SAME_PLACE(min);
SAME_PLACE(argmin);
SAME_PLACE(sum);
_Static_assert(sizeof(gpuenv_record) == sizeof(struct stats_record), "rms is the last one");

static void write_record(const struct survey *survey, const struct leaf_place *place,
                         size_t channel, const struct channel_stats *stats)
{
    const struct sample_type sample = survey->array.sample;
    const enum value_kind kind = sample_type_numbers(sample);
    const struct stats_values values = channel_values(stats);
    struct stats_record record =
        record_of(sample_type_value(sample), &values, place->block * survey->every, stats->frames);

    record.size = survey->distance;
    record.row = place->row;
    record.channel = place->channel + channel;
    record.type = kind == VALUE_I64 ? GPUENV_S64 : kind == VALUE_U64 ? GPUENV_U64 : GPUENV_F64;
    if (record.type != GPUENV_F64 && stats->frames > 0) {
        record.min = bits_of_level(level_of_key(sample, values.low));
        record.max = bits_of_level(level_of_key(sample, values.high));
        record.abs = bits_of_level(level_of_magnitude(sample, values.magnitude));
    }
    memcpy(place_of_record(survey, place, channel), &record, sizeof record);
}

/* ---- the work ---- */

static struct stats_values *values_of(const struct survey *survey, const struct leaf_place *place,
                                      size_t channel)
{
    uint64_t block = place->row * survey->blocks + place->block;

    return &survey->values[(block * survey->array.channels + place->channel + channel) *
                               survey->runs +
                           place->run];
}

static void add_frames(const struct survey *survey, struct desk *desk,
                       const struct leaf_place *place, uint64_t first, uint64_t count)
{
    const struct strided *array = &survey->array;
    const size_t frame = array->bytes * place->channels;
    const size_t most = frame > 0 ? GATHER_BYTES / frame : 0;

    while (count > 0) {
        const unsigned char *at = strided_at(array, place->row, first, place->channel);
        size_t some = survey->groups.in_place || count < most ? (size_t)count : most;

        if (!survey->groups.in_place) {
            strided_gather(array, at, some, place->channels, desk->raw);
            at = desk->raw;
        }
        feed_add(&desk->feed, at, some, desk->channels);
        first += some;
        count -= some;
    }
}

/* A unit is a run of a group of channels. */
static void do_run(struct work *work, void *room, uint64_t unit, const struct task *task)
{
    struct survey *survey = (struct survey *)work;
    struct desk *desk = room;
    uint64_t index = unit;
    struct leaf_place place = {.run = index % survey->runs};
    uint64_t frames;
    uint64_t before;
    uint64_t left;

    index /= survey->runs;
    place.channel = index % survey->groups.count * survey->groups.channels;
    index /= survey->groups.count;
    place.block = index % survey->blocks;
    place.row = index / survey->blocks;
    left = survey->array.channels - place.channel;
    place.channels = left < survey->groups.channels ? (size_t)left : survey->groups.channels;

    if (unit == task->unit)
        desk->feed.channels = 0;
    frames = frames_of_block(survey, place.block);
    before = place.run * RUN_FRAMES;
    if (place.run > 0 && before >= frames)
        return;
    left = frames - before;
    if (survey->runs > 1 && left > RUN_FRAMES)
        left = RUN_FRAMES;
    if (desk->feed.channels != place.channels)
        feed_init(&desk->feed, survey->work.context->machine.isa, survey->array.sample,
                  (unsigned)place.channels, (struct full_scale){.known = false});
    for (size_t i = 0; i < place.channels; i++)
        channel_init(&desk->channels[i], CHANNEL_SUMS);
    add_frames(survey, desk, &place, place.block * survey->every + before, left);
    for (size_t i = 0; i < place.channels; i++) {
        if (survey->values != NULL)
            *values_of(survey, &place, i) = channel_values(&desk->channels[i]);
        else
            write_record(survey, &place, i, &desk->channels[i]);
    }
    work_look(work, (left + 1) * place.channels); /* writing records takes time, too */
}

/* Joins the runs of each block, in order. */
static void join_runs(const struct survey *survey)
{
    const struct strided *array = &survey->array;
    struct channel_stats all;

    for (uint64_t i = 0; i < array->rows * survey->blocks * array->channels; i++) {
        struct leaf_place place = {
            .row = i / array->channels / survey->blocks,
            .block = i / array->channels % survey->blocks,
            .channel = i % array->channels,
        };
        uint64_t frames = frames_of_block(survey, place.block);

        channel_init(&all, CHANNEL_SUMS);
        do {
            uint64_t left = frames - place.run * RUN_FRAMES;
            struct stats_part part = {
                .frames = left < RUN_FRAMES ? left : RUN_FRAMES,
                .level = RUN_LEVEL,
            };

            channel_add_part(&all, &part, values_of(survey, &place, 0));
            place.run++;
        } while (place.run * RUN_FRAMES < frames);
        write_record(survey, &place, 0, &all);
    }
}

/* ---- the calls ---- */

static uint64_t blocks_of(uint64_t frames, uint64_t every)
{
    return frames == 0 ? 1 : (frames - 1) / every + 1;
}

int gpuenv_records(const gpuenv_array *array, uint64_t every, uint64_t *records,
                   gpuenv_error *error)
{
    gpuenv_array counted;
    struct strided read;
    uint64_t count;
    int code;

    fault_clear(error);
    code = array_at(&counted, array, array, "array", error); /* the samples need not exist */
    if (code == GPUENV_OK)
        code = strided_read(&read, &counted, false, "array", error);
    if (code != GPUENV_OK)
        return code;
    if (records == NULL)
        return REFUSE(error, "records", "is NULL");
    if (__builtin_mul_overflow(blocks_of(read.frames, every > 0 ? every : UINT64_MAX), read.rows,
                               &count) ||
        __builtin_mul_overflow(count, read.channels, records))
        return REFUSE(error, "array", "has more records than can be counted");
    return GPUENV_OK;
}

static void make_plan(struct survey *survey)
{
    const struct strided *array = &survey->array;
    const uint64_t longest = frames_of_block(survey, 0);
    struct work_size work = {
        .halo = CUT_NEVER,
        .threads = survey->work.context->machine.threads_most,
    };

    survey->groups = groups_of(array, GROUP);
    survey->runs = longest <= (uint64_t)2 * RUN_FRAMES ? 1 : (longest - 1) / RUN_FRAMES + 1;
    work.units = array->rows * survey->blocks * survey->groups.count * survey->runs;
    work.frames = survey->runs > 1 ? RUN_FRAMES : longest;
    work.least = TASK_SAMPLES / survey->groups.channels;
    survey->work.cut = cut_work(&work);
    survey->work.run = do_run;
    survey->work.room = sizeof(struct desk);
}

int gpuenv_stats(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                 gpuenv_record *record, gpuenv_error *error)
{
    struct survey survey = {.record = record};
    uint64_t records = 0;
    int code;

    fault_clear(error);
    if (context == NULL)
        return REFUSE(error, "context", "is NULL");
    work_begin(&survey.work, context);
    code = gpuenv_records(array, every, &records, error);
    if (code != GPUENV_OK || records == 0)
        return code;
    survey.distance = given_size(record, sizeof *record, "record", error);
    if (survey.distance == 0 ||
        strided_read(&survey.array, array, false, "array", error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    survey.every = every > 0 ? every : UINT64_MAX;
    survey.blocks = blocks_of(survey.array.frames, survey.every);
    make_plan(&survey);
    if (survey.runs > 1) {
        survey.values = calloc((size_t)records, (size_t)survey.runs * sizeof *survey.values);
        if (survey.values == NULL)
            return fault_memory(error);
    }
    code = work_run(&survey.work, error);
    if (code == GPUENV_OK && survey.values != NULL) {
        const uint64_t rounding = rounding_begin();

        join_runs(&survey);
        rounding_end(rounding);
    }
    free(survey.values);
    return code;
}

int gpuenv_stats_at(gpuenv_context *context, const gpuenv_array *array, const void *data,
                    uint64_t every, gpuenv_record *record, gpuenv_error *error)
{
    gpuenv_array at;
    const int code = array_at(&at, array, data, "array", error);

    return code == GPUENV_OK ? gpuenv_stats(context, &at, every, record, error) : code;
}
