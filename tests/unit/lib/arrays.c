/* SPDX-License-Identifier: MIT */
/* Arrays of the library against Lemire's algorithm, as the program runs it: every type, layout,
 * alignment and policy, results of other types, any number of threads. streams.c has streams. */
#include "arrays.h"
#include "calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/lib_priv.h"

static void swap_bytes(unsigned char *sample, size_t bytes)
{
    for (size_t i = 0; i < bytes / 2; i++) {
        unsigned char byte = sample[i];

        sample[i] = sample[bytes - 1 - i];
        sample[bytes - 1 - i] = byte;
    }
}

/* ---- the reference: one channel of one row by Lemire's algorithm */

static void setup_of(struct engine_setup *setup, const gpuenv_spec *spec, const gpuenv_array *array,
                     const int result[GPUENV_VALUES])
{
    struct strided in = {.frames = UINT64_MAX};
    struct strided out[GPUENV_VALUES] = {{0}};

    (void)type_read(array->type, array->swapped != 0, spec->scaled != 0, &in.sample);
    for (unsigned i = 0; i < spec->values; i++)
        (void)type_read(result[i], false, spec->scaled != 0, &out[i].sample);
    CHECK(spec_setup(setup, spec, &in, out, 1, NULL) == GPUENV_OK);
}

static void reference(const struct engine_setup *setup, const gpuenv_array *in, uint64_t row,
                      uint64_t channel, unsigned char *out)
{
    const size_t bytes = type_bytes(in->type);
    const uint64_t tail = window_tail(&setup->window, in->frames);
    unsigned char *samples = malloc(in->frames * bytes + 1);
    struct machine machine = {.threads_most = 1};
    struct engine *engine;
    struct error error;
    struct chunk chunk;

    for (uint64_t i = 0; i < in->frames; i++)
        memcpy(samples + i * bytes, sample_at(in, row, i, channel), bytes);
    CHECK(engine_lemire.open(&machine, setup, 0, &engine, &error) == 0);
    if (in->frames > 0) {
        chunk = (struct chunk){.in = samples, .in_frames = (size_t)in->frames, .out = out};
        chunk_place(&chunk, setup, 0);
        CHECK(engine_lemire.submit(engine, &chunk, &error) == 0);
        out += chunk.out_frames * engine_out_bytes(setup);
    }
    if (tail > 0) {
        chunk = (struct chunk){.out = out};
        chunk_place_tail(&chunk, setup, in->frames, window_tail_first(&setup->window, in->frames),
                         tail);
        CHECK(engine_lemire.submit(engine, &chunk, &error) == 0);
    }
    engine_lemire.close(engine);
    free(samples);
}

/* Is a result that of the reference, in the type of its array? */
static bool is_right(const gpuenv_spec *spec, enum value_kind kind, const unsigned char *due,
                     const gpuenv_array *array, const unsigned char *got)
{
    struct sample_losses losses = {0, 0};
    struct sample_type type;
    unsigned char sample[8];

    (void)type_read(array->type, false, spec->scaled != 0, &type);
    sample_encode(type, kind, due, sample, 1, &losses);
    if (array->swapped != 0)
        swap_bytes(sample, type_bytes(array->type));
    return memcmp(sample, got, type_bytes(array->type)) == 0;
}

static void check_results(const gpuenv_spec *given, const gpuenv_array *in, const struct owned *out,
                          uint64_t outputs, const int result[GPUENV_VALUES])
{
    struct engine_setup setup;
    gpuenv_spec spec;
    unsigned char *due;
    size_t bytes;
    unsigned long wrong = 0;

    (void)spec_read(&spec, given, NULL);
    setup_of(&setup, &spec, in, result);
    setup.chunk_frames = (size_t)in->frames + (size_t)spec.width + 1;
    bytes = value_bytes(setup.value);
    due = malloc((outputs + 1) * 8 * spec.values);
    for (uint64_t row = 0; row < in->rows; row++) {
        for (uint64_t channel = 0; channel < in->channels; channel++) {
            reference(&setup, in, row, channel, due);
            for (uint64_t k = 0; k < outputs * spec.values; k++) {
                const uint64_t i = k % spec.values;
                const gpuenv_array *to = &out[i].array;

                wrong += !is_right(&spec, setup.results[i], due + k * bytes, to,
                                   sample_at(to, row, k / spec.values, channel));
            }
        }
    }
    CHECK_THAT(wrong == 0, "%lu results of type %d, w %llu, hop %llu, align %d, edge %d, values %u",
               wrong, in->type, (unsigned long long)spec.width, (unsigned long long)spec.hop,
               spec.align, spec.edge, spec.values);
    free(due);
}

