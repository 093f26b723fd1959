#include "stream/pipeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "stream/ring.h"
#include "window/value.h"

enum { OUT_FRAMES = 256 }; /* that are written at a time, at most */

/* The extremes of a channel in an interval. */
struct extreme {
    int64_t low; /* keys; low > high: no number so far */
    int64_t high;
    bool has_nan;
};

/* The interval that rows are added to, and what goes out. */
struct reducer {
    const struct pipeline *pipeline;
    struct account *account;
    const struct engine_setup *setup;
    uint64_t rows; /* read so far */

    struct moment begin;
    struct moment end;
    uint64_t first;           /* the number of its first row */
    struct extreme *extremes; /* per channel */

    size_t value_bytes;
    size_t frame_bytes;
    size_t frames; /* in `out` */
    unsigned char *out;
    struct stats_text text;
};

static int open_reducer(struct reducer *reducer, struct error *error)
{
    const struct engine_setup *setup = reducer->setup;

    reducer->value_bytes = value_bytes(setup->value);
    reducer->frame_bytes = engine_out_bytes(setup);
    reducer->extremes = malloc(setup->channels * sizeof *reducer->extremes);
    reducer->out = malloc(OUT_FRAMES * (reducer->frame_bytes + 1));
    if (reducer->extremes != NULL && reducer->out != NULL)
        return 0;
    return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
}

static void close_reducer(struct reducer *reducer)
{
    stats_text_free(&reducer->text);
    free(reducer->out);
    free(reducer->extremes);
}

static void begin_interval(struct reducer *reducer, struct moment begin)
{
    reducer->begin = begin;
    reducer->end = moment_add(begin, reducer->pipeline->plan.intervals.period);
    for (unsigned i = 0; i < reducer->setup->channels; i++)
        reducer->extremes[i] = (struct extreme){.low = INT64_MAX, .high = INT64_MIN};
}

static int write_frames(struct reducer *reducer, struct error *error)
{
    struct sink *sink = reducer->pipeline->sink;
    const size_t frames = reducer->frames;

    reducer->frames = 0;
    if (frames == 0 || sink == NULL)
        return 0;
    if (sink->class->write(sink, reducer->out, frames, false, error) != 0)
        return -1;
    atomic_fetch_add(&reducer->pipeline->progress->out_frames, frames);
    return 0;
}

/* The values of a channel. Extremes that are rounded to float32 are those of rounded samples. */
static void put_channel(struct reducer *reducer, unsigned channel, unsigned char *frame)
{
    const struct engine_setup *setup = reducer->setup;
    const struct extreme *extreme = &reducer->extremes[channel];
    const bool has_nan = extreme->has_nan && setup->nan == NAN_PROPAGATE;
    const bool has_numbers = extreme->low <= extreme->high;
    const double low = rules_from_key64(extreme->low);
    const double high = rules_from_key64(extreme->high);

    reducer->account->lost_intervals += has_nan && has_numbers;
    for (unsigned i = 0; i < setup->emits.count; i++) {
        const enum emit emit = setup->emits.item[i];
        unsigned char *value = frame + (channel * setup->emits.count + i) * reducer->value_bytes;

        if (has_nan || !has_numbers)
            value_put_nan(setup->value, value, 0);
        else if (setup->value == VALUE_F32)
            *(float *)value = rules_emit(emit, (float)low, (float)high);
        else
            *(double *)value = rules_emit64(emit, low, high);
    }
}

/* The frame of the interval: `first` is the number of its first row, or of the next one. */
static int end_interval(struct reducer *reducer, uint64_t first, struct error *error)
{
    struct sink *sink = reducer->pipeline->sink;
    unsigned char *frame = reducer->out + reducer->frames * reducer->frame_bytes;
    const struct row row = {
        .frame = reducer->pipeline->skipped + first,
        .frames = reducer->rows - first,
        .time = reducer->begin,
    };

    if (sink == NULL)
        return 0;
    for (unsigned i = 0; i < reducer->setup->channels; i++)
        put_channel(reducer, i, frame);
    if (sink->rows != NULL && row_queue_add(sink->rows, row) != 0)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    return ++reducer->frames == OUT_FRAMES ? write_frames(reducer, error) : 0;
}

/* From the interval of the last rows to that of the next one. */
static int go_to(struct reducer *reducer, struct moment moment, struct error *error)
{
    const struct moment begin = moment_floor(moment, reducer->pipeline->plan.intervals.period);

    if (reducer->rows > 0) {
        if (end_interval(reducer, reducer->first, error) != 0)
            return -1;
        for (begin_interval(reducer, reducer->end); !reducer->pipeline->plan.intervals.skip_empty &&
                                                    moment_is_before(reducer->begin, begin);
             begin_interval(reducer, reducer->end)) {
            if (end_interval(reducer, reducer->rows, error) != 0)
                return -1;
        }
    }
    begin_interval(reducer, begin);
    reducer->first = reducer->rows;
    return 0;
}

