/* SPDX-License-Identifier: MIT */
/* The extremes of windows and where they are, of arrays and streams, against the definition: types,
 * layouts, windows, NaN and its policies, windows with too few samples, equal samples and the sign
 * of zero, the first and the last of equals. */
#include "arrays.h"
#include "calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const int some_types[] = {GPUENV_F32, GPUENV_F64, GPUENV_S16,
                                 GPUENV_S8,  GPUENV_U8,  GPUENV_S64};

/* Few different numbers, so that many are equal. */
static double random_value(int type, bool with_nan, unsigned shape, uint64_t frame)
{
    const bool floats = is_float(type);
    const double value = shape == 0   ? (double)random_below(5)
                         : shape == 1 ? (double)(frame / 3 % 100)
                         : shape == 2 ? (double)(99 - frame / 2 % 100)
                                      : (double)random_below(200);

    if (with_nan && floats && random_below(15) == 0)
        return random_below(4) == 0 ? (double)INFINITY : (double)NAN;
    if (type == GPUENV_S8)
        return value - 100;
    return value == 0 && floats && random_below(2) == 0 ? -0.0 : value;
}

static void put_value(int type, double value, unsigned char *to)
{
    const float narrow = (float)value;
    const int16_t small = (int16_t)(isfinite(value) ? value : 0);
    const uint8_t byte = (uint8_t)small;
    const int8_t least = (int8_t)small;
    const int64_t whole = small;

    switch (type) {
    case GPUENV_F32:
        memcpy(to, &narrow, sizeof narrow);
        break;
    case GPUENV_F64:
        memcpy(to, &value, sizeof value);
        break;
    case GPUENV_S16:
        memcpy(to, &small, sizeof small);
        break;
    case GPUENV_S8:
        memcpy(to, &least, sizeof least);
        break;
    case GPUENV_U8:
        memcpy(to, &byte, sizeof byte);
        break;
    default:
        memcpy(to, &whole, sizeof whole);
        break;
    }
}

static bool is_below(double a, double b)
{
    return a < b || (a == b && signbit(a) != 0 && signbit(b) == 0);
}

/* Of one channel: the position of a window's extreme, as gpuenv.h defines it; -1: it has none. */
static int64_t position(const gpuenv_spec *spec, const double *samples, int64_t frames,
                        int64_t output, bool greatest)
{
    const int64_t width = (int64_t)spec->width;
    const int64_t frame = output * (int64_t)(spec->hop > 0 ? spec->hop : 1);
    const int64_t begin = spec->align == GPUENV_CAUSAL   ? frame - width + 1
                          : spec->align == GPUENV_CENTER ? frame - width / 2
                                                         : frame;
    const bool is_cut = begin < 0 || begin + width > frames;
    uint64_t numbers = 0;
    int64_t found = -1;
    bool nan = false;

    for (int64_t i = begin < 0 ? 0 : begin; i < begin + width && i < frames; i++) {
        nan = nan || isnan(samples[i]);
        if (isnan(samples[i]))
            continue;
        numbers++;
        if (found < 0 ||
            (greatest ? is_below(samples[found], samples[i])
                      : is_below(samples[i], samples[found])) ||
            (spec->last != 0 && !is_below(samples[found], samples[i]) &&
             !is_below(samples[i], samples[found])))
            found = i;
    }
    if ((is_cut && spec->edge == GPUENV_EDGE_NAN) || numbers < spec->min_count ||
        (nan && spec->nan == GPUENV_NAN_PROPAGATE))
        return -1;
    return found;
}

/* Positions, extremes, or one of each; streams have either. */
static gpuenv_spec random_extremes(uint64_t frames, bool is_integer, bool of_stream)
{
    static const int kinds[][2] = {{GPUENV_ARGMIN, GPUENV_ARGMAX},
                                   {GPUENV_MIN, GPUENV_MAX},
                                   {GPUENV_MIN, GPUENV_ARGMAX},
                                   {GPUENV_ARGMIN, GPUENV_MAX}};
    const int *kind = kinds[random_below(of_stream ? 2 : 4)];
    const unsigned first = (unsigned)random_below(2);
    gpuenv_spec spec = random_spec(frames, is_integer);

    if (frames > 1000)
        spec.width = 1 + random_below(500); /* the definition takes its time */
    spec.values = 1 + (unsigned)random_below(2);
    spec.value[0] = kind[first];
    spec.value[1] = kind[1 - first];
    spec.edge = (int)random_below(2);
    spec.scaled = 0;
    if (random_below(3) == 0)
        spec.min_count = 1 + random_below(spec.width);
    if (random_below(8) == 0) {
        spec.align = GPUENV_FORWARD; /* pieces side by side */
        spec.hop = spec.width;
    }
    if (random_below(8) == 0)
        spec.hop = random_below(2) == 0 ? 60 + random_below(60) : UINT64_MAX >> random_below(4);
    spec.last = !of_stream && random_below(2) == 0;
    return spec;
}

