/* SPDX-License-Identifier: MIT */
/* Calls of the library: what describes simple arrays, and how a call is refused. */
#ifndef GPUENV_TESTS_CALLS_H
#define GPUENV_TESTS_CALLS_H

#include "check.h"

#include <string.h>

#include "lib/gpuenv_cuda.h"
#include "random.h"

#define CHECK_OK(call) CHECK((call) == GPUENV_OK)
#define CHECK_BAD(call) CHECK((call) == GPUENV_BAD_ARGUMENT)

static inline gpuenv_context *open_context_of(unsigned threads, const char *isa)
{
    gpuenv_options options = {.size = sizeof options, .threads = threads, .isa = isa};
    gpuenv_context *context = NULL;

    CHECK_OK(gpuenv_open(&options, &context, NULL));
    return context;
}

static inline gpuenv_context *open_context(unsigned threads)
{
    return open_context_of(threads, NULL);
}

/* One row, whose samples are packed. */
static inline gpuenv_array packed(const void *data, int type, uint64_t frames, uint64_t channels)
{
    const ptrdiff_t bytes = (ptrdiff_t)gpuenv_type_bytes(type);

    return (gpuenv_array){
        .size = sizeof(gpuenv_array),
        .data = data,
        .type = type,
        .rows = 1,
        .frames = frames,
        .channels = channels,
        .frame = bytes * (ptrdiff_t)channels,
        .channel = bytes,
    };
}

/* A spec with these members. */
#define SPEC(...) ((gpuenv_spec){.size = sizeof(gpuenv_spec), __VA_ARGS__})

/* The call is refused, for a reason about this; `error` is the one that it gets. */
#define CHECK_REFUSED(call, about)                                                                 \
    do {                                                                                           \
        const int code_ = (call);                                                                  \
                                                                                                   \
        CHECK_THAT(code_ == GPUENV_BAD_ARGUMENT && strcmp(error.subject, about) == 0, "%d: %s %s", \
                   code_, error.subject, error.text);                                              \
    } while (0)

/* Pushes all frames in chunks of any length, and finishes. Returns the frames of results. */
static inline uint64_t push_all(gpuenv_stream *stream, const gpuenv_array *in, void *out,
                                size_t out_bytes, uint64_t outputs)
{
    uint64_t results = 0;
    uint64_t got = 0;

    for (uint64_t done = 0, count; done < in->frames; done += count, results += got) {
        count = 1 + random_below(in->frames - done);
        CHECK_OK(gpuenv_stream_push(
            stream, (const unsigned char *)in->data + (ptrdiff_t)done * in->frame, count,
            (unsigned char *)out + results * out_bytes, outputs - results, &got, NULL));
    }
    do {
        CHECK_OK(gpuenv_stream_finish(stream, (unsigned char *)out + results * out_bytes,
                                      outputs - results, &got, NULL));
        results += got;
    } while (got > 0);
    return results;
}

#endif
