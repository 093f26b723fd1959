/* The cuda engine: slots in flight, each with its buffers on the device.
 *
 * Three streams: frames go to the device on one, kernels run on the second, output comes back on
 * the third. A slot's three events say when each is through with it, so the copies of one chunk run
 * beside the kernels of another. The reader fills, and the writer empties, pinned memory, which the
 * device reads and writes by itself; where there is none left, plain memory does, slower.
 *
 * The stream's last frames stay on the device, in rings (window.h), so a chunk brings its own
 * frames only, however long the window is. Mono float32 goes straight into its ring; everything
 * else goes to the slot and is decoded from there. What keeps a copy from overwriting frames that
 * kernels still read is the rings' capacity: it has room for all chunks in flight behind the
 * window of the oldest.
 *
 * Statistics are worked out from the rings, between decoding and windows, and come back with the
 * output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda/buffers.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"
#include "cuda/nvtx.h"
#include "cuda/stats_parts.h"

enum {
    SLOTS = 3,             /* one coming in, one being worked on, one going out */
    STREAMS = 3,           /* for these; and a slot has as many events */
    OUT_SPARE = 4,         /* floats: see cuda_task_shift() */
    CHUNK_BYTES = 8 << 20, /* so that copies over a bus are worth their start */
};

struct slot {
    void *raw; /* NULL where frames go straight to the ring */
    float *out;
    void *middles;
    void *stats_memory;
    struct cuda_stats_memory stats;
    cudaEvent_t copied_in;
    cudaEvent_t computed;
    cudaEvent_t copied_out;
};

struct engine {
    struct engine_setup setup;
    unsigned device;
    struct cuda_plan plan;
    struct cuda_parts_plan parts_plan;
    struct cuda_rings rings;
    void *rings_memory;
    bool direct;   /* frames are what a ring holds */
    bool idle;     /* there is nothing to do: no windows, no statistics */
    bool pageable; /* there was no pinned memory for some buffers */
    char name[64];

    cudaStream_t in;
    cudaStream_t compute;
    cudaStream_t out;
    struct slot slots[SLOTS];
    uint64_t submitted; /* chunks, ever; chunk n has slot n % SLOTS */
    uint64_t collected;

    uint64_t known_from; /* the first frame that the engine was told of */
    uint64_t frames;     /* of the stream, so far */
};

static int fail(const struct engine *engine, cudaError_t result, const char *what,
                struct error *error)
{
    return error_set(error, STATUS_FAILED, "cuda device %u: %s: %s", engine->device, what,
                     cudaGetErrorString(result));
}

/* ---- sizes */

static size_t raw_bytes(const struct engine *engine)
{
    return engine->direct ? 0 : engine->setup.chunk_frames * engine_in_bytes(&engine->setup);
}

static size_t out_bytes(const struct engine *engine)
{
    const struct engine_setup *setup = &engine->setup;

    return engine_out_most(setup) * engine_out_bytes(setup) + OUT_SPARE * sizeof(float);
}

static size_t middles_bytes(const struct engine *engine)
{
    return (size_t)cuda_middles_bytes(&engine->plan, engine->setup.channels,
                                      engine->setup.chunk_frames);
}

/* Device memory in all. UINT64_MAX: more than can be counted. */
static uint64_t device_bytes(const struct engine *engine, uint64_t capacity)
{
    uint64_t rings = UINT64_MAX;
    uint64_t slots = SLOTS * ((uint64_t)raw_bytes(engine) + out_bytes(engine) +
                              middles_bytes(engine) + cuda_parts_device_bytes(&engine->parts_plan));

    if (capacity != UINT64_MAX)
        rings = cuda_rings_bytes(&engine->plan, engine->setup.channels, capacity);
    return rings > UINT64_MAX - slots ? UINT64_MAX : rings + slots;
}

static int check_memory(const struct engine *engine, uint64_t capacity, struct error *error)
{
    uint64_t needed = device_bytes(engine, capacity);
    size_t free_bytes = 0;
    size_t total = 0;
    cudaError_t result = cudaMemGetInfo(&free_bytes, &total);

    if (result != cudaSuccess)
        return fail(engine, result, "memory", error);
    if (needed == UINT64_MAX)
        return error_set(error, STATUS_FAILED,
                         "cuda device %u: a window of %llu frames needs more bytes of memory than "
                         "can be counted",
                         engine->device, (unsigned long long)engine->plan.width);
    if (needed > free_bytes)
        return error_set(error, STATUS_FAILED,
                         "cuda device %u: a window of %llu frames, in chunks of %zu, needs %llu "
                         "bytes of its memory, %zu are free",
                         engine->device, (unsigned long long)engine->plan.width,
                         engine->setup.chunk_frames, (unsigned long long)needed, free_bytes);
    return 0;
}

