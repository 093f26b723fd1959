/* SPDX-License-Identifier: MIT */
/* Streams through the cuda engine, in chunks of any length and several in flight, as the pipeline
 * has them. */
#ifndef GPUENV_TESTS_EMU_FEED_H
#define GPUENV_TESTS_EMU_FEED_H

#include <string.h>

#include <cuda_runtime_api.h>

#include "cuda/engine_cuda.h"
#include "random.h"

struct stream {
    const struct engine_setup *setup;
    void (*take)(const struct stream *stream, const struct chunk *chunk); /* once it is collected */
    void *to;
    struct engine *engine;
    struct chunk chunks[8]; /* those in flight, and the pipeline's two that are read and written */
    unsigned count;
    uint64_t submitted;
    uint64_t collected;
};

/* The engine may be called while any device is current: in a new thread it is the first. */
static void leave_device(void)
{
    (void)cudaSetDevice(0);
}

static int open_stream(struct stream *stream, const struct machine *machine, uint64_t start,
                       struct error *error)
{
    if (engine_cuda.open(machine, stream->setup, start, &stream->engine, error) != 0)
        return -1;
    for (; stream->count < engine_chunks(&engine_cuda); stream->count++) {
        leave_device();
        if (engine_cuda.attach(stream->engine, &stream->chunks[stream->count], error) != 0)
            return -1;
    }
    return 0;
}

/* Also if it did not open. */
static void close_stream(struct stream *stream)
{
    for (unsigned i = 0; i < stream->count; i++) {
        leave_device();
        engine_cuda.detach(stream->engine, &stream->chunks[i]);
    }
    leave_device();
    if (stream->engine != NULL)
        engine_cuda.close(stream->engine);
}

static int collect(struct stream *stream, struct error *error)
{
    struct chunk *chunk = &stream->chunks[stream->collected++ % stream->count];

    leave_device();
    if (engine_cuda.collect(stream->engine, chunk, error) != 0)
        return -1;
    stream->take(stream, chunk);
    return 0;
}

/* Feeds frames start .. n-1, and the tail; the windows before `from` are muted. Fails if the engine
 * fails. */
static int feed(struct stream *stream, const unsigned char *frames, size_t start, size_t from,
                size_t n, struct error *error)
{
    const struct engine_setup *setup = stream->setup;
    const size_t end = n + (size_t)window_tail(&setup->window, n);

    for (size_t at = start; at < end;) {
        const size_t left = (at < from ? from : at < n ? n : end) - at;
        struct chunk *chunk;
        size_t count = 1 + random_number() % setup->chunk_frames;

        if (random_number() % 5 == 0)
            count = setup->chunk_frames;
        count = count < left ? count : left;
        if (stream->submitted - stream->collected == engine_cuda.in_flight &&
            collect(stream, error) != 0)
            return -1;
        chunk = &stream->chunks[stream->submitted++ % stream->count];
        if (at < n) {
            chunk->in_frames = count;
            memcpy(chunk->in, frames + at * engine_in_bytes(setup), count * engine_in_bytes(setup));
            chunk_place(chunk, setup, at);
            if (at < from)
                chunk_mute(chunk);
        } else {
            chunk_place_tail(chunk, setup, n, window_tail_first(&setup->window, n) + at - n, count);
        }
        leave_device();
        if (engine_cuda.submit(stream->engine, chunk, error) != 0)
            return -1;
        at += count;
        while (random_number() % 4 == 0 && stream->collected < stream->submitted) {
            if (collect(stream, error) != 0)
                return -1;
        }
    }
    while (stream->collected < stream->submitted) {
        if (collect(stream, error) != 0)
            return -1;
    }
    return 0;
}

#endif