static void test_array(gpuenv_context *context, const struct layout *layout)
{
    const int type = types[random_below(TYPES)];
    const bool is_integer = !is_float(type) && type != GPUENV_F16 && type < GPUENV_CF32;
    gpuenv_spec spec = random_spec(layout->frames, is_integer);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const unsigned values = spec.values > 0 ? spec.values : 2;
    struct layout of_out = *layout;
    struct owned in;
    struct owned out[GPUENV_VALUES];
    gpuenv_array arrays[GPUENV_VALUES];
    int result[GPUENV_VALUES] = {0};
    int code;

    own(&in, layout, type, random_below(2) == 0, false);
    in.array.swapped = random_below(4) == 0;
    fill(&in, in.array.swapped == 0 && is_float(type) && random_below(2) == 0);
    CHECK_OK(gpuenv_outputs(&spec, layout->frames, &of_out.frames, &error));
    for (unsigned i = 0; i < values; i++) {
        int value = spec.values > 0 ? spec.value[i] : (int)i;

        result[i] = gpuenv_result_type(&spec, type, value);
        if (random_below(5) == 0)
            result[i] = random_below(2) == 0 ? GPUENV_F64 : GPUENV_F32;
        own(&out[i], &of_out, result[i], random_below(2) == 0, false);
        out[i].array.swapped = random_below(6) == 0;
        arrays[i] = out[i].array;
    }
    code = gpuenv_filter(context, &spec, &in.array, arrays, &error);
    CHECK_THAT(code == GPUENV_OK, "%s %s", error.subject, error.text);
    if (code == GPUENV_OK)
        check_results(&spec, &in.array, out, of_out.frames, result);
    for (unsigned i = 0; i < values; i++)
        free(out[i].memory);
    free(in.memory);
}

static void test_arrays(gpuenv_context *context)
{
    const unsigned many = CHECK_FEW ? 100 : 600;

    for (unsigned i = 0; i < many; i++) {
        struct layout layout = {1 + random_below(3), random_below(300), 1 + random_below(20)};

        if (i % 50 == 0)
            layout = (struct layout){1, 20000 + random_below(100000), 1 + random_below(3)};
        if (i % 97 == 0)
            layout = (struct layout){1 + random_below(200), 1000, 1};
        if (i % 61 == 0)
            layout = (struct layout){1 + random_below(2), random_below(60), 50 + random_below(150)};
        if (i % 53 == 0)
            layout = (struct layout){1, 1 + random_below(70), 250 + random_below(3000)};
        if (i % 59 == 0) /* several blocks of channels that are neighbours */
            layout = (struct layout){1, 200 + random_below(400), 64 + random_below(250)};
        if (i % 13 == 0)
            layout = (struct layout){8 + random_below(900), 1 + random_below(70), 1};
        test_array(context, &layout);
    }
}

/* ---- values in a list */

