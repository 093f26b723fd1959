/* SPDX-License-Identifier: MIT */
#include <stdalign.h>
#include <stdlib.h>

#include "base/min_max.h"
#include "cpu/channel.h"
#include "engine/emit.h"
#include "job/series_priv.h"

/* One series, and the interval to which rows are added. */
struct by_clock {
    struct series series;
    const struct engine_setup *setup;
    const struct intervals *intervals;
    bool begun;
    uint64_t rows; /* the number of the next row */

    struct interval interval;
    uint64_t first;  /* number of the interval's first row, or of the next row */
    uint64_t before; /* rows of the series before the interval */
    uint64_t count;  /* rows of the interval; rows of other keys lie between them */
    struct channel_samples of;
    enum channel_parts parts;
    alignas(struct channel_stats) unsigned char channels[]; /* states of channel_bytes() each */
};

static void by_clock_close(struct series *series)
{
    free(series);
}

static struct series *by_clock_open(struct row_frames *frames)
{
    const struct stream_plan *plan = frames->pipeline->plan;
    const enum channel_parts parts = channel_parts_of(&plan->setup.emits);
    struct by_clock *clock = calloc(1, sizeof *clock + plan->setup.channels * channel_bytes(parts));

    if (clock == NULL)
        return NULL;
    clock->series.frames = frames;
    clock->setup = &plan->setup;
    clock->intervals = &plan->intervals;
    clock->parts = parts;
    clock->of = channel_samples_for(frames->pipeline->machine->isa, &plan->setup);
    return &clock->series;
}

static struct channel_stats *channel_of(struct by_clock *clock, unsigned channel)
{
    return (void *)(clock->channels + channel * channel_bytes(clock->parts));
}

static void begin_interval(struct by_clock *clock, struct moment moment)
{
    clock->begun = true;
    clock->first = clock->rows;
    clock->count = 0;
    clock->interval = interval_at(clock->intervals, moment);
    for (unsigned i = 0; i < clock->setup->channels; i++)
        channel_init(channel_of(clock, i), clock->parts);
}

/* Sets the values of a channel in the next frame. */
static void set_channel(struct by_clock *clock, unsigned channel)
{
    const struct stats_values values = channel_values(channel_of(clock, channel));
    const struct frames_block *fill = clock->series.frames->fill;
    struct emit_out out;

    clock->series.frames->lost +=
        values.nans > 0 && values.low <= values.high && clock->setup->nan == NAN_PROPAGATE;
    emit_out_frames(&out, clock->setup, fill->out);
    emit_stats(clock->setup, &values, 1, clock->count, &out, channel, fill->count);
}

/* Adds the frame of the interval. */
static int end_interval(struct by_clock *clock, struct error *error)
{
    struct row_frames *frames = clock->series.frames;
    struct frames_block *fill = frames->fill;
    const uint64_t skipped = frames->pipeline->skipped;
    const struct sink_rows rows = {
        .number = skipped + clock->first,
        .first = clock->before,
        .end = clock->before + clock->count,
        .first_time = clock->interval.begin,
        .last_time = clock->interval.end,
        .key = clock->series.key,
    };

    for (unsigned i = 0; i < clock->setup->channels; i++)
        set_channel(clock, i);
    clock->before += clock->count;
    fill->rows[fill->count++] = rows;
    return fill->count == frames->most ? row_frames_write(frames, error) : 0;
}

static int by_clock_pass(struct series *series, const struct timed_row *next, struct error *error)
{
    struct by_clock *clock = (struct by_clock *)series;

    if (next != NULL)
        clock->rows = next->number;
    while (clock->begun && (next == NULL || !moment_is_before(next->moment, clock->interval.end))) {
        if (end_interval(clock, error) != 0)
            return -1;
        clock->begun = false;
        if (next != NULL)
            begin_interval(clock,
                           clock->intervals->skip_empty ? next->moment : clock->interval.end);
    }
    return 0;
}

/* Adds one channel of rows that are all in the interval. Positions are the numbers of rows. */
static void add_channel(struct by_clock *clock, unsigned channel, const double *rows, size_t count)
{
    const unsigned channels = clock->setup->channels;
    struct channel_stats *stats = channel_of(clock, channel);
    double samples[512];
    size_t some;

    stats->frames = clock->rows;
    for (size_t done = 0; done < count; done += some) {
        some = (size_t)min_u64(count - done, sizeof samples / sizeof *samples);
        for (size_t i = 0; i < some; i++)
            samples[i] = rows[(done + i) * channels + channel];
        channel_add(stats, &clock->of, samples, some);
    }
}

static int by_clock_add(struct series *series, const double *rows, const struct moment *moments,
                        uint64_t first, size_t count, struct error *error)
{
    struct by_clock *clock = (struct by_clock *)series;
    const unsigned channels = clock->setup->channels;
    size_t run;

    for (size_t done = 0; done < count; done += run) {
        const struct timed_row next = {moments[done], first + done};

        if (by_clock_pass(series, &next, error) != 0)
            return -1;
        if (!clock->begun)
            begin_interval(clock, next.moment);
        run = 1;
        while (done + run < count && moment_is_before(moments[done + run], clock->interval.end))
            run++;
        for (unsigned i = 0; i < channels; i++)
            add_channel(clock, i, rows + done * channels, run);
        clock->rows += run;
        clock->count += run;
    }
    return 0;
}

const struct series_class series_by_clock = {
    .open = by_clock_open,
    .add = by_clock_add,
    .pass = by_clock_pass,
    .close = by_clock_close,
};