/* Fills the array, and `model` with each channel of each row. */
static void fill_both(const struct owned *owned, bool with_nan, double *model)
{
    const gpuenv_array *array = &owned->array;
    const unsigned shape = (unsigned)random_below(4);

    for (uint64_t row = 0; row < array->rows; row++) {
        for (uint64_t channel = 0; channel < array->channels; channel++) {
            for (uint64_t frame = 0; frame < array->frames; frame++) {
                const double value = random_value(array->type, with_nan, shape, frame);

                *model++ = value;
                put_value(array->type, value, sample_at(array, row, frame, channel));
            }
        }
    }
}

/* A position, or the sample there as float64. */
static bool is_right(int value, const unsigned char *got, const double *samples, int64_t due)
{
    int64_t position;
    double sample;

    memcpy(&position, got, sizeof position);
    memcpy(&sample, got, sizeof sample);
    if (value == GPUENV_ARGMIN || value == GPUENV_ARGMAX)
        return position == due;
    return due < 0 ? isnan(sample) : memcmp(&sample, &samples[due], sizeof sample) == 0;
}

static uint64_t wrong_results(const gpuenv_spec *spec, const gpuenv_array *out, int value,
                              const double *model, uint64_t frames)
{
    uint64_t wrong = 0;

    for (uint64_t row = 0; row < out->rows; row++) {
        for (uint64_t channel = 0; channel < out->channels; channel++, model += frames) {
            for (uint64_t k = 0; k < out->frames; k++) {
                const int64_t due = position(spec, model, (int64_t)frames, (int64_t)k,
                                             value == GPUENV_ARGMAX || value == GPUENV_MAX);
                uint64_t got;

                memcpy(&got, sample_at(out, row, k, channel), sizeof got);
                if (out->swapped != 0)
                    got = __builtin_bswap64(got);
                wrong += !is_right(value, (const unsigned char *)&got, model, due);
            }
        }
    }
    return wrong;
}

/* Another value beside them is as by itself. */
static void check_beside(gpuenv_context *context, gpuenv_spec spec, const gpuenv_array *in,
                         const struct layout *layout, const struct owned *beside)
{
    struct owned alone;

    own(&alone, layout, beside->array.type, true, false);
    spec.value[0] = spec.value[spec.values - 1];
    spec.values = 1;
    CHECK_OK(gpuenv_filter(context, &spec, in, &alone.array, NULL));
    CHECK_THAT(memcmp(alone.memory, beside->memory, alone.bytes) == 0, "value %d of type %d",
               spec.value[0], in->type);
    free(alone.memory);
}

