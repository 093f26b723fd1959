/* SPDX-License-Identifier: MIT */
/* Pushes of streams: of 64 stereo frames on one thread, against plain deques; of channels that have
 * buffers of their own, against interleaved ones; and of large chunks by default, against one
 * thread, in the same run. Usage: perf_pushes. Exits with 1 if a bar is missed by more than the
 * noise. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bars.h"
#include "base/clock.h"
#include "lib/gpuenv.h"

enum { SMALL = 64, STEREO = 2, VALUES_MOST = 1 << 20, CHANNELS_MOST = 64 };

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

/* What others on the same CPU take is none of it. */
static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Pushes, and samples a second. */
struct pushes {
    double (*seconds)(void);
    gpuenv_stream *stream;
    unsigned channels;
    uint64_t frames;
    unsigned times;
};

static double push_rate(const void *timed)
{
    const struct pushes *pushes = timed;
    const double from = pushes->seconds();
    uint64_t got;

    for (unsigned i = 0; i < pushes->times; i++)
        (void)gpuenv_stream_push(pushes->stream, samples, pushes->frames, results, pushes->frames,
                                 &got, NULL);
    return (double)(pushes->frames * pushes->channels * pushes->times) / (pushes->seconds() - from);
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

/* What a program has by itself: of the samples in the window those that no later one is below. */
struct deque {
    float *values; /* those from `first` to `end`, in a ring */
    uint64_t *frames;
    uint64_t first;
    uint64_t end;
};

struct deques {
    struct deque low[STEREO];
    struct deque high[STEREO]; /* of the negated samples */
    uint64_t width;
    uint64_t ring; /* a power of two, and more than the width */
    uint64_t frame;
    uint64_t times;
};

static float deque_push(struct deque *deque, const struct deques *all, float value)
{
    const uint64_t mask = all->ring - 1;

    while (deque->end > deque->first && deque->values[(deque->end - 1) & mask] >= value)
        deque->end--;
    deque->values[deque->end & mask] = value;
    deque->frames[deque->end++ & mask] = all->frame;
    if (deque->frames[deque->first & mask] + all->width <= all->frame)
        deque->first++;
    return deque->values[deque->first & mask];
}

static double deque_rate(const void *timed)
{
    struct deques *deques = (struct deques *)(uintptr_t)timed;
    const double from = thread_seconds();

    for (uint64_t i = 0; i < deques->times; i++) {
        for (unsigned at = 0; at < SMALL * STEREO; at += STEREO, deques->frame++) {
            for (unsigned c = 0; c < STEREO; c++) {
                results[2 * (at + c)] = deque_push(&deques->low[c], deques, samples[at + c]);
                results[2 * (at + c) + 1] = -deque_push(&deques->high[c], deques, -samples[at + c]);
            }
        }
    }
    return (double)(SMALL * STEREO * deques->times) / (thread_seconds() - from);
}

static void deque_open(struct deque *deque, uint64_t ring)
{
    *deque = (struct deque){.values = malloc(ring * sizeof *deque->values),
                            .frames = malloc(ring * sizeof *deque->frames)};
    if (deque->values == NULL || deque->frames == NULL)
        exit(1);
}

static void deque_close(struct deque *deque)
{
    free(deque->values);
    free(deque->frames);
}

static void small_pushes(gpuenv_context *context, uint64_t width)
{
    const struct pushes small = {.seconds = thread_seconds,
                                 .stream = open_stream(context, STEREO, width, 1),
                                 .channels = STEREO,
                                 .frames = SMALL,
                                 .times = 1000};
    struct deques plain = {.width = width, .ring = 1 << 16, .times = small.times};
    char name[64];

    for (unsigned c = 0; c < STEREO; c++) {
        deque_open(&plain.low[c], plain.ring);
        deque_open(&plain.high[c], plain.ring);
    }
    snprintf(name, sizeof name, "64 stereo frames, w %llu, over deques", (unsigned long long)width);
    bars_compare(name, push_rate, &small, deque_rate, &plain, 0.4, 0.25, -1);
    for (unsigned c = 0; c < STEREO; c++) {
        deque_close(&plain.low[c]);
        deque_close(&plain.high[c]);
    }
    gpuenv_stream_close(small.stream);
}

static void planar_pushes(gpuenv_context *context, unsigned channels, uint64_t frames)
{
    const struct pushes both = {.seconds = clock_seconds,
                                .stream = open_stream(context, channels, 512, 1),
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
    struct pushes one = {.seconds = clock_seconds,
                         .stream = open_stream(context, channels, 512, 1),
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
