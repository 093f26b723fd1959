/* Streams of samples for tests of sliders, and what is expected of them; places for results, with
 * guards behind them. A template: included once for each kind of values. */
#ifndef GPUENV_TESTS_CPU_STREAMS_TMPL_H
#define GPUENV_TESTS_CPU_STREAMS_TMPL_H

#include <stdlib.h>

#include "cpu/kernels.h"
#include "shapes_tmpl.h"

enum {
    GUARD = 64,                   /* values after the writable ones */
    LANES_MOST = 64 / KIND_BYTES, /* of a vector */
    ALIGNMENT = 64,               /* of a slider */
    GUARD_BITS = 0x7fa5a5,        /* a subnormal that no test feeds */
};

/* ---- what is expected ---- */

struct expected {
    kind_value *low;
    kind_value *high;
};

/* The definition, window by window. Windows n .. n+tail-1 end past the last sample. */
static void define(const kind_value *samples, size_t n, size_t tail, uint64_t width,
                   enum nan_policy policy, struct expected *expected)
{
    for (size_t end = 0; end < n + tail; end++) {
        kind_key low = KIND_ABOVE;
        kind_key high = KIND_BELOW;

        for (size_t i = end + 1 < width ? 0 : end + 1 - (size_t)width; i <= end && i < n; i++) {
            kind_key low_key = kind_low_key(samples[i], policy);
            kind_key high_key = kind_high_key(samples[i], policy);

            low = low_key < low ? low_key : low;
            high = high_key > high ? high_key : high;
        }
        expected->low[end] = kind_from_key(low);
        expected->high[end] = kind_from_key(high);
    }
}

/* Room for `count` values, filled with the guard, aligned for values only. */
static kind_value *guard_room(kind_value *capacity, size_t count)
{
    for (size_t i = 0; i < count + GUARD; i++)
        capacity[i] = kind_from_bits((kind_bits)GUARD_BITS);
    return capacity;
}

static bool guard_is_intact(const kind_value *end)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (kind_to_bits(end[i]) != (kind_bits)GUARD_BITS)
            return false;
    }
    return true;
}

/* The samples of a run, without any space around them, aligned for values only. */
struct stream {
    kind_value *memory;
    kind_value *samples;
    struct expected expected;
};

static struct stream stream_open(enum data data, size_t n, size_t tail)
{
    struct stream stream = {.memory = malloc((n + 1) * sizeof(kind_value))};

    stream.expected.low = malloc((n + tail + 1) * sizeof(kind_value));
    stream.expected.high = malloc((n + tail + 1) * sizeof(kind_value));
    if (stream.memory == NULL || stream.expected.low == NULL || stream.expected.high == NULL)
        abort();
    stream.samples = stream.memory + 1;
    fill(data, stream.samples, n);
    return stream;
}

static void stream_close(struct stream *stream)
{
    free(stream->memory);
    free(stream->expected.low);
    free(stream->expected.high);
}

/* As unsigned integers, which are signed ones with the top bit flipped, on their way in and out. */
static inline void stream_flip(struct stream *stream, size_t n, size_t tail)
{
#ifdef KIND_UNSIGNED
    for (size_t i = 0; i < n; i++)
        stream->samples[i] ^= KIND_BELOW;
    for (size_t i = 0; i < n + tail; i++) {
        stream->expected.low[i] ^= KIND_BELOW;
        stream->expected.high[i] ^= KIND_BELOW;
    }
#else
    (void)stream, (void)n, (void)tail;
#endif
}

#endif
