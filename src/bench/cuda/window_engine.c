/* Ours, end to end: the cuda engine as the program uses it, in chunks of the same size. The one
 * difference is that chunks point straight into the task's buffers, which are registered as
 * page-locked. Copies in, kernels and copies out overlap, so they are one phase, timed by the
 * host's clock and reported as the kernel's.
 *
 * An engine serves one stream, which is one run: before the next one it is restarted. */
#include <string.h>

#include "base/clock.h"
#include "bench/cuda/flavour_state.h"
#include "cuda/engine_cuda.h"

/* The most that makes the larger of a chunk's two buffers 8 MiB, as in the program. */
enum { CHUNK_BYTES = 8 << 20, CHUNK_LEAST = 256 << 10, CHUNK_SHARES = 4, CHUNKS_MOST = 8 };

struct stream {
    struct engine *engine;
    struct engine_setup setup;
    unsigned in_flight;
    struct chunk chunks[CHUNKS_MOST]; /* as set up by the engine; their own buffers are not used */
};

static int open_engine(struct stream *stream, unsigned device, struct error *error)
{
    const struct machine machine = {.device = device};
    unsigned most;

    if (engine_cuda.open(&machine, &stream->setup, 0, &stream->engine, error) != 0) {
        stream->engine = NULL;
        return -1;
    }
    most = engine_cuda.chunks_in_flight(stream->engine);
    for (; stream->in_flight < most && stream->in_flight < CHUNKS_MOST; stream->in_flight++) {
        if (engine_cuda.attach(stream->engine, &stream->chunks[stream->in_flight], error) != 0)
            return -1;
    }
    return 0;
}

static void stream_close(void *opaque)
{
    struct flavour_state *state = opaque;
    struct stream *stream = state->own;

    if (stream->engine != NULL) {
        for (unsigned i = 0; i < stream->in_flight; i++)
            engine_cuda.detach(stream->engine, &stream->chunks[i]);
        engine_cuda.close(stream->engine);
    }
    flavour_close(state);
}

/* A short task is cut into a few chunks, so that copies and kernels overlap. */
static size_t chunk_frames(const struct bench_task *task)
{
    size_t most = CHUNK_BYTES / (2 * value_bytes(task->kind));
    size_t share = task->count / CHUNK_SHARES;

    if (share < CHUNK_LEAST)
        share = CHUNK_LEAST;
    if (share > most)
        share = most;
    return share < task->count ? share : task->count;
}

static int stream_open(const struct bench_flavour *flavour, const struct bench_task *task,
                       void **state, struct error *error)
{
    const struct flavour_needs needs = {.road = FLAVOUR_PAGE_LOCKED,
                                        .windows = true,
                                        .results = flavour_window_bytes(task),
                                        .own = sizeof(struct stream)};
    struct flavour_state *opened;
    struct stream *stream;

    if (flavour_open(flavour, task, &needs, state, error) != 0)
        return -1;
    opened = *state;
    stream = opened->own;
    stream->setup = (struct engine_setup){
        .emits = {2, {EMIT_MIN, EMIT_MAX}},
        .nan = NAN_PROPAGATE,
        .value = task->kind,
        .results = {task->kind, task->kind},
        .sample = {.kind = task->kind == VALUE_F32 ? SAMPLE_F32 : SAMPLE_F64},
        .channels = 1,
        .chunk_frames = chunk_frames(task),
    };
    window_init(&stream->setup.window, task->width, 1, ALIGN_VALID, EDGE_SHRINK);
    if (open_engine(stream, task->device, error) == 0)
        return 0;
    stream_close(opened);
    return -1;
}

static int feed(const struct stream *stream, const struct bench_task *task, struct error *error)
{
    const size_t most = stream->setup.chunk_frames;
    const unsigned in_flight = stream->in_flight > 0 ? stream->in_flight : 1;
    struct chunk chunks[CHUNKS_MOST]; /* the same, with the task's buffers */
    size_t submitted = 0;
    size_t collected = 0;
    size_t written = 0;

    memcpy(chunks, stream->chunks, sizeof chunks);
    for (size_t at = 0; at < task->count || collected < submitted;) {
        if (at < task->count && submitted - collected < in_flight) {
            struct chunk *chunk = &chunks[submitted++ % in_flight];

            chunk->in = bench_place(task->kind, task->samples, at);
            chunk->in_frames = task->count - at < most ? task->count - at : most;
            chunk->out = bench_place(task->kind, task->windows, 2 * written);
            chunk_place(chunk, &stream->setup, at);
            if (engine_cuda.submit(stream->engine, chunk, error) != 0)
                return -1;
            at += chunk->in_frames;
            written += chunk->out_frames;
        } else {
            struct chunk *chunk = &chunks[collected++ % in_flight];

            if (engine_cuda.collect(stream->engine, chunk, error) != 0)
                return -1;
        }
    }
    return 0;
}

static int stream_run(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = opaque;
    struct stream *stream = state->own;
    const struct bench_task *task = state->task;
    cudaError_t result = cudaSetDevice((int)task->device);
    double from;
    int fed;

    engine_cuda.restart(stream->engine, 0);
    THEN(result, flavour_flush(state));
    THEN(result, cudaDeviceSynchronize());
    if (result != cudaSuccess)
        return flavour_fail(task, result, "device", error);
    from = clock_seconds();
    fed = feed(stream, task, error);
    answer->seconds[BENCH_KERNEL] = clock_seconds() - from;
    return fed;
}

const struct bench_flavour flavours_window_engine[] = {
    {
        .name = "cuda",
        .words = "our engine, end to end; its copies run beside its kernels, and count as these",
        .problem = BENCH_WINDOW,
        .on_gpu = true,
        .takes_f64 = true,
        .interleaved = true,
        .exact = true,
        .cannot = flavour_cannot_choose,
        .open = stream_open,
        .run = stream_run,
        .close = stream_close,
    },
    {.name = NULL},
};
