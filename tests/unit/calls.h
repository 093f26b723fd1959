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
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_context *context = NULL;

    options.threads = threads;
    options.isa = isa;
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
    gpuenv_array array = GPUENV_INIT(gpuenv_array);

    array.data = data;
    array.type = type;
    array.rows = 1;
    array.frames = frames;
    array.channels = channels;
    array.channel = (ptrdiff_t)gpuenv_type_bytes(type);
    array.frame = array.channel * (ptrdiff_t)channels;
    return array;
}

static inline gpuenv_spec spec_of(uint64_t width)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);

    spec.width = width;
    return spec;
}

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