/* ---- open and close */

static cudaError_t open_slot(const struct engine *engine, struct slot *slot)
{
    const unsigned flags = cudaEventBlockingSync | cudaEventDisableTiming;
    const struct cuda_parts_plan *plan = &engine->parts_plan;
    size_t stats_bytes = (size_t)cuda_parts_device_bytes(plan);
    cudaError_t result = cudaSuccess;

    if (raw_bytes(engine) > 0)
        result = cudaMalloc(&slot->raw, raw_bytes(engine));
    if (result == cudaSuccess)
        result = cudaMalloc((void **)&slot->out, out_bytes(engine));
    if (result == cudaSuccess && middles_bytes(engine) > 0)
        result = cudaMalloc(&slot->middles, middles_bytes(engine));
    if (result == cudaSuccess && stats_bytes > 0)
        result = cudaMalloc(&slot->stats_memory, stats_bytes);
    if (result == cudaSuccess && stats_bytes > 0)
        result = cuda_stats_memory_lay(&slot->stats, plan->channels, plan->parts, plan->shares,
                                       slot->stats_memory, engine->compute);
    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&slot->copied_in, flags);
    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&slot->computed, flags);
    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&slot->copied_out, flags);
    return result;
}

/* In reverse order of making. What cannot be given back on a device that has failed goes with the
 * process. */
static void close_slot(const struct slot *slot)
{
    const cudaEvent_t events[STREAMS] = {slot->copied_in, slot->computed, slot->copied_out};

    for (size_t i = 0; i < STREAMS; i++) {
        if (events[i] != NULL)
            (void)cudaEventDestroy(events[i]);
    }
    (void)cudaFree(slot->stats_memory);
    (void)cudaFree(slot->middles);
    (void)cudaFree(slot->out);
    (void)cudaFree(slot->raw);
}

static void cuda_close(struct engine *engine)
{
    const cudaStream_t streams[STREAMS] = {engine->in, engine->compute, engine->out};

    (void)cudaSetDevice((int)engine->device);
    for (size_t i = 0; i < STREAMS; i++) {
        if (streams[i] != NULL)
            (void)cudaStreamSynchronize(streams[i]);
    }
    for (unsigned i = 0; i < SLOTS; i++)
        close_slot(&engine->slots[i]);
    (void)cudaFree(engine->rings_memory);
    for (size_t i = 0; i < STREAMS; i++) {
        if (streams[i] != NULL)
            (void)cudaStreamDestroy(streams[i]);
    }
    (void)cudaGetLastError();
    free(engine);
}

static cudaError_t open_device(struct engine *engine)
{
    const unsigned flags = cudaStreamNonBlocking;
    struct cudaDeviceProp properties;
    cudaError_t result = cudaSetDevice((int)engine->device);

    if (result == cudaSuccess)
        result = cudaGetDeviceProperties(&properties, (int)engine->device);
    if (result == cudaSuccess)
        snprintf(engine->name, sizeof engine->name, "%.30s", properties.name);
    if (result == cudaSuccess)
        result = cudaStreamCreateWithFlags(&engine->in, flags);
    if (result == cudaSuccess)
        result = cudaStreamCreateWithFlags(&engine->compute, flags);
    if (result == cudaSuccess)
        result = cudaStreamCreateWithFlags(&engine->out, flags);
    if (result == cudaSuccess)
        result = cuda_plan_make(&engine->plan,
                                engine->setup.emits.count > 0 ? engine->setup.window.width : 1);
    return result;
}

static cudaError_t open_memory(struct engine *engine, uint64_t capacity)
{
    const unsigned channels = engine->setup.channels;
    uint64_t bytes = cuda_rings_bytes(&engine->plan, channels, capacity);
    cudaError_t result = cudaMalloc(&engine->rings_memory, (size_t)bytes);

    if (result != cudaSuccess)
        return result;
    cuda_rings_lay(&engine->rings, &engine->plan, channels, capacity, engine->known_from,
                   engine->rings_memory);
    for (unsigned i = 0; i < SLOTS && result == cudaSuccess; i++)
        result = open_slot(engine, &engine->slots[i]);
    return result;
}

/* ---- frames to the device */

