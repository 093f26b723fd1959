/* SPDX-License-Identifier: MIT */
/* The cuda engine: a fixed number of slots in flight, each with its own buffers on the device.
 *
 * There are three streams: the first copies frames to the device, the second runs kernels, the
 * third copies output back. Each slot has an event per stream, so the copies of one chunk overlap
 * with the kernels of another. The reader fills and the writer empties pinned memory, which the
 * device accesses directly; if no more can be pinned, plain memory is used, which is slower. A copy
 * to plain memory blocks its caller, so collect() issues it.
 *
 * A small chunk with no other in flight has nothing to overlap with. It uses the kernels' stream
 * for all steps, which saves the waits of one stream for another; and collect() polls for a while
 * before it sleeps, because waking up takes longer than such a chunk.
 *
 * The last frames of the stream stay on the device, in rings (cuda_window.h), so a chunk brings
 * only its own frames, however long the window is. Mono float32 or float64 is copied straight into
 * its ring; everything else is copied to the slot and decoded from there. Copies never overwrite
 * frames that kernels still read, because the rings have room for all chunks in flight after the
 * window of the oldest.
 *
 * Values made of sums need none of this: the cores make them (tallies.h). */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/min_max.h"
#include "base/size_words.h"
#include "cuda/buffers.h"
#include "cuda/cuda_resources.h"
#include "cuda/cuda_samples.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"
#include "cuda/failure.h"
#include "cuda/tallies.h"

enum {
    SLOTS = CUDA_SLOTS,
    OUT_SPARE = 16,         /* bytes for cuda_task_shift() */
    CHUNK_BYTES = 8 << 20,  /* large enough that starting a copy over a bus costs little */
    SMALL_BYTES = 4 << 20,  /* both ways; copied in less than a tenth of a millisecond */
    LOOK_MICROSECONDS = 100 /* about as long as a small chunk takes */
};

struct engine {
    struct engine_setup setup;
    struct tallies *tallies; /* values made of sums, and values beside them; may be NULL */
    struct machine machine;
    struct cuda_plan plan;
    struct cuda_rings rings;
    bool direct;   /* the ring holds frames in their raw form */
    bool pageable; /* some buffers could not be pinned */
    bool failed;

    struct cuda_resources *resources;
    uint64_t submitted; /* chunks so far; chunk n uses slot n % SLOTS */
    uint64_t collected;

    uint64_t known_from; /* first frame that the engine was given */
    uint64_t frames;     /* frames of the stream so far */
};

static int fail(struct engine *engine, cudaError_t result, const char *what, struct error *error)
{
    engine->failed = true;
    return cuda_failure(error, engine->machine.device, what, result);
}

/* ---- memory */

static uint64_t raw_bytes(const struct engine *engine)
{
    return engine->direct
               ? 0
               : cuda_align(engine->setup.chunk_frames * engine_in_bytes(&engine->setup));
}

static uint64_t out_bytes(const struct engine *engine)
{
    return cuda_align(engine_out_most(&engine->setup) * engine_out_bytes(&engine->setup) +
                      OUT_SPARE);
}

static uint64_t slot_bytes(const struct engine *engine)
{
    return raw_bytes(engine) + out_bytes(engine);
}

static cudaError_t allocate(struct engine *engine, uint64_t rings_bytes)
{
    struct cuda_resources *resources = engine->resources;
    cudaError_t result = cuda_block_fit(&resources->rings, rings_bytes);

    for (unsigned i = 0; i < SLOTS && result == cudaSuccess; i++) {
        struct cuda_slot *slot = &resources->slots[i];

        result = cuda_block_fit(&slot->memory, slot_bytes(engine));
        if (result != cudaSuccess)
            break;
        slot->raw = slot->memory.memory;
        slot->out = slot->raw + raw_bytes(engine);
    }
    return result;
}

/* Frees all memory, so that the next try has the most memory, and the message says how much is
 * free. */
static void empty(struct engine *engine)
{
    (void)cudaGetLastError();
    cuda_resources_empty(engine->resources);
    devices_clear(engine->machine.devices, engine->machine.device);
}

static int fail_memory(struct engine *engine, uint64_t needed, struct error *error)
{
    size_t free_bytes = 0;
    size_t total = 0;
    char name[ERROR_DEVICE_NAME];
    char words[SIZE_WORDS];
    char free_words[SIZE_WORDS];

    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return fail(engine, cudaErrorMemoryAllocation, "memory", error);
    return error_set(
        error, ERROR_RESOURCE, error_device(name, engine->machine.device),
        "a window of %llu frames, in chunks of %zu, needs %s of its memory, %s are free",
        (unsigned long long)engine->plan.width, engine->setup.chunk_frames,
        size_words(words, needed), size_words(free_words, free_bytes));
}

