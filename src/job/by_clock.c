#include <math.h>
#include <stdlib.h>

#include "cpu/tree.h"
#include "job/series_priv.h"

/* The interval that rows are added to. */
struct by_clock {
    struct series series;
    const struct engine_setup *setup;
    const struct intervals *intervals;
    bool begun;
    uint64_t rows; /* the number of the next row */

    struct interval interval;
    uint64_t first;               /* the number of its first row, or of the next one */
    uint64_t before;              /* rows of the series before it */
    uint64_t count;               /* its rows; those of other keys are between them */
    struct tree *trees;           /* per channel: of the sums; NULL: they are not needed */
    struct stats_values values[]; /* per channel; the sums only at the end */
};

static void by_clock_close(struct series *series)
{
    struct by_clock *clock = (struct by_clock *)series;

    free(clock->trees);
    free(clock);
}

static struct series *by_clock_open(struct row_frames *frames)
{
    const struct stream_plan *plan = frames->pipeline->plan;
    struct by_clock *clock =
        calloc(1, sizeof *clock + plan->setup.channels * sizeof *clock->values);

    if (clock == NULL)
        return NULL;
    clock->series.frames = frames;
    clock->setup = &plan->setup;
    clock->intervals = &plan->intervals;
    if (!emits_need_sums(&plan->setup.emits))
        return &clock->series;
    clock->trees = malloc(plan->setup.channels * sizeof *clock->trees);
    if (clock->trees != NULL)
        return &clock->series;
    by_clock_close(&clock->series);
    return NULL;
}

static void begin_interval(struct by_clock *clock, struct moment moment)
{
    clock->begun = true;
    clock->first = clock->rows;
    clock->count = 0;
    clock->interval = interval_at(clock->intervals, moment);
    for (unsigned i = 0; i < clock->setup->channels; i++)
        clock->values[i] = (struct stats_values){.low = INT64_MAX, .high = INT64_MIN};
    for (unsigned i = 0; clock->trees != NULL && i < clock->setup->channels; i++)
        tree_init(&clock->trees[i]);
}

static void set_channel(struct by_clock *clock, unsigned channel)
{
    struct stats_values *values = &clock->values[channel];

    if (clock->trees != NULL) {
        const struct tree_sums sums = tree_total(&clock->trees[channel]);

        values->sum = sums.sum;
        values->square = sums.square;
    }
    clock->series.frames->lost +=
        values->nans > 0 && values->low <= values->high && clock->setup->nan == NAN_PROPAGATE;
    row_frames_set(clock->series.frames, channel, values, clock->count);
}

/* The frame of the interval. */
static int end_interval(struct by_clock *clock, struct error *error)
{
    const uint64_t skipped = clock->series.frames->pipeline->skipped;
    const struct sink_rows rows = {
        .number = skipped + clock->first,
        .first = clock->before,
        .end = clock->before + clock->count,
        .first_time = clock->interval.begin,
        .last_time = clock->interval.end,
    };

    for (unsigned i = 0; i < clock->setup->channels; i++)
        set_channel(clock, i);
    clock->before += clock->count;
    return row_frames_add(clock->series.frames, &rows, error);
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

/* One channel of rows of the same interval. */
static void add_channel(struct by_clock *clock, unsigned channel, const double *rows, size_t count)
{
    const unsigned channels = clock->setup->channels;
    struct stats_values values = clock->values[channel];

    for (size_t i = 0; i < count; i++) {
        const double value = rows[i * channels + channel];
        const int64_t key = (int64_t)rules_flip64(rules_bits64(value));

        if (isnan(value)) {
            values.nans++;
            continue;
        }
        if (key < values.low) {
            values.low = key;
            values.low_at = clock->rows + i;
        }
        if (key > values.high) {
            values.high = key;
            values.high_at = clock->rows + i;
        }
    }
    clock->values[channel] = values;
    if (clock->trees != NULL)
        tree_add_rows(&clock->trees[channel], rows + channel, channels, count);
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