/* A value has the bits that it has alone, whatever stands beside it and in which type. */
static void test_alone(gpuenv_context *context)
{
    static const int results[] = {GPUENV_F32, GPUENV_F64, GPUENV_F64, GPUENV_F16, GPUENV_S16,
                                  GPUENV_U24, GPUENV_S32, GPUENV_U64, GPUENV_S64};
    const struct layout layout = {1 + random_below(3), 1 + random_below(300), 1 + random_below(20)};
    const int type = types[random_below(TYPES)];
    gpuenv_spec spec = SPEC(.width = 1 + random_below(20));
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    struct layout of_out = layout;
    struct owned in;
    struct owned out[GPUENV_VALUES];
    gpuenv_array arrays[GPUENV_VALUES];

    own(&in, &layout, type, random_below(2) == 0, false);
    fill(&in, random_below(2) == 0);
    spec.hop = spec.width;
    spec.width *= 1 + random_below(4);
    spec.align = (int)random_below(GPUENV_FORWARD + 1);
    spec.nan = (int)random_below(2);
    spec.scaled = (int)random_below(2);
    spec.values = GPUENV_VALUES;
    CHECK_OK(gpuenv_outputs(&spec, layout.frames, &of_out.frames, &error));
    for (unsigned i = 0; i < GPUENV_VALUES; i++) {
        spec.value[i] = i < 3 ? (int)random_below(GPUENV_MEAN) : (int)random_below(GPUENV_LAST + 1);
        own(&out[i], &of_out,
            spec.value[i] == GPUENV_ARGMIN || spec.value[i] == GPUENV_ARGMAX
                ? GPUENV_S64
                : results[random_below(sizeof results / sizeof *results)],
            true, false);
        arrays[i] = out[i].array;
    }
    CHECK_THAT(gpuenv_filter(context, &spec, &in.array, arrays, &error) == GPUENV_OK, "%s %s",
               error.subject, error.text);
    for (unsigned i = 0; i < GPUENV_VALUES; i++) {
        gpuenv_spec one = spec;
        struct owned alone;

        own(&alone, &of_out, out[i].array.type, true, false);
        one.values = 1;
        one.value[0] = spec.value[i];
        CHECK_OK(gpuenv_filter(context, &one, &in.array, &alone.array, NULL));
        CHECK_THAT(memcmp(alone.memory, out[i].memory, alone.bytes) == 0,
                   "value %d of type %d as %d beside %d %d", one.value[0], type, alone.array.type,
                   spec.value[3], spec.value[4]);
        free(alone.memory);
    }
    for (unsigned i = 0; i < GPUENV_VALUES; i++)
        free(out[i].memory);
    free(in.memory);
}

/* ---- pairs of channels that are neighbours, with any distance between frames */

/* The distance is `step` floats. A single frame has any, also that of one channel, as where results
 * are channel by channel; what lies between frames stays as it is. */
static void test_pairs(gpuenv_context *context, size_t channels, size_t width, size_t outputs,
                       size_t step)
{
    enum { MOST = 40 };
    const size_t frames = width - 1 + outputs;
    const gpuenv_spec spec = SPEC(.width = width);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float *samples = malloc(channels * frames * sizeof *samples);
    float results[MOST];
    float expected[MOST];
    gpuenv_array out[2];
    const gpuenv_array in = packed(samples, GPUENV_F32, frames, channels);

    for (size_t i = 0; i < channels * frames; i++)
        samples[i] = (float)(i * 37 % 101);
    for (size_t i = 0; i < MOST; i++)
        results[i] = expected[i] = -1;
    for (unsigned i = 0; i < 2; i++) {
        out[i] = in;
        out[i].data = results + i;
        out[i].frames = outputs;
        out[i].frame = (ptrdiff_t)(step * sizeof *results);
        out[i].channel = 2 * sizeof *results;
    }
    for (size_t at = 0; at < outputs * channels; at++) {
        const float *sample = samples + at;
        float *pair = expected + at / channels * step + at % channels * 2;

        pair[0] = pair[1] = *sample;
        for (size_t i = 0; i < width; i++, sample += channels) {
            pair[0] = fminf(pair[0], *sample);
            pair[1] = fmaxf(pair[1], *sample);
        }
    }
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
    CHECK_THAT(memcmp(results, expected, sizeof results) == 0, "%d channels, width %d, step %d",
               (int)channels, (int)width, (int)step);
    free(samples);
}

int main(void)
{
    gpuenv_context *context = open_context(3);
    gpuenv_context *portable = open_context_of(2, "scalar");

    test_arrays(context);
    for (unsigned i = 0; i < (CHECK_FEW ? 100 : 1000); i++)
        test_alone(i % 4 == 0 ? portable : context);
    for (size_t channels = 1; channels <= 6; channels++) {
        for (size_t width = 1; width <= 30; width += 29) {
            test_pairs(context, channels, width, 1, 2);
            test_pairs(context, channels, width, 1, 3);
            test_pairs(context, channels, width, 3, 2 * channels);
            test_pairs(context, channels, width, 3, 2 * channels + 1);
        }
    }
    gpuenv_close(portable);
    gpuenv_close(context);
    return check_result();
}
