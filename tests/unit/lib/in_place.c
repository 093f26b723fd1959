/* Streams whose results take the place of their frames: right with any number of threads, or
 * refused. */
#include "calls.h"

#include <stdlib.h>

enum { FRAMES = 300000, BYTES = FRAMES * 3 * 8 };

static unsigned char *samples; /* of any type: bytes */
static unsigned char *due;
static unsigned char *got;

/* Types whose results have the size of their frames, or less. */
static const struct {
    int type;
    unsigned bytes;
    unsigned values;
    unsigned result_bytes;
} types[] = {{GPUENV_F32, 4, 1, 4},  {GPUENV_F64, 8, 1, 8},    {GPUENV_S16, 2, 1, 2},
             {GPUENV_CF32, 8, 2, 8}, {GPUENV_CF64, 16, 2, 16}, {GPUENV_CF32, 8, 1, 4},
             {GPUENV_S64, 8, 1, 8},  {GPUENV_U8, 1, 1, 1}};

enum { TYPES = sizeof types / sizeof *types };

/* Pushes all frames, this many at a time, from `from` to `to`. Returns the frames of results. */
static uint64_t push_steps(gpuenv_stream *stream, unsigned char *from, unsigned char *to,
                           uint64_t frames, uint64_t step, size_t in_bytes, size_t out_bytes)
{
    uint64_t results = 0;

    for (uint64_t done = 0; done < frames; done += step) {
        uint64_t count = frames - done < step ? frames - done : step;
        uint64_t outputs = 0;

        CHECK(gpuenv_stream_push(stream, from + done * in_bytes, count, to + results * out_bytes,
                                 gpuenv_stream_outputs(stream, count), &outputs,
                                 NULL) == GPUENV_OK);
        results += outputs;
    }
    return results;
}

static void test_one(gpuenv_context *context, const gpuenv_spec *spec, int type, unsigned channels)
{
    static const uint64_t steps[] = {FRAMES, 64, 70001};
    const size_t in_bytes = (size_t)types[type].bytes * channels;
    const uint64_t frames = in_bytes * FRAMES > BYTES ? BYTES / in_bytes : FRAMES;
    const size_t out_bytes = (size_t)types[type].result_bytes * channels;

    for (int i = 0; i < 3; i++) {
        gpuenv_stream *stream[2];
        uint64_t results[2];

        for (int k = 0; k < 2; k++)
            CHECK(gpuenv_stream_open(context, spec, types[type].type, channels, &stream[k], NULL) ==
                  GPUENV_OK);
        memcpy(got, samples, frames * in_bytes);
        results[0] = push_steps(stream[0], samples, due, frames, steps[i], in_bytes, out_bytes);
        results[1] = push_steps(stream[1], got, got, frames, steps[i], in_bytes, out_bytes);
        CHECK_THAT(results[0] == results[1] && memcmp(due, got, results[0] * out_bytes) == 0,
                   "type %d, %u channels, w %llu, %llu frames a push", types[type].type, channels,
                   (unsigned long long)spec->width, (unsigned long long)steps[i]);
        gpuenv_stream_close(stream[0]);
        gpuenv_stream_close(stream[1]);
    }
}

static void test_in_place(unsigned threads)
{
    static const uint64_t widths[] = {1, 3, 512, 40000};
    gpuenv_context *context = open_context(threads);

    for (int type = 0; type < TYPES; type++) {
        for (int i = type % (CHECK_THREADS ? 4 : 2); i < 4; i += CHECK_FEW ? 2 : 1) {
            gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);

            spec.width = widths[i];
            spec.align = (type + i) % 4;
            spec.hop = type % 3 == 2 ? 5 : 1;
            spec.values = types[type].values;
            spec.value[1] = GPUENV_MAX;
            test_one(context, &spec, type, 1 + (unsigned)(i % 2) * (type % 3 == 1 ? 8 : 2));
        }
    }
    gpuenv_close(context);
}

static void test_refused(void)
{
    gpuenv_spec spec = spec_of(1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context;
    gpuenv_stream *stream;
    float block[16] = {0};
    uint64_t outputs;

    CHECK(gpuenv_open(NULL, &context, NULL) == GPUENV_OK);
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, NULL) == GPUENV_OK);
    CHECK_REFUSED(gpuenv_stream_push(stream, block, 8, block, 8, &outputs, &error), "out");
    CHECK(outputs == 0);
    CHECK(gpuenv_stream_push(stream, block + 15, 1, block, 8, &outputs, &error) == GPUENV_OK);
    CHECK(gpuenv_stream_push(stream, block, 4, block + 4, 4, &outputs, &error) == GPUENV_OK);
    CHECK(gpuenv_stream_push(stream, block, 5, block + 4, 5, &outputs, &error) ==
          GPUENV_BAD_ARGUMENT);
    gpuenv_stream_close(stream);

    spec.values = 1;
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, NULL) == GPUENV_OK);
    CHECK(gpuenv_stream_push(stream, block, 8, block + 1, 8, &outputs, &error) ==
          GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stream_push(stream, block + 1, 8, block, 8, &outputs, &error) == GPUENV_OK);
    gpuenv_stream_close(stream);
    gpuenv_close(context);
}

int main(void)
{
    samples = malloc(BYTES);
    due = malloc(BYTES);
    got = malloc(BYTES);
    if (samples == NULL || due == NULL || got == NULL)
        return 1;
    for (uint32_t i = 0; i < BYTES; i++)
        samples[i] = (unsigned char)(i * 2654435761U >> 23);
    test_in_place(1);
    test_in_place(3);
    test_refused();
    free(samples);
    free(due);
    free(got);
    return check_result();
}