/* Mono float32 into its ring, in one piece or, where the ring ends, in two. */
static cudaError_t copy_to_ring(const struct engine *engine, const unsigned char *frames,
                                size_t count, cudaStream_t stream)
{
    uint64_t place = engine->frames % engine->rings.capacity;
    uint64_t room = engine->rings.capacity - place;
    size_t first = count < room ? count : (size_t)room;
    cudaError_t result = cudaMemcpyAsync(engine->rings.samples + place, frames,
                                         first * sizeof(float), cudaMemcpyHostToDevice, stream);

    if (result == cudaSuccess && first < count)
        result = cudaMemcpyAsync(engine->rings.samples, frames + first * sizeof(float),
                                 (count - first) * sizeof(float), cudaMemcpyHostToDevice, stream);
    return result;
}

static cudaError_t copy_in(const struct engine *engine, const struct slot *slot,
                           const unsigned char *frames, size_t count, cudaStream_t stream)
{
    if (engine->direct)
        return copy_to_ring(engine, frames, count, stream);
    return cudaMemcpyAsync(slot->raw, frames, count * engine_in_bytes(&engine->setup),
                           cudaMemcpyHostToDevice, stream);
}

static cudaError_t decode(const struct engine *engine, const struct slot *slot, size_t count)
{
    if (engine->direct)
        return cudaSuccess;
    return cuda_decode(&engine->rings, engine->setup.sample, slot->raw, engine->frames, count,
                       engine->compute);
}

/* The windows of a piece, when the stream has come to so many frames. */
static struct cuda_task task_of(const struct engine *engine, const struct piece *piece,
                                uint64_t frames)
{
    const struct engine_setup *setup = &engine->setup;
    bool nan_edge = setup->window.edge == EDGE_NAN;

    return (struct cuda_task){
        .first = piece->first,
        .count = piece->count,
        .known_from = engine->known_from,
        .known_to = frames,
        .kept_first = piece->first + (piece->pick.kept > 0 ? piece->pick.start : piece->count),
        .hop = setup->window.hop,
        .whole_from = nan_edge ? setup->window.width - 1 : 0,
        .whole_to = nan_edge ? frames : UINT64_MAX,
        .nan = setup->nan,
        .emits = setup->emits,
    };
}

static int cuda_open(const struct machine *machine, const struct engine_setup *setup,
                     uint64_t start, struct engine **engine_out, struct error *error)
{
    struct engine *engine;
    uint64_t capacity;
    cudaError_t result;

    if (engine_cuda_find(machine->device, error) != 0)
        return -1;
    engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return error_system(error, "the cuda engine", ENOMEM);
    engine->setup = *setup;
    engine->device = machine->device;
    engine->direct = setup->channels == 1 && sample_type_is_native(setup->sample);
    engine->known_from = start;
    engine->frames = engine->known_from;
    cuda_parts_plan(&engine->parts_plan, setup);
    engine->idle = setup->emits.count == 0 && engine->parts_plan.every == 0;
    result = open_device(engine);
    if (result != cudaSuccess) {
        (void)fail(engine, result, "start", error);
        error->status = STATUS_NO_DEVICE; /* it is there, and cannot be had */
        goto error;
    }
    capacity = cuda_rings_capacity(&engine->plan, (uint64_t)SLOTS * setup->chunk_frames);
    if (check_memory(engine, capacity, error) != 0)
        goto error;
    result = open_memory(engine, capacity);
    if (result != cudaSuccess) {
        (void)fail(engine, result, "memory", error);
        goto error;
    }
    *engine_out = engine;
    return 0;

error:
    cuda_close(engine);
    return -1;
}

/* Only what lies on the host counts here: open() asks the device about its own. */
static uint64_t cuda_memory(const struct machine *machine, const struct engine_setup *setup)
{
    (void)machine;
    (void)setup;
    return sizeof(struct engine);
}

static void cuda_describe(const struct engine *engine, char *text, size_t size)
{
    bool windows = engine->setup.emits.count > 0;

    snprintf(text, size, "%s%s%s%s, %d slots%s", engine->name, windows ? ", " : "",
             windows ? cuda_plan_name(&engine->plan) : "",
             engine->parts_plan.every > 0 ? ", statistics" : "", SLOTS,
             engine->pageable ? ", not pinned" : "");
}

static unsigned cuda_chunks_in_flight(const struct engine *engine)
{
    (void)engine;
    return SLOTS;
}

/* ---- chunks */

static int cuda_attach(struct engine *engine, struct chunk *chunk, struct error *error)
{
    cudaError_t result = cudaSetDevice((int)engine->device);

    if (result != cudaSuccess)
        return fail(engine, result, "buffers", error);
    if (cuda_buffers_attach(&engine->setup, &engine->parts_plan, chunk, error) != 0)
        return -1;
    engine->pageable = engine->pageable || !cuda_buffers_of(chunk)->pinned;
    return 0;
}