static void test_array(gpuenv_context *context, const struct layout *layout)
{
    const int type = some_types[random_below(5)];
    gpuenv_spec spec = random_extremes(layout->frames, !is_float(type), false);
    const unsigned extremes = spec.values;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    struct layout of_out = *layout;
    struct owned in;
    struct owned out[3];
    gpuenv_array arrays[3];
    double *model = malloc((layout->rows * layout->frames * layout->channels + 1) * sizeof *model);
    int code;

    own(&in, layout, type, random_below(2) == 0, false);
    fill_both(&in, random_below(2) == 0, model);
    if (random_below(2) == 0)
        spec.value[spec.values++] = (int)random_below(GPUENV_MEAN);
    CHECK_OK(gpuenv_outputs(&spec, layout->frames, &of_out.frames, &error));
    for (unsigned i = 0; i < spec.values; i++) {
        const bool beside = i == extremes;
        const int result = beside ? gpuenv_result_type(&spec, type, spec.value[i])
                           : spec.value[i] < GPUENV_ARGMIN ? GPUENV_F64
                                                           : GPUENV_S64;

        own(&out[i], &of_out, result, beside || random_below(2) == 0, false);
        out[i].array.swapped = !beside && random_below(6) == 0;
        arrays[i] = out[i].array;
    }
    code = gpuenv_filter(context, &spec, &in.array, arrays, &error);
    CHECK_THAT(code == GPUENV_OK, "%s %s", error.subject, error.text);
    for (unsigned i = 0; i < extremes; i++)
        CHECK_THAT(
            code != GPUENV_OK ||
                wrong_results(&spec, &arrays[i], spec.value[i], model, layout->frames) == 0,
            "type %d w %llu hop %llu align %d edge %d nan %d least %llu last %d, %llu frames", type,
            (unsigned long long)spec.width, (unsigned long long)spec.hop, spec.align, spec.edge,
            spec.nan, (unsigned long long)spec.min_count, spec.last,
            (unsigned long long)layout->frames);
    if (spec.values > extremes)
        check_beside(context, spec, &in.array, &of_out, &out[extremes]);
    for (unsigned i = 0; i < spec.values; i++)
        free(out[i].memory);
    free(in.memory);
    free(model);
}

static void test_stream(gpuenv_context *context)
{
    const int type = some_types[random_below(5)];
    const struct layout layout = {1, random_below(5000), 1 + random_below(3)};
    gpuenv_spec spec = random_extremes(layout.frames, false, true);
    const bool extremes = spec.value[0] < GPUENV_ARGMIN;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream;
    struct owned in;
    double *model = malloc((layout.frames * layout.channels + 1) * sizeof *model);
    double *pushed;
    uint64_t outputs;

    own(&in, &layout, type, true, false);
    fill_both(&in, random_below(2) == 0, model);
    spec.result = extremes ? GPUENV_F64 : 0;
    CHECK_OK(gpuenv_outputs(&spec, layout.frames, &outputs, &error));
    pushed = malloc((outputs * layout.channels * spec.values + 1) * sizeof *pushed);
    CHECK_OK(gpuenv_stream_open(context, &spec, type, (unsigned)layout.channels, &stream, &error));
    CHECK(gpuenv_stream_type(stream) == (extremes ? GPUENV_F64 : GPUENV_S64));
    CHECK(push_all(stream, &in.array, pushed, layout.channels * spec.values * sizeof *pushed,
                   outputs) == outputs);
    for (unsigned i = 0; i < spec.values; i++) {
        gpuenv_array view =
            packed(pushed + i, gpuenv_stream_type(stream), outputs, layout.channels);

        view.channel *= spec.values;
        view.frame *= spec.values;
        CHECK(wrong_results(&spec, &view, spec.value[i], model, layout.frames) == 0);
    }
    gpuenv_stream_close(stream);
    free(pushed);
    free(in.memory);
    free(model);
}

/* Windows of time: the first of equals in the rows that a window covers. */
static void test_times(gpuenv_context *context)
{
    const int64_t times[] = {0, 1, 5, 6, 6, 20};
    const double samples[] = {2, 1, 1, 3, 3, (double)NAN};
    const int64_t least[] = {0, 1, 1, 1, 1, -1};
    const int64_t greatest[] = {0, 0, 0, 3, 3, -1};
    int64_t got[2][6];
    const gpuenv_array in = packed(samples, GPUENV_F64, 6, 1);
    const gpuenv_array out[] = {packed(got[0], GPUENV_S64, 6, 1), packed(got[1], GPUENV_S64, 6, 1)};
    const gpuenv_spec spec = SPEC(.width = 6, .align = GPUENV_CAUSAL, .times = times, .values = 2,
                                  .value = {GPUENV_ARGMIN, GPUENV_ARGMAX});

    CHECK_OK(gpuenv_filter(context, &spec, &in, out, NULL));
    CHECK(memcmp(got[0], least, sizeof least) == 0 && memcmp(got[1], greatest, sizeof least) == 0);
}

