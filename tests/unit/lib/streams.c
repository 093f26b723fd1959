/* SPDX-License-Identifier: MIT */
/* Streams give what a filter of all frames gives, of every type and in any type of results. Those
 * whose channels lie apart give what interleaved ones give, also in turn with them, and a stream
 * that is reset what a new one gives. Results may take the place of their frames. */
#include "calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    SAMPLES_MOST = 300000, /* frames times channels */
    CHANNELS_MOST = 40,
    TAIL = 40000,
    RESULT_MOST = GPUENV_VALUES * 8,
};

/* Frames and results, of all channels and of each. */
static struct {
    unsigned char in[SAMPLES_MOST * 16];
    unsigned char out[2][(SAMPLES_MOST + TAIL * CHANNELS_MOST) * RESULT_MOST];
    unsigned char in_planes[SAMPLES_MOST * 16];
    unsigned char out_planes[(SAMPLES_MOST + TAIL * CHANNELS_MOST) * RESULT_MOST];
} * memory;

struct shape {
    uint64_t frames;
    unsigned channels;
    unsigned values;
    size_t in_bytes;  /* of a sample */
    size_t out_bytes; /* of all values of a channel */
};

static unsigned char *in_plane(const struct shape *shape, unsigned channel)
{
    return memory->in_planes + channel * shape->frames * shape->in_bytes;
}

static unsigned char *out_plane(const struct shape *shape, unsigned channel)
{
    return memory->out_planes + channel * (shape->frames + TAIL) * shape->out_bytes;
}

static void fill(const struct shape *shape)
{
    for (size_t i = 0; i < shape->frames * shape->channels; i++) {
        unsigned char *sample = memory->in + i * shape->in_bytes;

        for (size_t k = 0; k < shape->in_bytes; k++)
            sample[k] = (unsigned char)random_below(256);
        memcpy(in_plane(shape, (unsigned)(i % shape->channels)) +
                   i / shape->channels * shape->in_bytes,
               sample, shape->in_bytes);
    }
}

/* Puts the results of channels that lie apart where interleaved ones are. */
static void interleave(const struct shape *shape, void *const *from, uint64_t count,
                       unsigned char *to)
{
    for (uint64_t i = 0; i < count * shape->channels; i++)
        memcpy(to + i * shape->out_bytes,
               (unsigned char *)from[i % shape->channels] + i / shape->channels * shape->out_bytes,
               shape->out_bytes);
}

/* In place: results take the place of their frames. */
enum way { TOGETHER, APART, IN_TURN, APART_IN_PLACE, IN_PLACE, WAYS };

static bool is_apart(enum way way)
{
    return way == IN_TURN ? random_below(2) == 0 : way == APART || way == APART_IN_PLACE;
}

/* Pushes the next frames; returns how many results they gave. */
static uint64_t push(gpuenv_stream *stream, const struct shape *shape, enum way way, uint64_t done,
                     uint64_t frames, unsigned char *out)
{
    const size_t before = done * shape->in_bytes;
    const void *in[CHANNELS_MOST];
    void *to[CHANNELS_MOST];
    const uint64_t due = gpuenv_stream_outputs(stream, frames);
    uint64_t got;

    if (!is_apart(way)) {
        const unsigned char *from =
            (way == IN_PLACE ? memory->out[1] : memory->in) + before * shape->channels;

        if (due > 0)
            CHECK(gpuenv_stream_push(stream, from, frames, out, due - 1, &got, NULL) ==
                      GPUENV_NO_ROOM &&
                  got == 0);
        CHECK_OK(gpuenv_stream_push(stream, from, frames, out, due, &got, NULL));
        CHECK(got == due);
        return got;
    }
    for (unsigned c = 0; c < shape->channels; c++) {
        in[c] = in_plane(shape, c) + before;
        to[c] = way == APART_IN_PLACE ? in_plane(shape, c) + before : out_plane(shape, c);
    }
    CHECK_OK(gpuenv_stream_push_planar(stream, in, frames, to, due, &got, NULL));
    CHECK(got == due);
    interleave(shape, to, got, out);
    return got;
}

