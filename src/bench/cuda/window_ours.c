/* SPDX-License-Identifier: MIT */
/* The cuda engine of gpuenv, and its kernels alone. */
#include <string.h>

#include "base/clock.h"
#include "base/min_max.h"
#include "bench/cuda/flavour_state.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"

static struct engine_setup setup_of(const struct bench_task *task)
{
    struct engine_setup setup = {
        .emits = {2, {EMIT_MIN, EMIT_MAX}},
        .nan = NAN_PROPAGATE,
        .value = task->kind,
        .results = {task->kind, task->kind},
        .sample = {.kind = task->kind == VALUE_F32 ? SAMPLE_F32 : SAMPLE_F64},
        .channels = 1,
    };

    window_init(&setup.window, task->width, 1, ALIGN_VALID, EDGE_SHRINK);
    return setup;
}

/* ---- End to end: the cuda engine as the program uses it, in chunks of its size. The one
 * difference is that chunks point straight into the task's buffers, which are registered as
 * page-locked. Copies in, kernels and copies out overlap, so they are one phase, timed by the
 * host's clock and reported as the kernel's.
 *
 * An engine serves one stream, which is one run: before the next one it is restarted. */

/* CHUNK_BYTES limits the larger of a chunk's two buffers to 8 MiB, as in the program. */
enum { CHUNK_BYTES = 8 << 20, CHUNK_LEAST = 256 << 10, CHUNK_SHARES = 4, CHUNKS_MOST = 8 };

struct window_stream {
    struct engine *engine;
    struct engine_setup setup;
    unsigned in_flight;
    struct chunk chunks[CHUNKS_MOST]; /* as set up by the engine; their own buffers are not used */
};

static void stream_close(void *opaque)
{
    struct flavour_state *state = opaque;
    struct window_stream *stream = state->own;

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
    const uint64_t most = min_u64(CHUNK_BYTES / (2 * value_bytes(task->kind)), task->count);

    return (size_t)min_u64(max_u64(task->count / CHUNK_SHARES, CHUNK_LEAST), most);
}

static int stream_open(const struct bench_flavour *flavour, const struct bench_task *task,
                       void **state, struct error *error)
{
    const struct flavour_needs needs = {.road = FLAVOUR_PAGE_LOCKED,
                                        .results = flavour_window_bytes(task),
                                        .own = sizeof(struct window_stream)};
    const struct machine machine = {.device = task->device};
    struct window_stream *stream;
    int result;

    if (flavour_open(flavour, task, &needs, state, error) != 0)
        return -1;
    stream = ((const struct flavour_state *)*state)->own;
    stream->setup = setup_of(task);
    stream->setup.chunk_frames = chunk_frames(task);
    result = engine_cuda.open(&machine, &stream->setup, 0, &stream->engine, error);
    if (result != 0)
        stream->engine = NULL;
    while (result == 0 && stream->in_flight < engine_cuda.in_flight &&
           stream->in_flight < CHUNKS_MOST) {
        result = engine_cuda.attach(stream->engine, &stream->chunks[stream->in_flight], error);
        stream->in_flight += result == 0;
    }
    if (result != 0)
        stream_close(*state);
    return result;
}

static int feed_chunks(const struct window_stream *stream, const struct bench_task *task,
                       struct error *error)
{
    const size_t most = stream->setup.chunk_frames;
    const unsigned in_flight = stream->in_flight > 0 ? stream->in_flight : 1;
    struct chunk chunks[CHUNKS_MOST]; /* the engine's chunks, with the task's buffers */
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
    struct window_stream *stream = state->own;
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
    fed = feed_chunks(stream, task, error);
    answer->seconds[BENCH_KERNEL] = clock_seconds() - from;
    return fed;
}

/* ---- Only the kernels: the samples are in the rings of cuda/cuda_window.h before the run, and
 * the windows stay on the device until the clock has stopped, so there are no copies. The time of
 * far plans includes the leaves. One flavour for the plan that the engine would choose, and one for
 * each plan. */

enum { SPARE_OUT = 16 }; /* bytes */

/* A plan by name, and what it cannot do. */
struct resident_method {
    enum cuda_plan_kind kind;
    const char *limits; /* for float32 */
};

/* The windows come first in the spare memory, followed by the memory of far plans. */
static size_t windows_room(const struct bench_task *task)
{
    return (size_t)cuda_align(flavour_window_bytes(task) + SPARE_OUT);
}

/* The flavour's plan, or the one for the width. */
static cudaError_t make_plan(const struct bench_flavour *flavour, const struct bench_task *task,
                             struct cuda_plan *plan)
{
    const struct resident_method *method = flavour->method;
    cudaError_t result = cudaSetDevice((int)task->device);

    if (method == NULL)
        return THEN(result, cuda_plan_make(plan, task->kind, task->width));
    (void)cuda_plan_force(plan, method->kind, task->kind, task->width); /* it can do the task */
    return THEN(result, cuda_plan_fit(plan));
}

