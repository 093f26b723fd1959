/* The cpu engine of gpuenv, behind the interface that the program uses: a stream in chunks of the
 * program's size. It reads the samples and writes the windows in place, without copies. `cpu` is
 * what the program uses by default: the best instruction set, and several threads where one is not
 * enough. The flavours that are named after an instruction set use that one, in one thread. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pages.h"
#include "bench/cpu_flavours.h"
#include "cpu/kernels.h"
#include "engine/engine.h"

/* All samples are in memory, so nothing asks for small chunks but the memory that windows before
 * the first whole one are written to. */
enum { CHUNK = 16 << 20 };

struct stream {
    const struct bench_task *task;
    struct machine machine;
    struct engine_setup setup;
    struct engine *engine;
    uint64_t fed;  /* samples, in all runs */
    float *nobody; /* room for the windows that nobody wants, see run() */
};

static size_t nobody_bytes(const struct stream *stream)
{
    size_t early = (size_t)stream->task->width - 1;

    return 2 * (early < CHUNK ? early : CHUNK) * sizeof(float);
}

static void close_stream(void *state)
{
    struct stream *stream = state;

    if (stream->engine != NULL)
        engine_cpu.close(stream->engine);
    machine_close(&stream->machine);
    pages_free(stream->nobody, nobody_bytes(stream));
    free(stream);
}

static int open_stream(const struct bench_task *task, const char *isa, unsigned threads,
                       void **state, struct error *error)
{
    struct stream *stream = calloc(1, sizeof *stream);
    struct engine_setup *setup = NULL;

    if (stream == NULL)
        return error_system(error, ERROR_RESOURCE, "the cpu engine", ENOMEM);
    stream->task = task;
    setup = &stream->setup;
    window_init(&setup->window, task->width, 1, ALIGN_VALID, EDGE_SHRINK);
    setup->emits = (struct emit_list){.count = 2, .item = {EMIT_MIN, EMIT_MAX}};
    setup->nan = NAN_PROPAGATE;
    setup->sample = (struct sample_type){.kind = SAMPLE_F32};
    setup->channels = 1;
    setup->chunk_frames = CHUNK;
    stream->nobody = pages_alloc(nobody_bytes(stream));
    if (stream->nobody == NULL ||
        machine_open(&stream->machine, task->threads > 0 ? task->threads : threads, isa, 0) != 0) {
        error_system(error, ERROR_RESOURCE, "the cpu engine", errno);
        goto error;
    }
    if (engine_cpu.open(&stream->machine, setup, 0, &stream->engine, error) != 0)
        goto error;
    *state = stream;
    return 0;

error:
    close_stream(stream);
    return -1;
}

/* The next `count` samples of the stream. Their windows go to *out, which moves behind them; to
 * nobody when it is NULL. */
static int feed(struct stream *stream, const float *samples, size_t count, float **out,
                struct error *error)
{
    for (size_t at = 0; at < count;) {
        /* The engine only reads what comes in. */
        struct chunk chunk = {
            .in = (unsigned char *)(uintptr_t)(samples + at),
            .in_frames = count - at < CHUNK ? count - at : CHUNK,
            .out = out != NULL ? *out : stream->nobody,
        };

        chunk_place(&chunk, &stream->setup, stream->fed);
        stream->fed += chunk.in_frames;
        if (engine_cpu.submit(stream->engine, &chunk, error) != 0 ||
            engine_cpu.collect(stream->engine, &chunk, error) != 0)
            return -1;
        if (out != NULL)
            *out += 2 * chunk.out_frames;
        at += chunk.in_frames;
    }
    return 0;
}

/* An engine is opened for one stream. So that its memory and its threads are there for all runs,
 * the samples are one stream, again and again. The first width-1 windows of a run are then not
 * whole, or reach back into the run before; the others are this run's alone. */
static int run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
               struct error *error)
{
    struct stream *stream = state;
    const struct bench_task *task = stream->task;
    size_t early = (size_t)task->width - 1;
    float *out = task->windows;
    double begin = clock_seconds();

    (void)answer;
    if (feed(stream, task->samples, early, NULL, error) != 0 ||
        feed(stream, task->samples + early, task->count - early, &out, error) != 0)
        return -1;
    seconds[BENCH_KERNEL] = clock_seconds() - begin;
    return 0;
}

#define FLAVOUR(suffix, isa, threads_of_it, label, description)                                    \
    static const char *cannot_##suffix(const struct bench_task *task)                              \
    {                                                                                              \
        (void)task;                                                                                \
        return cpu_flavours_cannot(isa);                                                           \
    }                                                                                              \
    static int open_##suffix(const struct bench_task *task, void **state, struct error *error)     \
    {                                                                                              \
        return open_stream(task, isa, threads_of_it, state, error);                                \
    }                                                                                              \
    const struct bench_flavour bench_window_##suffix = {                                           \
        .name = (label),                                                                           \
        .words = (description),                                                                    \
        .problem = BENCH_WINDOW,                                                                   \
        .interleaved = true,                                                                       \
        .cannot = cannot_##suffix,                                                                 \
        .open = open_##suffix,                                                                     \
        .run = run,                                                                                \
        .close = close_stream,                                                                     \
        .exact = true,                                                                             \
    };

FLAVOUR(cpu, NULL, 0, "cpu", "gpuenv's cpu engine as gpuenv runs it: threads as they pay")
FLAVOUR(cpu_scalar, "scalar", 1, "cpu-scalar", "gpuenv's cpu engine, plain C, one thread")
FLAVOUR(cpu_sse4, "sse4", 1, "cpu-sse4", "gpuenv's cpu engine, SSE4.1, one thread")
FLAVOUR(cpu_avx2, "avx2", 1, "cpu-avx2", "gpuenv's cpu engine, AVX2, one thread")
FLAVOUR(cpu_avx512, "avx512", 1, "cpu-avx512", "gpuenv's cpu engine, AVX-512, one thread")
FLAVOUR(cpu_neon, "neon", 1, "cpu-neon", "gpuenv's cpu engine, NEON, one thread")
