/* spec.min_count in gpuenv_filter() and streams, against the definition. */
#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gpuenv.h"

enum { FRAMES = 5000, CHANNELS = 3 };

static const gpuenv_spec nothing;
static double in[FRAMES * CHANNELS];
static double out[FRAMES * CHANNELS];

/* The first frame of the window of a result, and the one behind its last. */
static void place(const gpuenv_spec *spec, uint64_t k, int64_t *from, int64_t *to)
{
    const int64_t width = (int64_t)spec->width;

    *from = (int64_t)(k * spec->hop);
    if (spec->align == GPUENV_CAUSAL)
        *from -= width - 1;
    if (spec->align == GPUENV_CENTER)
        *from -= width / 2;
    *to = *from + width;
}

static double definition(const gpuenv_spec *spec, uint64_t k, uint64_t frames, unsigned channel)
{
    double most = -INFINITY;
    uint64_t there = 0;
    bool spoilt = false;
    int64_t from;
    int64_t to;

    place(spec, k, &from, &to);
    spoilt = spec->edge == GPUENV_EDGE_NAN && (from < 0 || to > (int64_t)frames);
    for (int64_t i = from < 0 ? 0 : from; i < to && i < (int64_t)frames; i++) {
        const double sample = in[i * CHANNELS + channel];

        there += isnan(sample) ? 0 : 1;
        spoilt = spoilt || (isnan(sample) && spec->nan == GPUENV_NAN_PROPAGATE);
        most = sample > most ? sample : most;
    }
    return spoilt || there < spec->min_count || there == 0 ? (double)NAN : most;
}

static void check_results(const gpuenv_spec *spec, uint64_t frames, uint64_t outputs)
{
    unsigned long wrong = 0;

    for (uint64_t k = 0; k < outputs; k++) {
        for (unsigned channel = 0; channel < CHANNELS; channel++) {
            const double due = definition(spec, k, frames, channel);
            const double got = out[k * CHANNELS + channel];

            wrong += got != due && !(isnan(got) && isnan(due));
        }
    }
    CHECK_THAT(wrong == 0, "%lu of w=%d need=%d align=%d nan=%d hop=%d frames=%d", wrong,
               (int)spec->width, (int)spec->min_count, spec->align, spec->nan, (int)spec->hop,
               (int)frames);
}

static void check_array(gpuenv_context *context, const gpuenv_spec *spec, uint64_t frames)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array from = GPUENV_INIT(gpuenv_array);
    gpuenv_array to;
    uint64_t outputs;

    CHECK(gpuenv_outputs(spec, frames, &outputs, &error) == GPUENV_OK);
    from.data = in;
    from.type = GPUENV_F64;
    from.rows = 1;
    from.frames = frames;
    from.channels = CHANNELS;
    from.frame = CHANNELS * sizeof *in;
    from.channel = sizeof *in;
    to = from;
    to.data = out;
    to.frames = outputs;
    CHECK_THAT(gpuenv_filter(context, spec, &from, &to, &error) == GPUENV_OK, "%s %s",
               error.subject, error.text);
    check_results(spec, frames, outputs);
}

static void check_stream(gpuenv_context *context, const gpuenv_spec *spec, uint64_t frames)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream;
    uint64_t done = 0;
    uint64_t results = 0;
    uint64_t got = 0;
    int code = gpuenv_stream_open(context, spec, GPUENV_F64, CHANNELS, &stream, &error);

    CHECK(code == GPUENV_OK);
    while (code == GPUENV_OK && done < frames) {
        uint64_t count = (uint64_t)rand() % 700 + 1;

        if (count > frames - done)
            count = frames - done;
        code = gpuenv_stream_push(stream, in + done * CHANNELS, count, out + results * CHANNELS,
                                  FRAMES - results, &got, &error);
        done += count;
        results += got;
    }
    do {
        code =
            gpuenv_stream_finish(stream, out + results * CHANNELS, FRAMES - results, &got, &error);
        results += got;
    } while (code == GPUENV_OK && got > 0);
    CHECK_THAT(code == GPUENV_OK, "%s %s", error.subject, error.text);
    gpuenv_stream_close(stream);
    check_results(spec, frames, results);
}