static uint64_t finish(gpuenv_stream *stream, const struct shape *shape, enum way way,
                       unsigned char *out)
{
    const uint64_t room = 1 + random_below(500);
    void *to[CHANNELS_MOST];
    uint64_t got;

    if (!is_apart(way)) {
        CHECK_OK(gpuenv_stream_finish(stream, out, room, &got, NULL));
        return got;
    }
    for (unsigned c = 0; c < shape->channels; c++)
        to[c] = out_plane(shape, c);
    CHECK_OK(gpuenv_stream_finish_planar(stream, to, room, &got, NULL));
    interleave(shape, to, got, out);
    return got;
}

/* All frames in chunks, then the tail. Returns the number of results. */
static uint64_t run(gpuenv_stream *stream, const struct shape *shape, enum way way,
                    unsigned char *out)
{
    const size_t bytes = shape->out_bytes * shape->channels;
    uint64_t results = 0;
    uint64_t frames;
    uint64_t got;

    for (uint64_t done = 0; done < shape->frames; done += frames) {
        frames = shape->frames - done;
        if (random_below(4) > 0)
            frames = random_below(frames < 300 ? frames + 1 : 300);
        results += push(stream, shape, way, done, frames, out + results * bytes);
    }
    do {
        got = finish(stream, shape, way, out + results * bytes);
        results += got;
    } while (got > 0);
    return results;
}