/* Allocates the memory. Only an allocation can tell whether there is enough: where the device
 * shares the host's memory, much of what is not free can be reclaimed. If memory is short, the
 * memory of earlier streams is released. */
static int open_memory(struct engine *engine, struct error *error)
{
    const uint64_t capacity =
        cuda_rings_capacity(&engine->plan, (uint64_t)SLOTS * engine->setup.chunk_frames);
    const uint64_t rings_bytes = cuda_rings_bytes(&engine->plan, engine->setup.channels, capacity);
    cudaError_t result;
    char name[ERROR_DEVICE_NAME];

    if (rings_bytes == UINT64_MAX)
        return error_set(error, ERROR_RESOURCE, error_device(name, engine->machine.device),
                         "a window of %llu frames needs more bytes of memory than can be counted",
                         (unsigned long long)engine->plan.width);
    engine->rings.capacity = capacity;
    result = allocate(engine, rings_bytes);
    if (result == cudaErrorMemoryAllocation && engine->machine.devices != NULL) {
        empty(engine);
        result = allocate(engine, rings_bytes);
    }
    if (result == cudaErrorMemoryAllocation) {
        empty(engine);
        return fail_memory(engine, rings_bytes + SLOTS * slot_bytes(engine), error);
    }
    return result == cudaSuccess ? 0 : fail(engine, result, "memory", error);
}

/* ---- open and close */

static void cuda_close(struct engine *engine)
{
    tallies_close(engine->tallies);
    if (engine->resources != NULL)
        cuda_resources_give(engine->resources, engine->machine.devices, engine->failed);
    free(engine);
}

/* Chooses a plan, and loads all kernels that the stream needs. This fails if the program has no
 * code for the device. */
static cudaError_t open_kernels(struct engine *engine)
{
    const enum value_kind value = engine->setup.value;
    const bool windows = engine->tallies == NULL;
    cudaError_t result =
        cuda_plan_make(&engine->plan, value, windows ? engine->setup.window.width : 1);

    if (windows)
        THEN(result, cuda_plan_load(&engine->plan));
    if (windows && !engine->direct)
        THEN(result, cuda_gather_load(value));
    return result;
}

static int open_device(struct engine *engine, struct error *error)
{
    const struct cuda_resources *resources = engine->resources;
    cudaError_t result =
        cuda_resources_open(engine->resources); /* This fails if the device has failed before. */
    char name[CUDA_NAME];

    if (result != cudaSuccess) {
        (void)fail(engine, result, "start", error);
        error->status = STATUS_NO_DEVICE; /* The device exists but cannot be used. */
        return -1;
    }
    result = open_kernels(engine);
    if (result == cudaSuccess)
        return 0;
    (void)cudaGetLastError();
    return error_set(error, ERROR_DEVICE, cuda_name(name, engine->machine.device),
                     "%s, of compute capability %d.%d, cannot run the kernels of "
                     "this gpuenv: %s",
                     resources->name, resources->major, resources->minor,
                     cudaGetErrorString(result));
}

/* ---- frames to the device */

/* Copies mono samples that need no decoding into their ring, in two pieces where the ring wraps
 * around. */
static cudaError_t copy_to_ring(const struct engine *engine, const unsigned char *frames,
                                size_t count, cudaStream_t stream)
{
    const size_t bytes = value_bytes(engine->rings.value);
    const uint64_t place = engine->frames % engine->rings.capacity;
    const size_t first = (size_t)min_u64(count, engine->rings.capacity - place);
    cudaError_t result = cudaMemcpyAsync((unsigned char *)engine->rings.samples + place * bytes,
                                         frames, first * bytes, cudaMemcpyHostToDevice, stream);

    if (first < count)
        THEN(result, cudaMemcpyAsync(engine->rings.samples, frames + first * bytes,
                                     (count - first) * bytes, cudaMemcpyHostToDevice, stream));
    return result;
}

static cudaError_t copy_in(const struct engine *engine, const struct cuda_slot *slot,
                           const unsigned char *frames, size_t count, cudaStream_t stream)
{
    if (engine->direct)
        return copy_to_ring(engine, frames, count, stream);
    return cudaMemcpyAsync(slot->raw, frames, count * engine_in_bytes(&engine->setup),
                           cudaMemcpyHostToDevice, stream);
}

/* Returns the windows of a piece, with `frames` frames in the stream so far. */
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

