/* Pushes of streams: of 64 stereo frames on one thread; of channels that have buffers of their own,
 * against interleaved ones; and of large chunks by default, against one thread, in the same run.
 * Usage: perf_pushes. Exits with 1 if a bar is missed by more than the noise. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bars.h"
#include "base/clock.h"
#include "lib/gpuenv.h"

enum { ROUNDS = 101, SMALL = 64, SMALL_PUSHES = 1000, VALUES_MOST = 1 << 20, CHANNELS_MOST = 64 };

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

/* Seconds of a push, on average. */
static double push(gpuenv_stream *stream, uint64_t frames, unsigned times)
{
    const double from = clock_seconds();
    uint64_t got;

    for (unsigned i = 0; i < times; i++)
        (void)gpuenv_stream_push(stream, samples, frames, results, frames, &got, NULL);
    return (clock_seconds() - from) / times;
}

static void small_pushes(gpuenv_context *context, uint64_t width)
{
    gpuenv_stream *stream = open_stream(context, 2, width, 1);
    double times[ROUNDS];
    double microseconds[ROUNDS];
    char name[64];

    for (unsigned i = 0; i < ROUNDS; i++) {
        times[i] = push(stream, SMALL, SMALL_PUSHES);
        microseconds[i] = times[i] * 1e6;
    }
    snprintf(name, sizeof name, "64 stereo frames, w %llu, microseconds",
             (unsigned long long)width);
    bars_show(name, 2 * SMALL / bars_median(times, ROUNDS), microseconds, ROUNDS, 0.3, 0.25, -1);
    gpuenv_stream_close(stream);
}

/* Seconds of a push of channels apart. */
static double push_planar(gpuenv_stream *stream, unsigned channels, uint64_t frames)
{
    const double from = clock_seconds();
    const void *in[CHANNELS_MOST];
    void *out[CHANNELS_MOST];
    uint64_t got;

    for (unsigned i = 0; i < channels; i++) {
        in[i] = samples + i * frames;
        out[i] = results + 2 * i * frames;
    }
    (void)gpuenv_stream_push_planar(stream, in, frames, out, frames, &got, NULL);
    return clock_seconds() - from;
}

static void planar_pushes(gpuenv_context *context, unsigned channels, uint64_t frames)
{
    gpuenv_stream *stream = open_stream(context, channels, 512, 1);
    double times[ROUNDS];
    double ratios[ROUNDS];
    char name[64];

    for (unsigned i = 0; i < ROUNDS; i++) {
        const double base = push(stream, frames, 1);

        times[i] = push_planar(stream, channels, frames);
        ratios[i] = times[i] / base;
    }
    snprintf(name, sizeof name, "%u x %llu apart, time over interleaved", channels,
             (unsigned long long)frames);
    bars_show(name, (double)(frames * channels) / bars_median(times, ROUNDS), ratios, ROUNDS, 3, 2,
              -1);
    gpuenv_stream_close(stream);
}

static void large_pushes(gpuenv_context *context, unsigned channels, uint64_t frames)
{
    gpuenv_stream *one = open_stream(context, channels, 512, 1);
    gpuenv_stream *many = open_stream(context, channels, 512, 0);
    double times[ROUNDS];
    double ratios[ROUNDS];
    char name[64];

    (void)push(many, frames, 2);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const double base = push(one, frames, 1);

        times[i] = push(many, frames, 1);
        ratios[i] = times[i] / base;
    }
    snprintf(name, sizeof name, "%u x %llu, time over one thread", channels,
             (unsigned long long)frames);
    bars_show(name, (double)(frames * channels) / bars_median(times, ROUNDS), ratios, ROUNDS, 1.05,
              1, -1);
    gpuenv_stream_close(one);
    gpuenv_stream_close(many);
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