/* One channel of rows of the same interval. */
static void add_channel(struct reducer *reducer, unsigned channel, const double *values,
                        size_t count)
{
    const unsigned channels = reducer->setup->channels;
    struct extreme extreme = reducer->extremes[channel];

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
    reducer->extremes[channel] = extreme;
}

static int add_rows(struct reducer *reducer, const double *values, const struct moment *moments,
                    size_t count, struct error *error)
{
    const unsigned channels = reducer->setup->channels;
    size_t done = 0;

    while (done < count) {
        size_t run = 1;

        if ((reducer->rows == 0 || !moment_is_before(moments[done], reducer->end)) &&
            go_to(reducer, moments[done], error) != 0)
            return -1;
        while (done + run < count && moment_is_before(moments[done + run], reducer->end))
            run++;
        for (unsigned i = 0; i < channels; i++)
            add_channel(reducer, i, values + done * channels, run);
        reducer->rows += run;
        done += run;
    }
    return 0;
}

/* Ends what lies before a row that is an error itself. */
static int pass_row(struct reducer *reducer, struct moment moment, struct error *error)
{
    const bool is_later = reducer->rows > 0 && !moment_is_before(moment, reducer->end);

    return is_later ? go_to(reducer, moment, error) : 0;
}

/* Reads what is there and writes what is complete. `*over`: the stream has ended, or `error` has
 * been set. */
static int step(struct reducer *reducer, double *values, size_t room, bool *over,
                struct error *error)
{
    const struct pipeline *pipeline = reducer->pipeline;
    struct source *source = pipeline->source;
    struct error of_nan = {.code = ERROR_FILE};
    const uint64_t left = pipeline->plan.limit - reducer->rows;
    size_t got = 0;
    size_t count;

    if (left == 0 ||
        source->class->read(source, values, room < left ? room : (size_t)left, &got, error) != 0)
        return left == 0 ? (*over = true, 0) : -1;
    *over = got == 0;
    atomic_fetch_add(&pipeline->progress->in_frames, got);
    count = pipeline_before_nan(pipeline, values, got, reducer->rows, &of_nan);
    if (pipeline->stats != NULL &&
        stats_add_rows(pipeline->stats, values, source->table->moments, count, &reducer->text) != 0)
        return error_system(error, ERROR_STATS, NULL, ENOMEM);
    if (add_rows(reducer, values, source->table->moments, count, error) != 0 ||
        (count < got && pass_row(reducer, source->table->moments[count], error) != 0) ||
        write_frames(reducer, error) != 0 ||
        pipeline_write_text(pipeline, &reducer->text, error) != 0)
        return -1;
    if (count == got)
        return 0;
    *error = of_nan;
    return -1;
}

/* The last interval, unless it may be incomplete, and the last record. */
static int finish(struct reducer *reducer, bool failed, struct error *error)
{
    const struct pipeline *pipeline = reducer->pipeline;
    struct sink *sink = pipeline->sink;

    if (!failed && reducer->rows > 0 &&
        (end_interval(reducer, reducer->first, error) != 0 || write_frames(reducer, error) != 0))
        return -1;
    if (pipeline->stats != NULL) {
        if (stats_end(pipeline->stats, &reducer->text) != 0)
            return error_system(error, ERROR_STATS, NULL, ENOMEM);
        if (pipeline_write_text(pipeline, &reducer->text, error) != 0)
            return -1;
    }
    return sink == NULL ? 0 : sink->class->finish(sink, error);
}

int by_clock_run(const struct pipeline *pipeline, struct account *account, struct error *error)
{
    struct reducer reducer = {
        .pipeline = pipeline, .account = account, .setup = &pipeline->plan.setup};
    const double from = clock_seconds();
    const size_t room = pipeline->plan.setup.chunk_frames;
    double *values = malloc(room * engine_in_bytes(&pipeline->plan.setup));
    struct error later;
    bool over = false;
    int result = 0;

    account->engine = "clock";
    account->way = "turns";
    if (values == NULL)
        result = error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
    else
        result = open_reducer(&reducer, error);
    if (result == 0) {
        while (result == 0 && !over)
            result = step(&reducer, values, room, &over, error);
        if (finish(&reducer, result != 0, result == 0 ? error : &later) != 0)
            result = -1;
    }
    account->busy[RING_ENGINE] = clock_seconds() - from;
    close_reducer(&reducer);
    free(values);
    return result;
}
