/* Pushes of streams: of 64 stereo frames on one thread; of channels that have buffers of their own,
 * against interleaved ones; and of large chunks by default, against one thread, in the same run.
 * Usage: perf_pushes. Exits with 1 if a bar is missed by more than the noise. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bars.h"
#include "base/clock.h"
#include "lib/gpuenv.h"

enum { ROUNDS = 101, SMALL = 64, VALUES_MOST = 1 << 20, CHANNELS_MOST = 64 };

static float *samples;
static float *results;

static gpuenv_stream *open_stream(gpuenv_context *context, unsigned channels, uint64_t width,
                                  unsigned threads)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_stream *stream;

    spec.width = width;
    spec.align = GPUENV_CAUSAL;
    spec.threads = threads;
    if (gpuenv_stream_open(context, &spec, GPUENV_F32, channels, &stream, NULL) != GPUENV_OK)
        exit(1);
    return stream;
}

/* Pushes, and samples a second. */
struct pushes {
    gpuenv_stream *stream;
    unsigned channels;
    uint64_t frames;
    unsigned times;
};

static double push_rate(const void *timed)
{
    const struct pushes *pushes = timed;
    const double from = clock_seconds();
    uint64_t got;

    for (unsigned i = 0; i < pushes->times; i++)
        (void)gpuenv_stream_push(pushes->stream, samples, pushes->frames, results, pushes->frames,
                                 &got, NULL);
    return (double)(pushes->frames * pushes->channels * pushes->times) / (clock_seconds() - from);
}

/* Of channels apart. */
static double planar_rate(const void *timed)
{
    const struct pushes *pushes = timed;
    const double from = clock_seconds();
    const void *in[CHANNELS_MOST];
    void *out[CHANNELS_MOST];
    uint64_t got;

    for (unsigned i = 0; i < pushes->channels; i++) {
        in[i] = samples + i * pushes->frames;
        out[i] = results + 2 * i * pushes->frames;
    }
    (void)gpuenv_stream_push_planar(pushes->stream, in, pushes->frames, out, pushes->frames, &got,
                                    NULL);
    return (double)(pushes->frames * pushes->channels) / (clock_seconds() - from);
}

static void small_pushes(gpuenv_context *context, uint64_t width)
{
    const struct pushes small = {
        .stream = open_stream(context, 2, width, 1), .channels = 2, .frames = SMALL, .times = 1000};
    double microseconds[ROUNDS];
    double rates = 0;
    char name[64];

    for (unsigned i = 0; i < ROUNDS; i++) {
        const double rate = push_rate(&small);

        rates += rate;
        microseconds[i] = 2 * SMALL / rate * 1e6;
    }
    snprintf(name, sizeof name, "64 stereo frames, w %llu, microseconds",
             (unsigned long long)width);
    bars_show(name, rates / ROUNDS, microseconds, ROUNDS, 0.3, 0.25, -1);
    gpuenv_stream_close(small.stream);
}

static void planar_pushes(gpuenv_context *context, unsigned channels, uint64_t frames)
{
    const struct pushes both = {.stream = open_stream(context, channels, 512, 1),
                                .channels = channels,
                                .frames = frames,
                                .times = 1};
    char name[64];

    snprintf(name, sizeof name, "%u x %llu apart, time over interleaved", channels,
             (unsigned long long)frames);
    bars_compare(name, planar_rate, &both, push_rate, &both, 3, 2, -1);
    gpuenv_stream_close(both.stream);
}

static void large_pushes(gpuenv_context *context, unsigned channels, uint64_t frames)
{
    struct pushes one = {.stream = open_stream(context, channels, 512, 1),
                         .channels = channels,
                         .frames = frames,
                         .times = 5};
    struct pushes many = one;
    char name[64];

    many.stream = open_stream(context, channels, 512, 0);
    snprintf(name, sizeof name, "%u x %llu, time over one thread", channels,
             (unsigned long long)frames);
    bars_compare(name, push_rate, &many, push_rate, &one, 1.05, 1, -1);
    gpuenv_stream_close(one.stream);
    gpuenv_stream_close(many.stream);
}

int main(void)
{
    static const unsigned shapes[][2] = {{64, 256},  {64, 1024}, {64, 2048},   {64, 4096},
                                         {64, 8192}, {2, 65536}, {2, 1 << 18}, {1, 1 << 20}};
    gpuenv_context *context;

    samples = malloc(VALUES_MOST * sizeof *samples);
    results = malloc(2 * VALUES_MOST * sizeof *results);
    if (samples == NULL || results == NULL || gpuenv_open(NULL, &context, NULL) != GPUENV_OK)
        return 1;
    bars_fill(samples, VALUES_MOST, "random");
    printf("%s, %u threads\n", gpuenv_context_isa(context), gpuenv_context_threads(context));
    small_pushes(context, 64);
    small_pushes(context, 512);
    small_pushes(context, 48000);
    planar_pushes(context, 64, 64);
    planar_pushes(context, 64, 1024);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        large_pushes(context, shapes[i][0], shapes[i][1]);
    gpuenv_close(context);
    free(samples);
    free(results);
    return bars_end();
}
