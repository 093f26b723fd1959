/* SPDX-License-Identifier: MIT */
/* gpuenv_filter() with times, against the definition of windows of time. */
#include "calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FRAMES = 1600, CHANNELS = 3 };

static bool covers(const gpuenv_spec *spec, uint64_t k, uint64_t j)
{
    __extension__ typedef __int128 wide;
    const bool center = spec->align == GPUENV_CENTER;
    const wide after = (wide)spec->times[j] - spec->times[k];
    const wide left = (center ? 2 : 1) * after + (wide)spec->width;
    const wide right = (wide)spec->width - 2 * after;
    const bool closed_left =
        spec->closed == GPUENV_CLOSED_BOTH || spec->closed == GPUENV_CLOSED_LEFT;
    const bool closed_right =
        spec->closed == GPUENV_CLOSED_BOTH || spec->closed == GPUENV_CLOSED_RIGHT;

    if (left < 0 || (left == 0 && !closed_left))
        return false;
    if (center)
        return right > 0 || (right == 0 && closed_right);
    return closed_right ? j <= k : after < 0;
}

static void check_results(const gpuenv_spec *spec, uint64_t frames, const double *in,
                          const double *low, const float *range, const int64_t *argmax)
{
    for (uint64_t k = 0; k < frames; k++) {
        for (unsigned channel = 0; channel < CHANNELS; channel++) {
            double least = INFINITY;
            double most = -INFINITY;
            bool lost = false;
            uint64_t there = 0;
            int64_t place = -1;

            for (uint64_t j = 0; j < frames; j++) {
                const double sample = in[j * CHANNELS + channel];

                if (!covers(spec, k, j))
                    continue;
                there += isnan(sample) ? 0 : 1;
                lost = lost || (isnan(sample) && spec->nan == GPUENV_NAN_PROPAGATE);
                least = sample < least ? sample : least;
                place = sample > most ? (int64_t)j : place;
                most = sample > most ? sample : most;
            }
            if (lost || least > most || there < spec->min_count) {
                least = most = (double)NAN;
                place = -1;
            }
            CHECK(argmax[k * CHANNELS + channel] == place);
            CHECK(check_same(low[channel * frames + k], least));
            CHECK(check_same((double)range[k * CHANNELS + channel], (double)(float)(most - least)));
        }
    }
}

/* Any distances, now and then far; equal ones; or more frames at a time than go through buffers. */
static void set_times(int64_t *times, uint64_t frames)
{
    const int64_t far = rand() % 9 == 0 ? INT64_MAX / 4 : rand() % 5;
    const int64_t step = 1 + rand() % 4;
    const int kind = rand() % 3;
    int64_t time = rand() % 9 == 0 ? INT64_MIN : -100;

    for (uint64_t i = 0; i < frames; i++) {
        times[i] = time;
        if (kind == 0)
            time += rand() % 100 == 0 && time < 0 ? far : rand() % 4;
        else if (kind == 1)
            time += step;
        else
            time += rand() % 900 == 0 ? rand() % 1100 : rand() % 90 == 0;
    }
}

/* Minima with the channels apart, and ranges and positions beside each other. */
static void check_case(gpuenv_context *context, gpuenv_spec *spec, uint64_t frames)
{
    static double in[FRAMES * CHANNELS];
    static double low[FRAMES * CHANNELS];
    static float range[FRAMES * CHANNELS];
    static int64_t argmax[FRAMES * CHANNELS];
    static int64_t times[FRAMES];
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const gpuenv_array from = packed(in, GPUENV_F64, frames, CHANNELS);
    gpuenv_array to[3] = {packed(low, GPUENV_F64, frames, CHANNELS),
                          packed(range, GPUENV_F32, frames, CHANNELS),
                          packed(argmax, GPUENV_S64, frames, CHANNELS)};

    set_times(times, frames);
    for (uint64_t i = 0; i < frames * CHANNELS; i++)
        in[i] = rand() % 9 == 0 ? (double)NAN : rand() % 20;
    spec->times = times;
    to[0].frame = sizeof *low;
    to[0].channel = (ptrdiff_t)(frames * sizeof *low);
    CHECK_THAT(gpuenv_filter(context, spec, &from, to, &error) == GPUENV_OK, "%s %s", error.subject,
               error.text);
    check_results(spec, frames, in, low, range, argmax);
}