static void fill(unsigned gaps)
{
    for (unsigned i = 0; i < FRAMES * CHANNELS; i++)
        in[i] = gaps > 0 && (unsigned)rand() % gaps == 0 ? (double)NAN : rand() % 1000;
    for (unsigned i = 900; gaps > 0 && i < 1800; i++)
        in[i] = (double)NAN;
}

static void check_random(gpuenv_context *context)
{
    static const uint64_t widths[] = {1, 2, 3, 10, 60, 700, 6000};

    for (unsigned i = 0; i < 140; i++) {
        gpuenv_spec spec = nothing;
        const uint64_t frames = i % 10 == 0 ? FRAMES : (uint64_t)rand() % 90 + 1;
        const uint64_t width = widths[i % 7];

        spec.size = sizeof spec;
        spec.width = width;
        spec.hop = rand() % 2 != 0 ? 1 : (uint64_t)rand() % 70 + 1;
        spec.align = rand() % 4;
        spec.edge = rand() % 3 == 0 ? GPUENV_EDGE_NAN : GPUENV_SHRINK;
        spec.nan = rand() % 4 != 0 ? GPUENV_NAN_OMIT : GPUENV_NAN_PROPAGATE;
        spec.min_count = rand() % 4 == 0 ? width : (uint64_t)rand() % width + 1;
        spec.values = 1;
        spec.value[0] = GPUENV_MAX;
        spec.threads = (unsigned)rand() % 3;
        fill((unsigned)rand() % 4 * 5);
        check_array(context, &spec, frames);
        check_stream(context, &spec, frames);
    }
}

/* Integers have no NaN: their windows have too few samples where they are cut. */
static void check_integers(gpuenv_context *context)
{
    static const int64_t numbers[] = {5, 3, INT64_MAX, 1, 2};
    double to[5];
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array from = GPUENV_INIT(gpuenv_array);
    gpuenv_array into;

    spec.width = 4;
    spec.align = GPUENV_CENTER;
    spec.min_count = 3;
    spec.values = 1;
    from.data = numbers;
    from.type = GPUENV_S64;
    from.rows = from.channels = 1;
    from.frames = 5;
    from.frame = sizeof *numbers;
    into = from;
    into.data = to;
    CHECK(gpuenv_result_type(&spec, GPUENV_S64, GPUENV_MIN) == GPUENV_F64);
    CHECK(gpuenv_filter(context, &spec, &from, &into, &error) == GPUENV_BAD_ARGUMENT);
    CHECK(strcmp(error.subject, "out") == 0);
    into.type = GPUENV_F64;
    CHECK(gpuenv_filter(context, &spec, &from, &into, &error) == GPUENV_OK);
    CHECK(isnan(to[0]) && to[1] == 3 && to[2] == 1 && to[3] == 1 && to[4] == 1);
}

static void check_refused(gpuenv_spec spec, const char *subject)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    uint64_t outputs;

    CHECK(gpuenv_outputs(&spec, 9, &outputs, &error) == GPUENV_BAD_ARGUMENT);
    CHECK_THAT(strcmp(error.subject, subject) == 0, "%s %s", error.subject, error.text);
}

static void check_refusals(void)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);

    spec.width = 3;
    spec.min_count = 4;
    check_refused(spec, "min_count");
    spec.min_count = 2;
    spec.hop = 3;
    spec.align = GPUENV_FORWARD;
    spec.values = 1;
    spec.value[0] = GPUENV_MEAN;
    check_refused(spec, "min_count");
}

int main(void)
{
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_context *context;

    srand(1);
    options.threads = 3;
    if (gpuenv_open(&options, &context, NULL) != GPUENV_OK)
        return 1;
    check_random(context);
    check_integers(context);
    check_refusals();
    gpuenv_close(context);
    return check_result();
}
