/* The cpu engine of gpuenv, behind the interface that the program uses: a stream in chunks of the
 * program's size. The samples are worked on where they lie, and the windows are written to where
 * the task wants them, so there are no copies. `cpu` uses every processor; the flavours that are
 * named after an instruction set are limited to that, and to one thread. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "bench/cpu_flavours.h"
#include "cpu/kernels.h"
#include "engine/engine.h"

/* The frames whose output fills 2 MiB, as in the program. */
enum { CHUNK = (2 << 20) / 8 };

struct stream {
    const struct bench_task *task;
    struct engine_setup setup;
};

static int open_stream(const struct bench_task *task, const char *isa, unsigned threads,
                       void **state, struct error *error)
{
    struct stream *stream = calloc(1, sizeof *stream);
    struct engine_setup *setup = NULL;

    if (stream == NULL)
        return error_system(error, "the cpu engine", ENOMEM);
    stream->task = task;
    setup = &stream->setup;
    window_init(&setup->window, task->width, 1, ALIGN_VALID, EDGE_SHRINK);
    setup->emits = (struct emit_list){.count = 2, .item = {EMIT_MIN, EMIT_MAX}};
    setup->nan = NAN_PROPAGATE;
    setup->sample = (struct sample_type){.kind = SAMPLE_F32};
    setup->channels = 1;
    setup->chunk_frames = CHUNK;
    setup->threads = task->threads > 0 ? task->threads : threads;
    setup->isa = isa;
    *state = stream;
    return 0;
}

/* An engine is for one stream, so each run has its own, as each run of the program has. */
static int run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
               struct error *error)
{
    const struct stream *stream = state;
    const struct bench_task *task = stream->task;
    float *out = task->windows;
    double begin = clock_seconds();
    struct engine *engine = NULL;
    int status = 0;

    (void)answer;
    if (engine_cpu.open(&stream->setup, &engine, error) != 0)
        return -1;
    for (size_t at = 0; at < task->count && status == 0;) {
        size_t count = task->count - at < CHUNK ? task->count - at : CHUNK;
        /* The engine only reads what comes in. */
        struct chunk chunk = {
            .in = (unsigned char *)(uintptr_t)(task->samples + at),
            .in_frames = count,
            .out = out,
        };

        status = engine_cpu.submit(engine, &chunk, error);
        if (status == 0)
            status = engine_cpu.collect(engine, &chunk, error);
        out += 2 * chunk.out_frames;
        at += count;
    }
    engine_cpu.close(engine);
    seconds[BENCH_KERNEL] = clock_seconds() - begin;
    return status;
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
        .name = label,                                                                             \
        .words = description,                                                                      \
        .problem = BENCH_WINDOW,                                                                   \
        .interleaved = true,                                                                       \
        .cannot = cannot_##suffix,                                                                 \
        .open = open_##suffix,                                                                     \
        .run = run,                                                                                \
        .close = free,                                                                             \
        .exact = true,                                                                             \
    };

FLAVOUR(cpu, NULL, cpus_available(), "cpu",
        "gpuenv's cpu engine: best instruction set, all threads")
FLAVOUR(cpu_scalar, "scalar", 1, "cpu-scalar", "the same, in plain C, one thread")
FLAVOUR(cpu_sse4, "sse4", 1, "cpu-sse4", "the same, with SSE4.1, one thread")
FLAVOUR(cpu_avx2, "avx2", 1, "cpu-avx2", "the same, with AVX2, one thread")
FLAVOUR(cpu_avx512, "avx512", 1, "cpu-avx512", "the same, with AVX-512, one thread")
FLAVOUR(cpu_neon, "neon", 1, "cpu-neon", "the same, with NEON, one thread")