/* Integers have no NaN: their windows have too few samples where they are cut. */
static void test_integers(gpuenv_context *context)
{
    const int64_t numbers[] = {5, 3, INT64_MAX, 1, 2};
    double to[5];
    const gpuenv_array in = packed(numbers, GPUENV_S64, 5, 1);
    gpuenv_array out = packed(to, GPUENV_S64, 5, 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const gpuenv_spec spec = SPEC(.width = 4, .align = GPUENV_CENTER, .min_count = 3, .values = 1);

    CHECK(gpuenv_result_type(&spec, GPUENV_S64, GPUENV_MIN) == GPUENV_F64);
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "out");
    out.type = GPUENV_F64;
    CHECK_OK(gpuenv_filter(context, &spec, &in, &out, &error));
    CHECK(isnan(to[0]) && to[1] == 3 && to[2] == 1 && to[3] == 1 && to[4] == 1);
}

/* A hop beyond the end of the array, also where the sum of both needs more than 64 bits. */
static void test_far(gpuenv_context *context)
{
    const float samples[] = {3, 1, 2, 0, 5};
    int64_t at[2][1];
    const gpuenv_array in = packed(samples, GPUENV_F32, 5, 1);
    const gpuenv_array out[2] = {packed(at[0], GPUENV_S64, 1, 1), packed(at[1], GPUENV_S64, 1, 1)};
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_spec spec = SPEC(.width = 3, .values = 2, .value = {GPUENV_ARGMIN, GPUENV_ARGMAX});

    for (unsigned i = 0; i < 8; i++) {
        spec.hop = (UINT64_MAX >> (i / 4)) - i % 4;
        spec.last = i % 2;
        CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
        CHECK(at[0][0] == 1 && at[1][0] == 0);
    }
}

/* Where no result holds 64 bits, integers of 64 bits are none of the floats that means widen to. */
static void test_narrow(gpuenv_context *context)
{
    const int64_t numbers[4] = {3, -7, 100, 4};
    int16_t means[2];
    int16_t most[2];
    const gpuenv_array in = packed(numbers, GPUENV_S64, 4, 1);
    const gpuenv_array out[2] = {packed(means, GPUENV_S16, 2, 1), packed(most, GPUENV_S16, 2, 1)};
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const gpuenv_spec spec = SPEC(.width = 2, .hop = 2, .align = GPUENV_FORWARD, .values = 2,
                                  .value = {GPUENV_MEAN, GPUENV_MAX});

    CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
    CHECK(means[0] == -2 && means[1] == 52 && most[0] == 3 && most[1] == 100);
}

static void test_refused(gpuenv_context *context)
{
    const int64_t times[4] = {0};
    const float samples[4] = {0};
    double results[4];
    const gpuenv_array in = packed(samples, GPUENV_F32, 4, 1);
    gpuenv_array out = packed(results, GPUENV_F64, 4, 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_spec spec =
        SPEC(.width = 2, .align = GPUENV_CAUSAL, .values = 1, .value = {GPUENV_ARGMIN});
    gpuenv_stream *stream;

    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "out");
    out.type = GPUENV_S64;
    spec.last = 1;
    spec.times = times;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "last");
    spec.times = NULL;
    CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "last");
    spec.last = 0;
    spec.values = 2;
    spec.value[1] = GPUENV_MAX;
    CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "value");
    CHECK(gpuenv_result_type(&spec, GPUENV_U8, GPUENV_ARGMAX) == GPUENV_S64);
    spec.min_count = 3;
    CHECK_REFUSED(gpuenv_outputs(&spec, 9, &(uint64_t){0}, &error), "min_count");
    spec.min_count = spec.hop = 2;
    spec.align = GPUENV_FORWARD;
    spec.value[0] = GPUENV_MEAN;
    CHECK_REFUSED(gpuenv_outputs(&spec, 9, &(uint64_t){0}, &error), "min_count");
}

int main(void)
{
    gpuenv_context *context = open_context(3);
    gpuenv_context *portable = open_context_of(2, "scalar");

    for (unsigned i = 0; i < (CHECK_FEW ? 100 : 400); i++) {
        struct layout layout = {1 + random_below(3), random_below(300), 1 + random_below(20)};

        if (i % 50 == 0)
            layout = (struct layout){1, 20000 + random_below(60000), 1};
        test_array(i % 4 == 1 ? portable : context, &layout);
        test_stream(i % 4 == 1 ? portable : context);
    }
    test_times(context);
    test_integers(context);
    test_far(context);
    test_narrow(context);
    test_refused(context);
    gpuenv_close(portable);
    gpuenv_close(context);
    return check_result();
}