/* Integers of 64 bits stay whole, and so many that threads share them. */
static void check_large(gpuenv_context *context, int align)
{
    const uint64_t frames = 1 << 19;
    uint64_t *in = calloc(frames, sizeof *in);
    uint64_t *out = malloc(frames * sizeof *out);
    int64_t *times = malloc(frames * sizeof *times);
    const gpuenv_array from = packed(in, GPUENV_U64, frames, 1);
    const gpuenv_array to = packed(out, GPUENV_U64, frames, 1);
    const gpuenv_spec spec =
        SPEC(.width = 4, .align = align, .times = times, .values = 1, .value = {GPUENV_MAX});
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    unsigned long wrong = 0;

    for (uint64_t i = 0; i < frames; i++) {
        times[i] = (int64_t)(i / 3);
        in[i] = UINT64_MAX - (i * 7919) % frames;
    }
    CHECK_OK(gpuenv_filter(context, &spec, &from, &to, &error));
    for (uint64_t k = 0; k < frames; k++) {
        uint64_t most = 0;

        for (uint64_t j = k < 16 ? 0 : k - 16; j < k + 16 && j < frames; j++)
            most = covers(&spec, k, j) && in[j] > most ? in[j] : most;
        wrong += out[k] != most;
    }
    CHECK_THAT(wrong == 0, "%lu", wrong);
    free(in);
    free(out);
    free(times);
}

/* Of several times that go back, each in the task of another thread, the first one is told. */
static void check_back(gpuenv_context *context)
{
    enum { MANY = 1 << 18, NOT_A_TIME = 70000, BACK = 200000 };
    int64_t *times = malloc(MANY * sizeof *times);
    float *samples = calloc((size_t)2 * MANY, sizeof *samples);
    const gpuenv_array in = packed(samples, GPUENV_F32, MANY, 1);
    const gpuenv_array out = packed(samples + MANY, GPUENV_F32, MANY, 1);
    const gpuenv_spec spec = SPEC(.width = 7, .align = GPUENV_CAUSAL, .times = times, .values = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    for (int i = 0; i < MANY; i++)
        times[i] = i == NOT_A_TIME ? INT64_MIN : i == BACK ? 5 : i;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "times");
    CHECK_THAT(strcmp(error.text, "go back at frame 70000 (NaT)") == 0, "%s", error.text);
    times[NOT_A_TIME] = NOT_A_TIME;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "times");
    CHECK_THAT(strcmp(error.text, "go back at frame 200000") == 0, "%s", error.text);
    free(times);
    free(samples);
}

static void check_refusals(gpuenv_context *context)
{
    static const int64_t back[] = {1, 3, 2};
    static const int64_t times[] = {1, 2, 2};
    const float samples[3] = {1, 2, 3};
    float results[3];
    const gpuenv_array in = packed(samples, GPUENV_F32, 3, 1);
    const gpuenv_array out = packed(results, GPUENV_F32, 3, 1);
    gpuenv_spec spec = SPEC(.width = 1, .align = GPUENV_CAUSAL, .times = back, .values = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream;

    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "times");
    spec.times = times;
    CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "times");
    spec.align = GPUENV_VALID;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "align");
    spec.align = GPUENV_CENTER;
    spec.closed = 4;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "closed");
    spec.closed = 0;
    spec.hop = 2;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, &out, &error), "hop");
}

int main(void)
{
    static const uint64_t widths[] = {1, 2, 3, 10, 1000, UINT64_MAX};
    gpuenv_context *context = open_context(3);

    srand(1);
    for (unsigned i = 0; i < 240; i++) {
        gpuenv_spec spec =
            SPEC(.width = widths[i % 6], .align = i / 6 % 2 != 0 ? GPUENV_CENTER : GPUENV_CAUSAL,
                 .edge = i % 4 == 0 ? GPUENV_EDGE_NAN : GPUENV_SHRINK, .values = 3,
                 .value = {GPUENV_MIN, GPUENV_RANGE, GPUENV_ARGMAX});

        spec.nan = rand() % 2 != 0 ? GPUENV_NAN_OMIT : GPUENV_NAN_PROPAGATE;
        spec.closed = rand() % 4;
        spec.min_count = (uint64_t)rand() % 5;
        check_case(context, &spec,
                   i % 10 == 0 ? (uint64_t)rand() % FRAMES + 1 : (uint64_t)rand() % 80 + 1);
    }
    check_large(context, GPUENV_CAUSAL);
    check_large(context, GPUENV_CENTER);
    check_back(context);
    check_refusals(context);
    gpuenv_close(context);
    return check_result();
}