static int resident_open(const struct bench_flavour *flavour, const struct bench_task *task,
                         void **state, struct error *error)
{
    struct flavour_needs needs = {.road = FLAVOUR_COPIED, .own = sizeof(struct cuda_plan)};
    struct flavour_state *opened;
    struct cuda_plan plan;
    cudaError_t result;

    if (engine_cuda_find(task->device, error) != 0)
        return -1;
    result = make_plan(flavour, task, &plan);
    if (result != cudaSuccess)
        return flavour_fail(task, result, "set-up", error);
    needs.in = (size_t)cuda_rings_bytes(&plan, 1, cuda_rings_capacity(&plan, task->count));
    needs.spare = windows_room(task);
    if (flavour_open(flavour, task, &needs, state, error) != 0)
        return -1;
    opened = *state;
    memcpy(opened->own, &plan, sizeof plan);
    result = cudaMemcpy(opened->in, task->samples, task->count * value_bytes(task->kind),
                        cudaMemcpyHostToDevice);
    if (result == cudaSuccess)
        return 0;
    flavour_close(opened);
    return flavour_fail(task, result, "set-up", error);
}

static struct cuda_task task_of(const struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    struct cuda_task all = {
        .count = task->count,
        .known_to = task->count,
        .kept_first = task->width - 1,
        .hop = 1,
        .whole_to = UINT64_MAX,
        .nan = NAN_PROPAGATE,
        .emits = {2, {EMIT_MIN, EMIT_MAX}},
    };

    all.out = (unsigned char *)state->spare + cuda_task_shift(&all, task->kind, 1);
    return all;
}

static cudaError_t resident_work(struct flavour_state *state)
{
    const struct cuda_plan *plan = state->own;
    const struct cuda_task task = task_of(state);
    struct cuda_rings rings;

    /* The samples stay where they are: only the leaves are made again. */
    cuda_rings_lay(&rings, plan, 1, cuda_rings_capacity(plan, task.count), 0, state->in);
    return cuda_window_run(plan, &rings, &task, NULL);
}

static int resident_run(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = opaque;
    const struct bench_task *task = state->task;
    cudaError_t result = cudaSetDevice((int)task->device);
    const char *what = "kernel";

    THEN(result, flavour_phase(state, BENCH_KERNEL, resident_work, answer));
    if (result == cudaSuccess) {
        what = "copy out";
        result = cudaMemcpy(task->windows, task_of(state).out, flavour_window_bytes(task),
                            cudaMemcpyDeviceToHost);
    }
    return result == cudaSuccess ? 0 : flavour_fail(task, result, what, error);
}

static const char *resident_cannot(const struct bench_flavour *flavour,
                                   const struct bench_task *task)
{
    const struct resident_method *method = flavour->method;
    const char *why = NULL;
    struct cuda_plan plan;

    if (method == NULL)
        return flavour_cannot_choose(flavour, task);
    if (!cuda_plan_force(&plan, method->kind, task->kind, task->width))
        return task->kind == VALUE_F32 ? method->limits : "not windows of this width in float64";
    /* If the query fails, open() reports the reason. */
    if (cudaSetDevice((int)task->device) == cudaSuccess && cuda_plan_fit(&plan) != cudaSuccess)
        why = "a block of this device has not enough shared memory";
    else
        why = flavour_cannot_choose(flavour, task);
    (void)cudaGetLastError();
    return why;
}

#define PLAN(which, only)                                                                          \
    &(const struct resident_method)                                                                \
    {                                                                                              \
        CUDA_PLAN_##which, only                                                                    \
    }
#define OURS(label, description, in_pairs, prefix)                                                 \
    .name = (label), .words = (description), .problem = BENCH_WINDOW, .on_gpu = true,              \
    .takes_f64 = true, .interleaved = (in_pairs), .exact = true, .open = prefix##_open,            \
    .run = prefix##_run
#define RESIDENT(label, description, how)                                                          \
    {                                                                                              \
        OURS(label, description, true, resident), .method = (how), .cannot = resident_cannot,      \
                                                  .close = flavour_close                           \
    }

const struct bench_flavour flavours_window_ours[] = {
    {OURS("cuda", "our engine, end to end; its copies run beside its kernels, and count as these",
          true, stream),
     .cannot = flavour_cannot_choose, .close = stream_close},
    RESIDENT("cuda-resident", "our kernels only, with the plan for this width", NULL),
    RESIDENT("cuda-near", "our kernels only, windows in registers",
             PLAN(NEAR, "windows of up to 17 samples only")),
    RESIDENT("cuda-herk-4096", "our kernels only, blocks of 4096 samples",
             PLAN(VANHERK_4096, "windows of 18 to 4065 samples only")),
    RESIDENT("cuda-wide-1024", "our kernels only, windows of up to two tiles of 1024",
             PLAN(WIDE_1024, "windows of 1025 to 2048 samples only")),
    RESIDENT("cuda-wide-1536", "our kernels only, windows of up to two tiles of 1536",
             PLAN(WIDE_1536, "windows of 1537 to 3072 samples only")),
    RESIDENT("cuda-wide-2048", "our kernels only, windows of up to two tiles of 2048",
             PLAN(WIDE_2048, "windows of 2049 to 4096 samples only")),
    RESIDENT("cuda-far-2048", "our kernels only, tiles of 1024 float64",
             PLAN(FAR_2048, "float64 only")),
    RESIDENT("cuda-far-4096", "our kernels only, tiles of 4096",
             PLAN(FAR_4096, "windows of more than 4096 samples only")),
    {.name = NULL},
};
