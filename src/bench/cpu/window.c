/* The running minimum and maximum on the CPU: Lemire's sequential filter, the usual baseline of
 * published comparisons; the algorithm of van Herk, Gil and Werman; and the cpu engine of
 * gpuenv. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "bench/flavour.h"
#include "bench/reference.h"
#include "cpu/kernels.h"
#include "engine/engine.h"

/* ---- Lemire (2006), window/lemire, over whole arrays. Careful C, with integer keys for the order
 * of samples; `gpuenv --algorithm lemire` runs the same code. A filter serves one stream, so
 * allocating it is part of each run. ---- */

static int lemire_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;

    (void)answer;
    return reference_windows(task, task->windows,
                             bench_place(task->kind, task->windows, bench_windows(task)), error);
}

/* ---- van Herk (1992), Gil and Werman (1993), one sample at a time. The samples are divided into
 * blocks of one window's width; every window is then a suffix of one block and a prefix of the
 * next. ---- */

struct vanherk {
    const struct bench_task *task;
    void *low;  /* from each sample of a block to the block's end */
    void *high; /* in the same memory */
};

#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))
#define vanherk_value float
#define VANHERK(name) name##_f32
#include "bench/cpu/vanherk_tmpl.h"
#define vanherk_value double
#define VANHERK(name) name##_f64
#include "bench/cpu/vanherk_tmpl.h"

static size_t vanherk_bytes(const struct bench_task *task)
{
    return 2 * (size_t)task->width * value_bytes(task->kind);
}

static void vanherk_close(void *state)
{
    struct vanherk *filter = state;

    pages_free(filter->low, vanherk_bytes(filter->task));
    free(filter);
}

static int vanherk_open(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    struct vanherk *filter = calloc(1, sizeof *filter);

    if (filter != NULL)
        filter->low = pages_alloc(vanherk_bytes(task));
    if (filter == NULL || filter->low == NULL) {
        free(filter);
        return error_system(error, ERROR_RESOURCE, flavour->name, ENOMEM);
    }
    filter->task = task;
    filter->high = bench_place(task->kind, filter->low, (size_t)task->width);
    *state = filter;
    return 0;
}

static int vanherk_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct vanherk *filter = state;

    (void)answer;
    (void)error;
    (filter->task->kind == VALUE_F32 ? run_f32 : run_f64)(filter);
    return 0;
}

/* ---- The cpu engine through the interface that the program uses: a stream in chunks of the
 * program's size. It reads the samples and writes the windows in place, without copies. `cpu` is
 * the program's default: the best instruction set, and several threads if one is not enough.
 * Flavours named after an instruction set use that one, in one thread. ---- */

enum { CHUNK = 16 << 20 };

struct stream {
    const struct bench_task *task;
    struct machine machine;
    struct engine_setup setup;
    struct engine *engine;
};

static void engine_close(void *state)
{
    struct stream *stream = state;

    if (stream->engine != NULL)
        engine_cpu.close(stream->engine);
    machine_close(&stream->machine);
    free(stream);
}

static int engine_open(const struct bench_flavour *flavour, const struct bench_task *task,
                       void **state, struct error *error)
{
    const char *isa = flavour->method;
    unsigned threads = isa != NULL ? 1 : 0; /* 0: as many as pay off */
    struct stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL)
        return error_system(error, ERROR_RESOURCE, "the cpu engine", ENOMEM);
    stream->task = task;
    stream->setup = (struct engine_setup){
        .emits = {2, {EMIT_MIN, EMIT_MAX}},
        .nan = NAN_PROPAGATE,
        .value = task->kind,
        .results = {task->kind, task->kind},
        .sample = {.kind = task->kind == VALUE_F32 ? SAMPLE_F32 : SAMPLE_F64},
        .channels = 1,
        .chunk_frames = CHUNK,
    };
    window_init(&stream->setup.window, task->width, 1, ALIGN_VALID, EDGE_SHRINK);
    if (machine_open(&stream->machine, task->threads > 0 ? task->threads : threads, isa, 0) != 0)
        error_system(error, ERROR_RESOURCE, "the cpu engine", errno);
    else if (engine_cpu.open(&stream->machine, &stream->setup, 0, &stream->engine, error) == 0) {
        *state = stream;
        return 0;
    }
    engine_close(stream);
    return -1;
}

/* An engine is opened for one stream, and restarted for each run, with its memory and threads. The
 * samples before the end of the first window give no windows, so each chunk after them gives as
 * many windows as it has samples. */
static int engine_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct stream *stream = state;
    const struct bench_task *task = stream->task;
    size_t early = (size_t)task->width - 1;
    size_t written = 0;

    (void)answer;
    engine_cpu.restart(stream->engine, 0);
    for (size_t at = 0; at < task->count;) {
        size_t left = (at < early ? early : task->count) - at;
        struct chunk chunk = {
            .in = bench_place(task->kind, task->samples, at), /* only read */
            .in_frames = left < CHUNK ? left : CHUNK,
            .out = bench_place(task->kind, task->windows, 2 * written),
        };

        chunk_place(&chunk, &stream->setup, at);
        if (engine_cpu.submit(stream->engine, &chunk, error) != 0 ||
            engine_cpu.collect(stream->engine, &chunk, error) != 0)
            return -1;
        written += chunk.out_frames;
        at += chunk.in_frames;
    }
    return 0;
}

static const char *engine_cannot(const struct bench_flavour *flavour, const struct bench_task *task)
{
    const char *isa = flavour->method;
    const struct cpu_kernels *kernels = cpu_kernels_pick(isa, task->kind);

    if (isa == NULL || (kernels != NULL && strcmp(kernels->name, isa) == 0))
        return NULL;
    return "this processor does not have it";
}

#define WINDOW(label, description, ...)                                                            \
    {                                                                                              \
        .name = (label), .words = (description), .problem = BENCH_WINDOW, .takes_f64 = true,       \
        __VA_ARGS__                                                                                \
    }
/* `isa` NULL: the best. */
#define ENGINE(label, description, isa)                                                            \
    WINDOW(label, description, .interleaved = true, .exact = true, .method = (isa),                \
           .cannot = engine_cannot, .open = engine_open, .run = engine_run, .close = engine_close)

const struct bench_flavour bench_cpu_window[] = {
    WINDOW("lemire", "Lemire's sequential filter (2006), the reference", .exact = true,
           .run = lemire_run),
    WINDOW("vanherk", "van Herk, Gil and Werman: two passes over blocks of a width, scalar",
           .open = vanherk_open, .run = vanherk_run, .close = vanherk_close),
    ENGINE("cpu-scalar", "gpuenv's cpu engine, plain C, one thread", "scalar"),
#if defined(__x86_64__)
    ENGINE("cpu-sse4", "gpuenv's cpu engine, SSE4.1, one thread", "sse4"),
    ENGINE("cpu-avx2", "gpuenv's cpu engine, AVX2, one thread", "avx2"),
    ENGINE("cpu-avx512", "gpuenv's cpu engine, AVX-512, one thread", "avx512"),
#elif defined(__aarch64__)
    ENGINE("cpu-neon", "gpuenv's cpu engine, NEON, one thread", "neon"),
#endif
    ENGINE("cpu", "gpuenv's cpu engine as gpuenv runs it: threads as they pay", NULL),
    {.name = NULL},
};

const struct bench_flavour *const bench_cpu_families[] = {bench_cpu_window, bench_cpu_reduce, NULL};
