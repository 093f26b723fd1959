#include <math.h>
#include <stdlib.h>

#include "job/steps.h"
#include "window/value.h"

enum { OUT_FRAMES = 256 }; /* that are written at a time, at most */

/* The extremes of a channel in an interval. */
struct extreme {
    int64_t low; /* keys; low > high: no number so far */
    int64_t high;
    bool has_nan;
};

/* The interval that rows are added to, and frames that are not written yet. */
struct by_clock {
    const struct pipeline *pipeline;
    const struct engine_setup *setup;
    uint64_t rows; /* so far */
    uint64_t *lost;

    struct interval interval;
    uint64_t first;           /* the number of its first row, or of the next one */
    struct extreme *extremes; /* per channel */

    size_t frames; /* in `out` */
    unsigned char *out;
    struct sink_rows out_rows[OUT_FRAMES];
};

struct by_clock *by_clock_open(const struct pipeline *pipeline, uint64_t *lost)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    struct by_clock *clock = calloc(1, sizeof *clock);

    if (clock == NULL)
        return NULL;
    clock->pipeline = pipeline;
    clock->setup = setup;
    clock->lost = lost;
    clock->extremes = malloc(setup->channels * sizeof *clock->extremes);
    clock->out = malloc(OUT_FRAMES * engine_out_bytes(setup));
    if (clock->extremes != NULL && clock->out != NULL)
        return clock;
    by_clock_close(clock);
    return NULL;
}

void by_clock_close(struct by_clock *clock)
{
    if (clock == NULL)
        return;
    free(clock->out);
    free(clock->extremes);
    free(clock);
}

static void begin_interval(struct by_clock *clock, struct moment moment)
{
    clock->first = clock->rows;
    clock->interval = interval_at(&clock->pipeline->plan->intervals, moment);
    for (unsigned i = 0; i < clock->setup->channels; i++)
        clock->extremes[i] = (struct extreme){.low = INT64_MAX, .high = INT64_MIN};
}

static int write_frames(struct by_clock *clock, struct error *error)
{
    struct sink *sink = clock->pipeline->sink;
    const size_t frames = clock->frames;

    clock->frames = 0;
    if (frames == 0)
        return 0;
    if (sink->class->write(sink, clock->out, frames, clock->out_rows, false, error) != 0)
        return -1;
    atomic_fetch_add(&clock->pipeline->progress->out_frames, frames);
    return 0;
}

/* The values of a channel. Extremes that are rounded to float32 are those of rounded samples. */
static void put_channel(struct by_clock *clock, unsigned channel, unsigned char *frame)
{
    const struct engine_setup *setup = clock->setup;
    const struct extreme *extreme = &clock->extremes[channel];
    const bool has_nan = extreme->has_nan && setup->nan == NAN_PROPAGATE;
    const bool has_numbers = extreme->low <= extreme->high;
    const double low = rules_from_key64(extreme->low);
    const double high = rules_from_key64(extreme->high);

    *clock->lost += has_nan && has_numbers;
    for (unsigned i = 0; i < setup->emits.count; i++) {
        const enum emit emit = setup->emits.item[i];
        unsigned char *value =
            frame + (channel * setup->emits.count + i) * value_bytes(setup->value);

        if (has_nan || !has_numbers)
            value_put_nan(setup->value, value, 0);
        else if (setup->value == VALUE_F32)
            *(float *)value = rules_emit(emit, (float)low, (float)high);
        else
            *(double *)value = rules_emit64(emit, low, high);
    }
}

/* The frame of the interval. */
static int end_interval(struct by_clock *clock, struct error *error)
{
    unsigned char *frame = clock->out + clock->frames * engine_out_bytes(clock->setup);

    clock->out_rows[clock->frames] = (struct sink_rows){
        .first = clock->pipeline->skipped + clock->first,
        .end = clock->pipeline->skipped + clock->rows,
        .first_time = clock->interval.begin,
        .last_time = clock->interval.end,
    };
    for (unsigned i = 0; i < clock->setup->channels; i++)
        put_channel(clock, i, frame);
    return ++clock->frames == OUT_FRAMES ? write_frames(clock, error) : 0;
}

/* To the interval of a row. */
static int go_to(struct by_clock *clock, struct moment moment, struct error *error)
{
    const bool skip_empty = clock->pipeline->plan->intervals.skip_empty;

    if (clock->rows == 0)
        begin_interval(clock, moment);
    while (!moment_is_before(moment, clock->interval.end)) {
        if (end_interval(clock, error) != 0)
            return -1;
        begin_interval(clock, skip_empty ? moment : clock->interval.end);
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

int by_clock_add(struct by_clock *clock, const double *rows, const struct moment *moments,
                 size_t count, bool is_cut, struct error *error)
{
    const unsigned channels = clock->setup->channels;
    size_t done = 0;

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
    if (is_cut && clock->rows > 0 && go_to(clock, moments[count], error) != 0)
        return -1;
    return write_frames(clock, error);
}

int by_clock_end(struct by_clock *clock, struct error *error)
{
    if (clock->rows > 0 && end_interval(clock, error) != 0)
        return -1;
    return write_frames(clock, error);
}