/* The same by gpuenv_filter_at(), with all values of a channel side by side. */
static void filter(gpuenv_context *context, const gpuenv_spec *given, const struct shape *shape,
                   int type, int result, unsigned char *out)
{
    gpuenv_spec spec = *given;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const gpuenv_array from = packed(NULL, type, shape->frames, shape->channels);
    gpuenv_array to = packed(NULL, result, 0, shape->channels);

    spec.result = 0;
    to.channel *= shape->values;
    to.frame *= shape->values;
    CHECK_OK(gpuenv_outputs(&spec, shape->frames, &to.frames, NULL));
    CHECK_THAT(gpuenv_filter_at(context, &spec, &from, memory->in, &to, out,
                                gpuenv_type_bytes(result), &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
}

static gpuenv_stream *open_stream(gpuenv_context *context, gpuenv_spec *spec, int type,
                                  unsigned channels)
{
    static const int results[] = {0,          0,          GPUENV_F32, GPUENV_F64, GPUENV_F16,
                                  GPUENV_S16, GPUENV_U24, GPUENV_S32, GPUENV_S64};
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream;

    spec->result = results[random_below(sizeof results / sizeof *results)];
    if (gpuenv_stream_open(context, spec, type, channels, &stream, &error) != GPUENV_OK) {
        CHECK_THAT(spec->result >= GPUENV_S16 && spec->edge == GPUENV_EDGE_NAN, "%d as %d: %s %s",
                   type, spec->result, error.subject, error.text);
        CHECK_THAT(strcmp(error.subject, "result") == 0, "%s", error.subject);
        spec->result = 0;
        CHECK_OK(gpuenv_stream_open(context, spec, type, channels, &stream, NULL));
    }
    CHECK(spec->result == 0 || gpuenv_stream_type(stream) == spec->result);
    return stream;
}

static void test_one(gpuenv_context *context)
{
    const int type = GPUENV_F32 + (int)random_below(GPUENV_CU8);
    gpuenv_spec spec = SPEC(.width = 1 + random_below(random_below(2) == 0  ? 20
                                                      : random_below(8) > 0 ? 3000
                                                                            : TAIL));
    struct shape shape = {
        .channels = 1 + (unsigned)random_below(random_below(2) == 0 ? 6 : CHANNELS_MOST),
    };
    const uint64_t most = SAMPLES_MOST / shape.channels;
    const bool sums = random_below(4) == 0;
    gpuenv_stream *stream;
    uint64_t results[2];
    uint64_t outputs;

    shape.frames = random_below(random_below(2) == 0 ? 100 : random_below(6) > 0 ? 5000 : most);
    spec.hop = random_below(3) == 0 ? 1 + random_below(700) : 1;
    if (sums) /* of whole hops */
        spec.width = spec.hop * (1 + random_below(8));
    spec.align = (int)random_below(4);
    spec.edge = (int)random_below(2);
    spec.nan = (int)random_below(2);
    spec.scaled = (int)random_below(2);
    spec.threads = (unsigned)random_below(4);
    spec.values = random_below(2) == 0 ? 1 : (unsigned)random_below(GPUENV_VALUES + 1);
    for (unsigned i = 0; i < spec.values; i++)
        spec.value[i] = (int)random_below(sums ? GPUENV_COUNT + 1 : GPUENV_MEAN);
    stream = open_stream(context, &spec, type, shape.channels);
    shape.in_bytes = gpuenv_type_bytes(type);
    shape.values = spec.values > 0 ? spec.values : 2;
    shape.out_bytes = gpuenv_type_bytes(gpuenv_stream_type(stream)) * shape.values;
    fill(&shape);
    results[0] = run(stream, &shape, TOGETHER, memory->out[0]);
    CHECK(gpuenv_outputs(&spec, shape.frames, &outputs, NULL) == GPUENV_OK &&
          results[0] == outputs);
    filter(context, &spec, &shape, type, gpuenv_stream_type(stream), memory->out[1]);
    CHECK_THAT(
        memcmp(memory->out[0], memory->out[1], results[0] * shape.out_bytes * shape.channels) == 0,
        "type %d to %d, %u channels, w %llu, hop %llu, align %d, %u values", type,
        gpuenv_stream_type(stream), shape.channels, (unsigned long long)spec.width,
        (unsigned long long)spec.hop, spec.align, spec.values);
    for (int way = TOGETHER; way < WAYS; way++) {
        if (way >= APART_IN_PLACE && shape.out_bytes > shape.in_bytes)
            break;
        if (way == IN_PLACE)
            memcpy(memory->out[1], memory->in, shape.frames * shape.channels * shape.in_bytes);
        CHECK_OK(gpuenv_stream_reset(stream, NULL));
        results[1] = run(stream, &shape, (enum way)way, memory->out[1]);
        CHECK_THAT(results[0] == results[1] &&
                       memcmp(memory->out[0], memory->out[1],
                              results[0] * shape.out_bytes * shape.channels) == 0,
                   "way %d, type %d, %u channels, w %llu, hop %llu, align %d, %u values", way, type,
                   shape.channels, (unsigned long long)spec.width, (unsigned long long)spec.hop,
                   spec.align, spec.values);
    }
    gpuenv_stream_close(stream);
}

static void test_refused(gpuenv_context *context)
{
    float plane[3][16] = {{0}};
    const void *in[] = {plane[0], plane[1]};
    void *out[] = {plane[0], plane[1]};
    const gpuenv_spec spec = SPEC(.width = 1, .nan = GPUENV_NAN_ERROR, .values = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream;
    uint64_t got;

    CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, 2, &stream, NULL));
    CHECK_OK(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error));
    CHECK(got == 16);
    out[1] = out[0];
    CHECK_REFUSED(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error), "out");
    CHECK(got == 0);
    out[0] = plane[1]; /* those of the other channel */
    out[1] = plane[2];
    CHECK_BAD(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error));
    out[0] = NULL;
    CHECK_BAD(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error));
    CHECK_BAD(gpuenv_stream_push_planar(stream, in, 16, NULL, 16, &got, &error));
    CHECK_BAD(gpuenv_stream_push_planar(stream, NULL, 16, out, 16, &got, &error));
    out[0] = plane[0];
    out[1] = plane[1];
    plane[0][9] = NAN;
    plane[1][4] = NAN;
    CHECK(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error) == GPUENV_NAN_FOUND);
    CHECK(error.frame == 16 + 4 && error.channel == 1);
    /* The chunk was not taken: the stream goes on at frame 16. */
    CHECK(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error) == GPUENV_NAN_FOUND);
    CHECK(error.frame == 16 + 4 && got == 0);
    plane[0][9] = plane[1][4] = 7;
    CHECK_OK(gpuenv_stream_push_planar(stream, in, 16, out, 16, &got, &error));
    CHECK(got == 16 && plane[0][9] == 7 && plane[1][4] == 7);
    CHECK_BAD(gpuenv_stream_finish_planar(stream, NULL, 16, &got, &error));
    CHECK(gpuenv_stream_finish(stream, plane, 1, &got, &error) == GPUENV_OK && got == 0);
    CHECK_BAD(gpuenv_stream_push(stream, plane, 1, plane, 1, &got, &error));
    CHECK(gpuenv_stream_reset(stream, &error) == GPUENV_OK && error.code == GPUENV_OK);
    CHECK(gpuenv_stream_push(stream, plane, 1, plane, 1, &got, &error) == GPUENV_OK && got == 1);
    CHECK_BAD(gpuenv_stream_reset(NULL, &error));
    gpuenv_stream_close(stream);
}