/* Makes the rings empty, which needs no work on the device. */
static void cuda_restart(struct engine *engine, uint64_t start)
{
    cuda_rings_lay(&engine->rings, &engine->plan, engine->setup.channels, engine->rings.capacity,
                   start, engine->resources->rings.memory);
    engine->known_from = start;
    engine->frames = start;
    if (engine->tallies != NULL)
        tallies_restart(engine->tallies, start);
}

static int cuda_open(const struct machine *machine, const struct engine_setup *setup,
                     uint64_t start, struct engine **engine_out, struct error *error)
{
    struct engine *engine;

    if (setup->value == VALUE_I64)
        return error_set(error, ERROR_DEVICE_INTEGERS, "cuda",
                         "only the cores work on integers of 64 bits");
    if (engine_cuda_find(machine->device, error) != 0) {
        devices_clear(machine->devices, machine->device);
        return -1;
    }
    engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return error_system(error, ERROR_RESOURCE, "the cuda engine", ENOMEM);
    engine->setup = *setup;
    engine->machine = *machine;
    engine->resources = cuda_resources_take(engine->machine.devices, engine->machine.device);
    if (emits_need_sums(&setup->emits))
        engine->tallies = tallies_open(machine, setup);
    if (engine->resources == NULL || (engine->tallies == NULL && emits_need_sums(&setup->emits))) {
        error_system(error, ERROR_RESOURCE, "the cuda engine", ENOMEM);
        goto error;
    }
    engine->direct =
        setup->channels == 1 && sample_type_is_native(setup->sample, engine->setup.value);
    if (open_device(engine, error) != 0 || open_memory(engine, error) != 0)
        goto error;
    cuda_restart(engine, start);
    *engine_out = engine;
    return 0;

error:
    engine->failed = true;
    cuda_close(engine);
    return -1;
}

/* Counts host memory only, because open() checks the device memory. */
static uint64_t cuda_memory(const struct machine *machine, const struct engine_setup *setup)
{
    (void)machine;
    (void)setup;
    return sizeof(struct engine);
}

static void cuda_describe(const struct engine *engine, char *text, size_t size)
{
    const char *windows =
        engine->tallies == NULL ? cuda_plan_name(&engine->plan) : "means by the cores";

    snprintf(text, size, "%s, %s, %d slots%s", engine->resources->name, windows, SLOTS,
             engine->pageable ? ", not pinned" : "");
}

/* ---- chunks */

static int cuda_attach(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct cuda_buffers *buffers = engine->resources->buffers;
    cudaError_t result = cudaSetDevice((int)engine->machine.device);

    if (result != cudaSuccess)
        return fail(engine, result, "buffers", error);
    while (buffers->in_use)
        buffers++;
    if (cuda_buffers_attach(buffers, &engine->setup, engine->machine.device, chunk, error) != 0) {
        engine->failed = true;
        return -1;
    }
    engine->pageable = engine->pageable || buffers->plain != NULL;
    return 0;
}

static void cuda_detach(struct engine *engine, struct chunk *chunk)
{
    (void)cudaSetDevice((int)engine->machine.device);
    /* After a failure, copies that were not collected may be in progress. */
    (void)cuda_resources_wait(engine->resources);
    cuda_buffers_detach(&engine->setup, chunk);
}

/* Makes `later` wait for the work enqueued in `earlier` so far. */
static cudaError_t join(cudaStream_t later, cudaStream_t earlier, cudaEvent_t event)
{
    cudaError_t result;

    if (later == earlier)
        return cudaSuccess;
    result = cudaEventRecord(event, earlier);
    return THEN(result, cudaStreamWaitEvent(later, event, 0));
}

static cudaError_t submit_in(struct engine *engine, const struct cuda_slot *slot,
                             const struct chunk *chunk, cudaStream_t in)
{
    cudaStream_t compute = engine->resources->streams[CUDA_COMPUTE];
    cudaError_t result = copy_in(engine, slot, chunk->in, chunk->in_frames, in);

    THEN(result, join(compute, in, slot->done[CUDA_IN]));
    if (!engine->direct)
        THEN(result, cuda_decode(&engine->rings, engine->setup.sample, slot->raw, engine->frames,
                                 chunk->in_frames, compute));
    return result;
}

static cudaError_t submit_windows(struct engine *engine, const struct cuda_slot *slot,
                                  const struct chunk *chunk)
{
    cudaStream_t compute = engine->resources->streams[CUDA_COMPUTE];
    struct cuda_task task = task_of(engine, &chunk->piece, chunk->stream_frames);
    struct cuda_buffers *buffers = cuda_buffers_of(chunk);
    cudaError_t result = cudaSuccess;

    task.out = slot->out + cuda_task_shift(&task, engine->setup.value, engine->setup.channels);
    buffers->out_from = task.out;
    if (engine->tallies == NULL)
        result = cuda_window_run(&engine->plan, &engine->rings, &task, compute);
    return THEN(result, join(buffers->out_stream, compute, slot->done[CUDA_COMPUTE]));
}

