/* SPDX-License-Identifier: MIT */
/* Streams of samples for tests of sliders, and what is expected of them; places for results, with
 * guards behind them. A template: included once for each kind of values. */
#ifndef GPUENV_TESTS_CPU_STREAMS_TMPL_H
#define GPUENV_TESTS_CPU_STREAMS_TMPL_H

#include <string.h>

#include "cpu/kernels.h"
#include "shapes_tmpl.h"

enum {
    GUARD = 64,                   /* values after the writable ones */
    LANES_MOST = 64 / KIND_BYTES, /* of a vector */
    ALIGNMENT = 64,               /* of a slider */
};

static inline void guard_values(kind_value *values, size_t count)
{
    memset(values, 0xa5, count * sizeof *values);
}

/* Memory for `count` values and a guard, all of it filled with the guard. */
static kind_value *guarded_values(size_t count)
{
    kind_value *values = malloc((count + GUARD) * sizeof *values);

    if (values == NULL)
        abort();
    guard_values(values, count + GUARD);
    return values;
}

static inline bool guard_is_intact(const kind_value *end)
{
    const unsigned char *bytes = (const unsigned char *)end;

    return bytes[0] == 0xa5 && memcmp(bytes, bytes + 1, GUARD * sizeof *end - 1) == 0;
}

/* The samples of a run, without any space around them, aligned for values only; and for each
 * window, of the minimum and of the maximum, its bits, and the number of the first sample that has
 * it. */
struct stream {
    size_t n;
    size_t tail; /* windows that end past the last sample */
    uint64_t width;
    enum nan_policy policy;
    enum data data;
    kind_value *memory;
    kind_value *samples;
    kind_value *expected[2];
    size_t *first[2];
};

static kind_key key_of(const struct stream *stream, size_t i, unsigned side)
{
    const kind_key low = kind_low_key(stream->samples[i], stream->policy);
    const kind_key high = kind_high_key(stream->samples[i], stream->policy);

    return side == 0 ? low : high;
}

/* The definition of one side. Candidates are in order, each worse than the one before it: the first
 * of equals stays. */
static void define(const struct stream *stream, unsigned side)
{
    size_t *candidates = malloc((stream->n + 1) * sizeof *candidates);
    size_t begin = 0;
    size_t end = 0;

    for (size_t i = 0; i < stream->n + stream->tail; i++) {
        for (; i < stream->n && end > begin; end--) {
            const kind_key last = key_of(stream, candidates[end - 1], side);

            if (side == 0 ? last <= key_of(stream, i, side) : last >= key_of(stream, i, side))
                break;
        }
        if (i < stream->n)
            candidates[end++] = i;
        while (begin < end && candidates[begin] + stream->width <= i)
            begin++;
        stream->first[side][i] = begin < end ? candidates[begin] : SIZE_MAX;
        stream->expected[side][i] =
            kind_from_key(begin < end ? key_of(stream, candidates[begin], side)
                          : side == 0 ? KIND_ABOVE
                                      : KIND_BELOW);
    }
    free(candidates);
}

static struct stream stream_open(enum data data, size_t n, size_t tail, uint64_t width,
                                 enum nan_policy policy)
{
    struct stream stream = {.n = n, .tail = tail, .width = width, .policy = policy, .data = data};

    stream.memory = malloc((n + 1) * sizeof(kind_value));
    if (stream.memory == NULL)
        abort();
    stream.samples = stream.memory + 1;
    fill(data, stream.samples, n);
    for (unsigned side = 0; side < 2; side++) {
        stream.expected[side] = guarded_values(n + tail);
        stream.first[side] = calloc(n + tail + 1, sizeof(size_t));
        define(&stream, side);
    }
    return stream;
}

static void stream_close(const struct stream *stream)
{
    free(stream->memory);
    for (unsigned side = 0; side < 2; side++) {
        free(stream->expected[side]);
        free(stream->first[side]);
    }
}

/* As unsigned integers, which are signed ones with the top bit flipped, on their way in and out. */
static inline void stream_flip(const struct stream *stream)
{
    for (size_t i = 0; i < stream->n; i++)
        stream->samples[i] = kind_from_bits((kind_bits)(kind_to_bits(stream->samples[i]) ^ SIGN));
    for (size_t i = 0; i < stream->n + stream->tail; i++) {
        for (unsigned side = 0; side < 2; side++)
            stream->expected[side][i] =
                kind_from_bits((kind_bits)(kind_to_bits(stream->expected[side][i]) ^ SIGN));
    }
}

#endif
