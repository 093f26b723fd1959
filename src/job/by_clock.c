#include <math.h>
#include <stdlib.h>

#include "job/series_priv.h"

/* The extremes of a channel in an interval. */
struct extreme {
    int64_t low; /* keys; low > high: no number so far */
    int64_t high;
    bool has_nan;
};

/* The interval that rows are added to. */
struct by_clock {
    struct series series;
    const struct engine_setup *setup;
    const struct intervals *intervals;
    bool begun;
    uint64_t rows; /* the number of the next row */

    struct interval interval;
    uint64_t first;            /* the number of its first row, or of the next one */
    struct extreme extremes[]; /* per channel */
};

static struct series *by_clock_open(struct row_frames *frames)
{
    const struct stream_plan *plan = frames->pipeline->plan;
    struct by_clock *clock =
        calloc(1, sizeof *clock + plan->setup.channels * sizeof *clock->extremes);

    if (clock == NULL)
        return NULL;
    clock->series = (struct series){.class = &series_by_clock, .frames = frames};
    clock->setup = &plan->setup;
    clock->intervals = &plan->intervals;
    return &clock->series;
}

static void by_clock_close(struct series *series)
{
    free(series);
}

static void begin_interval(struct by_clock *clock, struct moment moment)
{
    clock->first = clock->rows;
    clock->interval = interval_at(clock->intervals, moment);
    for (unsigned i = 0; i < clock->setup->channels; i++)
        clock->extremes[i] = (struct extreme){.low = INT64_MAX, .high = INT64_MIN};
}

static void set_channel(struct by_clock *clock, unsigned channel)
{
    const struct extreme *extreme = &clock->extremes[channel];
    const bool has_nan = extreme->has_nan && clock->setup->nan == NAN_PROPAGATE;

    clock->series.frames->lost += has_nan && extreme->low <= extreme->high;
    if (has_nan)
        row_frames_set(clock->series.frames, channel, KEY64_BELOW, KEY64_ABOVE);
    else
        row_frames_set(clock->series.frames, channel, extreme->low, extreme->high);
}

/* The frame of the interval. */
static int end_interval(struct by_clock *clock, struct error *error)
{
    const uint64_t skipped = clock->series.frames->pipeline->skipped;
    const struct sink_rows rows = {
        .first = skipped + clock->first,
        .end = skipped + clock->rows,
        .first_time = clock->interval.begin,
        .last_time = clock->interval.end,
    };

    for (unsigned i = 0; i < clock->setup->channels; i++)
        set_channel(clock, i);
    return row_frames_add(clock->series.frames, &rows, error);
}

/* To the interval of a row. */
static int go_to(struct by_clock *clock, struct moment moment, struct error *error)
{
    if (!clock->begun)
        begin_interval(clock, moment);
    clock->begun = true;
    while (!moment_is_before(moment, clock->interval.end)) {
        if (end_interval(clock, error) != 0)
            return -1;
        begin_interval(clock, clock->intervals->skip_empty ? moment : clock->interval.end);
    }
    return 0;
}

/* One channel of rows of the same interval. */
static void add_channel(struct by_clock *clock, unsigned channel, const double *values,
                        size_t count)
{
    const unsigned channels = clock->setup->channels;
    struct extreme extreme = clock->extremes[channel];

    for (size_t i = 0; i < count; i++) {
        const double value = values[i * channels + channel];
        const int64_t key = (int64_t)rules_flip64(rules_bits64(value));

        if (isnan(value)) {
            extreme.has_nan = true;
            continue;
        }
        extreme.low = key < extreme.low ? key : extreme.low;
        extreme.high = key > extreme.high ? key : extreme.high;
    }
    clock->extremes[channel] = extreme;
}

static int by_clock_add(struct series *series, const double *rows, const struct moment *moments,
                        uint64_t first, size_t count, bool is_cut, struct error *error)
{
    struct by_clock *clock = (struct by_clock *)series;
    const unsigned channels = clock->setup->channels;
    size_t done = 0;

    clock->rows = first;
    while (done < count) {
        size_t run = 1;

        if (go_to(clock, moments[done], error) != 0)
            return -1;
        while (done + run < count && moment_is_before(moments[done + run], clock->interval.end))
            run++;
        for (unsigned i = 0; i < channels; i++)
            add_channel(clock, i, rows + done * channels, run);
        clock->rows += run;
        done += run;
    }
    return is_cut && clock->begun ? go_to(clock, moments[count], error) : 0;
}

static int by_clock_end(struct series *series, struct error *error)
{
    struct by_clock *clock = (struct by_clock *)series;

    return clock->begun ? end_interval(clock, error) : 0;
}

const struct series_class series_by_clock = {
    .open = by_clock_open,
    .add = by_clock_add,
    .end = by_clock_end,
    .close = by_clock_close,
};