/* A result comes so many frames after the frame of its number. */
static void test_latency(gpuenv_context *context)
{
    for (uint64_t width = 1; width <= 9; width++) {
        for (int align = GPUENV_ALIGN_VALID; align <= GPUENV_ALIGN_FORWARD; align++) {
            const gpuenv_spec spec = SPEC(.width = width, .hop = 2, .align = align);
            gpuenv_stream *stream;
            uint64_t latency;

            CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, NULL));
            latency = gpuenv_stream_latency(stream);
            CHECK(gpuenv_stream_outputs(stream, latency) == 0);
            CHECK(gpuenv_stream_outputs(stream, latency + 1) == 1);
            CHECK(gpuenv_stream_outputs(stream, latency + 3) == 2);
            gpuenv_stream_close(stream);
        }
    }
    CHECK(gpuenv_stream_latency(NULL) == 0);
}

/* Results may begin where frames do that came before them. */
static void test_refused_in_place(gpuenv_context *context)
{
    gpuenv_spec spec = SPEC(.width = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream;
    float block[16] = {0};
    uint64_t outputs;

    CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, NULL));
    CHECK_REFUSED(gpuenv_stream_push(stream, block, 8, block, 8, &outputs, &error), "out");
    CHECK(outputs == 0);
    CHECK_OK(gpuenv_stream_push(stream, block + 15, 1, block, 8, &outputs, &error));
    CHECK_OK(gpuenv_stream_push(stream, block, 4, block + 4, 4, &outputs, &error));
    CHECK_BAD(gpuenv_stream_push(stream, block, 5, block + 4, 5, &outputs, &error));
    gpuenv_stream_close(stream);

    spec.values = 1;
    CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, NULL));
    CHECK_BAD(gpuenv_stream_push(stream, block, 8, block + 1, 8, &outputs, &error));
    CHECK_OK(gpuenv_stream_push(stream, block + 1, 8, block, 8, &outputs, &error));
    gpuenv_stream_close(stream);
}

int main(void)
{
    memory = malloc(sizeof *memory);
    if (memory == NULL)
        return 1;
    for (unsigned threads = 1; threads < 4; threads += 2) {
        gpuenv_context *context = open_context(threads);

        for (int i = 0; i < (CHECK_FEW ? 20 : 150); i++)
            test_one(context);
        test_refused(context);
        test_latency(context);
        test_refused_in_place(context);
        gpuenv_close(context);
    }
    free(memory);
    return check_result();
}