static cudaError_t copy_out(const struct engine *engine, const struct cuda_slot *slot,
                            const struct chunk *chunk)
{
    const struct cuda_buffers *buffers = cuda_buffers_of(chunk);
    cudaError_t result = cudaSuccess;

    if (chunk->out_frames > 0 && engine->tallies == NULL)
        result =
            cudaMemcpyAsync(buffers->landing != NULL ? buffers->landing : chunk->out,
                            buffers->out_from, chunk->out_frames * engine_out_bytes(&engine->setup),
                            cudaMemcpyDeviceToHost, buffers->out_stream);
    return THEN(result, cudaEventRecord(slot->done[CUDA_OUT], buffers->out_stream));
}

static bool is_small(const struct engine *engine, const struct chunk *chunk)
{
    return chunk->in_frames * engine_in_bytes(&engine->setup) +
               chunk->out_frames * engine_out_bytes(&engine->setup) <=
           SMALL_BYTES;
}

static int cuda_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const struct cuda_slot *slot = &engine->resources->slots[engine->submitted % SLOTS];
    const cudaStream_t *streams = engine->resources->streams;
    struct cuda_buffers *buffers = cuda_buffers_of(chunk);
    cudaError_t result = cudaSetDevice((int)engine->machine.device);
    const char *what = "device";
    bool alone;

    buffers->small = is_small(engine, chunk);
    alone = engine->submitted == engine->collected && buffers->small;
    buffers->out_stream = streams[alone ? CUDA_COMPUTE : CUDA_OUT];
    if (result == cudaSuccess && chunk->in_frames > 0 && engine->tallies == NULL) {
        what = "copy in";
        result = submit_in(engine, slot, chunk, streams[alone ? CUDA_COMPUTE : CUDA_IN]);
    }
    if (result == cudaSuccess) {
        what = "kernel";
        result = submit_windows(engine, slot, chunk);
    }
    if (result == cudaSuccess && buffers->plain == NULL) {
        what = "copy out";
        result = copy_out(engine, slot, chunk);
    }
    if (result != cudaSuccess)
        return fail(engine, result, what, error);
    engine->frames += chunk->in_frames;
    engine->submitted++;
    return 0;
}

/* Waits for an event. With `look`, polls for a while before it sleeps. */
static cudaError_t wait_for(cudaEvent_t event, bool look)
{
    const double until = look ? clock_seconds() + LOOK_MICROSECONDS * 1e-6 : 0;

    while (look && clock_seconds() < until) {
        cudaError_t result = cudaEventQuery(event);

        if (result != cudaErrorNotReady)
            return result;
        (void)cudaGetLastError(); /* cudaErrorNotReady is no failure */
        (void)sched_yield();
    }
    return cudaEventSynchronize(event);
}

static int cuda_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const struct cuda_slot *slot = &engine->resources->slots[engine->collected % SLOTS];
    const struct cuda_buffers *buffers = cuda_buffers_of(chunk);
    cudaError_t result = cudaSetDevice((int)engine->machine.device);

    if (buffers->plain != NULL)
        THEN(result, copy_out(engine, slot, chunk));
    THEN(result, wait_for(slot->done[CUDA_OUT], buffers->small));
    if (result != cudaSuccess)
        return fail(engine, result, "fault in mid-stream", error);
    if (engine->tallies != NULL)
        tallies_take(engine->tallies, chunk);
    else
        cuda_buffers_land(chunk, engine_out_bytes(&engine->setup), engine->machine.threads);
    engine->collected++;
    return 0;
}

/* The emulator's device is always chosen: it never pays. */
#ifndef GPUENV_CUDA_START
#define GPUENV_CUDA_START 0.4
#endif

/* The costs are those of a device on a bus, on the hosts of an H200 and an H100
 * (examples/devices.txt). */
const struct engine_class engine_cuda = {
    .name = "cuda",
    .chunk_bytes = CHUNK_BYTES,
    .in_flight = SLOTS,
    .costs = {.start = GPUENV_CUDA_START, .feed = 0.22e-9, .bus = 1 / 16e9},
    .memory = cuda_memory,
    .open = cuda_open,
    .close = cuda_close,
    .restart = cuda_restart,
    .describe = cuda_describe,
    .attach = cuda_attach,
    .detach = cuda_detach,
    .submit = cuda_submit,
    .collect = cuda_collect,
};