static void cuda_detach(struct engine *engine, struct chunk *chunk)
{
    (void)cudaSetDevice((int)engine->device);
    /* After a failure there may be copies under way that nobody has collected. */
    (void)cudaStreamSynchronize(engine->in);
    (void)cudaStreamSynchronize(engine->out);
    cuda_buffers_detach(&engine->setup, chunk);
}

static cudaError_t submit_in(struct engine *engine, const struct slot *slot,
                             const struct chunk *chunk)
{
    const struct cuda_parts *parts = &cuda_buffers_of(chunk)->parts;
    cudaError_t result = copy_in(engine, slot, chunk->in, chunk->in_frames, engine->in);

    if (result == cudaSuccess)
        result = cuda_parts_copy_in(parts, &slot->stats, engine->in);
    if (result == cudaSuccess)
        result = cudaEventRecord(slot->copied_in, engine->in);
    if (result == cudaSuccess)
        result = cudaStreamWaitEvent(engine->compute, slot->copied_in, 0);
    if (result == cudaSuccess)
        result = decode(engine, slot, chunk->in_frames);
    if (result == cudaSuccess)
        result = cuda_parts_run(parts, &engine->rings, &slot->stats, engine->compute);
    return result;
}

static cudaError_t submit_windows(struct engine *engine, const struct slot *slot,
                                  struct cuda_task *task)
{
    cudaError_t result = cudaSuccess;

    task->out = slot->out + cuda_task_shift(task, engine->setup.channels);
    if (task->emits.count > 0)
        result =
            cuda_window_run(&engine->plan, &engine->rings, task, slot->middles, engine->compute);
    if (result == cudaSuccess)
        result = cudaEventRecord(slot->computed, engine->compute);
    return result;
}

static cudaError_t submit_out(struct engine *engine, const struct slot *slot,
                              const struct chunk *chunk, const struct cuda_task *task)
{
    const struct cuda_parts *parts = &cuda_buffers_of(chunk)->parts;
    cudaError_t result = cudaStreamWaitEvent(engine->out, slot->computed, 0);

    if (result == cudaSuccess)
        result = cuda_parts_copy_out(&engine->parts_plan, parts, &slot->stats, engine->out);
    if (result == cudaSuccess && chunk->out_frames > 0)
        result = cudaMemcpyAsync(chunk->out, task->out,
                                 chunk->out_frames * engine_out_bytes(&engine->setup),
                                 cudaMemcpyDeviceToHost, engine->out);
    if (result == cudaSuccess)
        result = cudaEventRecord(slot->copied_out, engine->out);
    return result;
}

static int cuda_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const struct slot *slot = &engine->slots[engine->submitted % SLOTS];
    struct cuda_task task = task_of(engine, &chunk->piece, chunk->stream_frames);
    cudaError_t result = cudaSetDevice((int)engine->device);
    const char *what = "device";

    cuda_parts_cut(&engine->parts_plan, &cuda_buffers_of(chunk)->parts, &engine->rings,
                   engine->frames, chunk->in_frames);
    if (result == cudaSuccess && chunk->in_frames > 0 && !engine->idle) {
        what = "copy in";
        cuda_range_begin(what);
        result = submit_in(engine, slot, chunk);
        cuda_range_end();
    }
    if (result == cudaSuccess) {
        what = "kernel";
        cuda_range_begin(what);
        result = submit_windows(engine, slot, &task);
        cuda_range_end();
    }
    if (result == cudaSuccess) {
        what = "copy out";
        cuda_range_begin(what);
        result = submit_out(engine, slot, chunk, &task);
        cuda_range_end();
    }
    if (result != cudaSuccess)
        return fail(engine, result, what, error);
    engine->frames += chunk->in_frames;
    engine->submitted++;
    return 0;
}

static int cuda_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const struct slot *slot = &engine->slots[engine->collected % SLOTS];
    cudaError_t result = cudaSetDevice((int)engine->device);

    cuda_range_begin("wait");
    if (result == cudaSuccess)
        result = cudaEventSynchronize(slot->copied_out);
    cuda_range_end();
    if (result != cudaSuccess)
        return fail(engine, result, "fault in mid-stream", error);
    chunk->parts = cuda_parts_done(&cuda_buffers_of(chunk)->parts);
    engine->collected++;
    return 0;
}

const struct engine_class engine_cuda = {
    .name = "cuda",
    .chunk_bytes = CHUNK_BYTES,
    .memory = cuda_memory,
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    .chunks_in_flight = cuda_chunks_in_flight,
    .attach = cuda_attach,
    .detach = cuda_detach,
    .submit = cuda_submit,
    .collect = cuda_collect,
};
