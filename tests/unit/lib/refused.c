/* SPDX-License-Identifier: MIT */
/* Calls of the library that are refused: what is missing, on top of something else, too large, or
 * of another process; and structs of other sizes. */
#include "calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 12, WIDTH = 3, RESULTS = FRAMES - WIDTH + 1 };

static gpuenv_array plain(const float *data, uint64_t frames)
{
    return packed(data, GPUENV_F32, frames, 1);
}

/* Arrays of a few samples at any distances, whose bytes can be counted. */
enum { FIELD = 1600, MIDDLE = FIELD / 2 };

static _Alignas(64) unsigned char field[FIELD];

struct drawn {
    gpuenv_array array;
    unsigned char counts[FIELD]; /* the samples in which each byte is */
    bool on_top;                 /* some bytes are in several */
};

static void draw_distances(gpuenv_array *array)
{
    const ptrdiff_t bytes = random_below(2) == 0 ? 1 : 4;
    ptrdiff_t *const distances[] = {&array->row, &array->frame, &array->channel};

    array->type = bytes == 1 ? GPUENV_S8 : GPUENV_F32;
    for (int i = 0; i < 3; i++)
        *distances[i] = bytes * ((ptrdiff_t)random_below(25) - 12) * (random_below(2) == 0 ? 1 : 2);
    array->data = field + MIDDLE + bytes * ((ptrdiff_t)random_below(60) - 30);
}

static void draw_array(struct drawn *drawn, uint64_t rows, uint64_t frames, uint64_t channels)
{
    gpuenv_array *array = &drawn->array;

    *drawn = (struct drawn){.array = GPUENV_INIT(gpuenv_array)};
    draw_distances(array);
    array->rows = rows;
    array->frames = frames;
    array->channels = channels;
    array->broadcast = 1;
    for (uint64_t i = 0; i < rows * frames * channels; i++) {
        unsigned char *at = (unsigned char *)array->data +
                            (ptrdiff_t)(i / channels / frames) * array->row +
                            (ptrdiff_t)(i / channels % frames) * array->frame +
                            (ptrdiff_t)(i % channels) * array->channel;

        for (int k = 0; k < (array->type == GPUENV_S8 ? 1 : 4); k++)
            drawn->on_top = ++drawn->counts[at + k - field] > 1 || drawn->on_top;
    }
}

static bool meet(const struct drawn *one, const struct drawn *other)
{
    for (int i = 0; i < FIELD; i++) {
        if (one->counts[i] > 0 && other->counts[i] > 0)
            return true;
    }
    return false;
}

/* Why the call is refused, and which array is named. */
enum why { ALLOWED, ON_TOP, ON_INPUT, ON_OTHER, WHYS };

static enum why why_not(const struct drawn *in, const struct drawn *out, unsigned *about)
{
    for (*about = 0; *about < 2; ++*about) {
        if (out[*about].on_top)
            return ON_TOP;
        if (meet(in, &out[*about]))
            return ON_INPUT;
    }
    *about = 1;
    return meet(&out[0], &out[1]) ? ON_OTHER : ALLOWED;
}

/* No result is written where there is another one, or a sample; everything else is allowed. */
static void test_overlaps(gpuenv_context *context)
{
    static const char *const texts[WHYS] = {"", "has results that overlap", "overlaps the input",
                                            "overlaps out[0]"};
    const gpuenv_spec spec = SPEC(.width = 1);
    unsigned counts[WHYS][2] = {{0}};

    for (int n = 0; n < (CHECK_FEW ? 5000 : 50000); n++) {
        static struct drawn in;
        static struct drawn out[2];
        gpuenv_error error = GPUENV_INIT(gpuenv_error);
        const uint64_t shape[] = {1 + random_below(3), 1 + random_below(3), 1 + random_below(3)};
        enum why why;
        unsigned about;

        draw_array(&in, shape[0], shape[1], shape[2]);
        for (int i = 0; i < 2; i++)
            draw_array(&out[i], shape[0], shape[1], shape[2]);
        why = why_not(&in, out, &about);
        counts[why][about]++;
        CHECK(gpuenv_filter(context, &spec, &in.array,
                            (const gpuenv_array[]){out[0].array, out[1].array},
                            &error) == (why == ALLOWED ? GPUENV_OK : GPUENV_BAD_ARGUMENT));
        CHECK_THAT(strcmp(error.text, texts[why]) == 0 &&
                       strcmp(error.subject, why == ALLOWED ? ""
                                             : about == 0   ? "out[0]"
                                                            : "out[1]") == 0,
                   "%s %s", error.subject, error.text);
    }
    for (int why = ALLOWED; why < WHYS; why++)
        CHECK_THAT(counts[why][1] > 100, "%d: %u", why, counts[why][1]);
}

static void test_sizes(gpuenv_context *context)
{
    struct {
        gpuenv_spec spec;
        unsigned char later[24];
    } large_spec;
    struct {
        gpuenv_array array;
        unsigned char later[40];
    } large[2];
    struct {
        gpuenv_record record;
        uint64_t later[3];
    } records[3];
    struct {
        size_t size;
        int code;
    } small_error = {.size = sizeof small_error, .code = -7};
    gpuenv_spec small = SPEC(.width = WIDTH);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float in[FRAMES] = {0};
    float low[RESULTS];
    float high[RESULTS];
    gpuenv_array from = plain(in, FRAMES);

    for (int i = 0; i < FRAMES; i++)
        in[i] = (float)(i * 5 % FRAMES);
    memset(&large_spec, 0, sizeof large_spec);
    memset(large, 0, sizeof large);
    large_spec.spec = small;
    large_spec.spec.size = sizeof large_spec;
    large[0].array = plain(low, RESULTS);
    large[1].array = plain(high, RESULTS);
    large[0].array.size = large[1].array.size = sizeof *large;
    CHECK_OK(gpuenv_filter(context, &large_spec.spec, &from, &large[0].array, NULL));
    CHECK(low[0] == 0 && high[0] == 10 && low[1] == 3 && high[1] == 10);

    /* What this library would not do is refused. */
    large_spec.later[23] = 1;
    CHECK_BAD(gpuenv_filter(context, &large_spec.spec, &from, &large[0].array, NULL));
    large_spec.later[23] = 0;
    large[1].later[0] = 1;
    CHECK_BAD(gpuenv_filter(context, &large_spec.spec, &from, &large[0].array, NULL));
    large[1].later[0] = 0;

    /* Members that an older caller has not are 0, whatever lies there. */
    memset((unsigned char *)&small + offsetof(gpuenv_spec, times), 0xff,
           sizeof small - offsetof(gpuenv_spec, times));
    small.size = offsetof(gpuenv_spec, times);
    CHECK_OK(gpuenv_filter(context, &small, &from, &large[0].array, NULL));
    CHECK(high[RESULTS - 1] == 9);

    /* An error without room for a text is left alone, but for what the caller is told. */
    small.size = 3;
    CHECK_BAD(gpuenv_filter(context, &small, &from, &large[0].array,
                            (gpuenv_error *)(void *)&small_error));
    CHECK(small_error.code == -7);

    memset(records, 0xff, sizeof records);
    records[0].record.size = sizeof *records;
    CHECK_OK(gpuenv_stats(context, &from, 5, &records[0].record, NULL));
    CHECK(records[2].record.frames == 2 && records[2].later[0] == UINT64_MAX);
    CHECK(records[1].record.size == sizeof *records && records[1].later[2] == UINT64_MAX);
    records[0].record.size = sizeof(gpuenv_record) - 1;
    CHECK_REFUSED(gpuenv_stats(context, &from, 5, &records[0].record, &error), "record");
    CHECK_THAT(strcmp(error.text, "has a size of 127: use GPUENV_INIT") == 0, "%s", error.text);
    CHECK_REFUSED(gpuenv_stats(context, &from, 5, NULL, &error), "record");
    CHECK_THAT(strcmp(error.text, "is NULL") == 0, "%s", error.text);
    records[0].record.size = (size_t)1 << 40; /* it was not set */
    CHECK_REFUSED(gpuenv_stats(context, &from, 5, &records[0].record, &error), "record");
    CHECK_REFUSED(gpuenv_filter(context, NULL, &from, &large[0].array, &error), "spec");
    CHECK_THAT(strcmp(error.text, "is NULL") == 0, "%s", error.text);
    from.size = offsetof(gpuenv_array, channel);
    CHECK_BAD(gpuenv_stats(context, &from, 5, &records[1].record, NULL));
    CHECK_BAD(gpuenv_records(NULL, 5, &records[1].later[0], NULL));
}

static void test_reach(gpuenv_context *context)
{
    const gpuenv_spec spec = SPEC(.width = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float sample = 0;
    gpuenv_array in = plain(&sample, UINT64_C(1) << 62);
    gpuenv_array out[2] = {in, in};
    uint64_t records;

    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, out, &error), "in");
    CHECK(strstr(error.text, "address space") != NULL);
    in.frames = UINT64_MAX;
    CHECK_BAD(gpuenv_filter(context, &spec, &in, out, &error));
    in = plain(&sample, 4);
    in.rows = in.channels = (uint64_t)PTRDIFF_MAX;
    CHECK_REFUSED(gpuenv_records(&in, 1, &records, &error), "array");
    for (int i = 0; i < 6; i++) {
        const ptrdiff_t far[] = {PTRDIFF_MAX,      PTRDIFF_MIN,     PTRDIFF_MIN + 1,
                                 PTRDIFF_MIN + 64, PTRDIFF_MIN / 2, PTRDIFF_MAX - 64};
        gpuenv_record record = GPUENV_INIT(gpuenv_record);

        in = plain(&sample, 4);
        in.rows = 2;
        in.row = far[i];
        in.channels = i < 4 ? 1 : 3;
        in.channel = far[i];
        error = GPUENV_INIT(gpuenv_error);
        CHECK_REFUSED(gpuenv_filter(context, &spec, &in, out, &error), "in");
        CHECK(strstr(error.text, "address space") != NULL);
        CHECK_REFUSED(gpuenv_stats(context, &in, 0, &record, &error), "array");
    }

    /* Without channels, or rows, or frames, there is nothing to do. */
    in = plain(NULL, 4);
    in.broadcast = 1;
    in.channels = 0;
    out[0] = out[1] = in;
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
    in.channels = 1;
    in.frames = 0;
    out[0] = out[1] = in;
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
}

/* Zeros are packed samples, and never other samples than those: planar channels, columns, samples
 * with gaps and frames that overlap need all of their distances. */
static void test_zeros(gpuenv_context *context)
{
    enum { ROWS = 2, LONG = 5, CHANNELS = 3 };
    static const ptrdiff_t unsuitable[][3] = {{0, 0, 4 * LONG}, {0, 4, 0}, {4, 0, 0}, {4, 0, 4},
                                              {0, 0, 8},        {0, 0, 2}, {0, 16, 0}};
    static const ptrdiff_t suitable[][3] = {
        {0, 0, 0}, {60, 0, 0}, {0, 12, 0}, {0, 0, 4}, {-80, 0, 0}, {80, 16, 0}, {0, 12, -4},
    };
    const gpuenv_spec spec = SPEC(.width = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float samples[ROWS * LONG * CHANNELS] = {1, 2, 3};
    float low[ROWS * LONG * CHANNELS];
    float high[ROWS * LONG * CHANNELS];
    gpuenv_array in = GPUENV_INIT(gpuenv_array);
    gpuenv_array out[2];
    uint64_t records;

    in.data = samples;
    in.type = GPUENV_F32;
    in.frames = LONG;
    out[0] = out[1] = in;
    out[0].data = low;
    out[1].data = high;
    CHECK(gpuenv_records(&in, 1, &records, NULL) == GPUENV_OK && records == LONG);
    samples[LONG - 1] = low[LONG] = 7;
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
    CHECK(memcmp(low, samples, LONG * sizeof *low) == 0 && low[LONG] == 7);
    for (unsigned i = 0; i < ROWS * LONG * CHANNELS; i++)
        samples[i] = (float)i;
    for (int i = 0; i < 3; i++) {
        gpuenv_array *array = i == 0 ? &in : &out[i - 1];

        array->rows = ROWS;
        array->channels = CHANNELS;
    }
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, &error));
    CHECK(memcmp(low, samples, sizeof low) == 0 && memcmp(high, samples, sizeof high) == 0);
    for (unsigned i = 0; i < sizeof suitable / sizeof *suitable; i++) {
        in.row = suitable[i][0];
        in.frame = suitable[i][1];
        in.channel = suitable[i][2];
        CHECK_OK(gpuenv_records(&in, 0, &records, &error));
    }
    for (unsigned i = 0; i < sizeof unsuitable / sizeof *unsuitable; i++) {
        in.row = unsuitable[i][0];
        in.frame = unsuitable[i][1];
        in.channel = unsuitable[i][2];
        CHECK_REFUSED(gpuenv_filter(context, &spec, &in, out, &error), "in");
        CHECK(strstr(error.text, "distances of 0") != NULL);
    }
    in.row = in.frame = in.channel = 0;
    in.rows = in.frames = in.channels = UINT64_C(1) << 30;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, out, &error), "in");
}

/* A window that no memory holds is refused before any work, with the bytes. */
static void test_memory(gpuenv_context *context)
{
    gpuenv_spec spec = SPEC(.width = UINT64_C(1) << 50);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream = NULL;
    float in = 7;
    float results[2];
    gpuenv_array from = plain(&in, 1);
    gpuenv_array to[1] = {plain(results, 1)};

    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error) == GPUENV_NO_MEMORY);
    CHECK(stream == NULL && strcmp(error.subject, "width") == 0);
    CHECK_THAT(strstr(error.text, " bytes)") != NULL, "%s", error.text);
    spec.width = UINT64_MAX;
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F64, 9, &stream, &error) == GPUENV_NO_MEMORY);
    CHECK(stream == NULL && strcmp(error.subject, "width") == 0);

    from.broadcast = 1; /* the same sample again and again */
    from.frame = 0;
    from.frames = (UINT64_C(1) << 46) + 1;
    spec.width = UINT64_C(1) << 46;
    spec.values = 1;
    to[0].frames = 2;
    CHECK(gpuenv_filter(context, &spec, &from, to, &error) == GPUENV_NO_MEMORY);
    CHECK(strcmp(error.subject, "width") == 0);
    CHECK_THAT(strstr(error.text, " bytes)") != NULL, "%s", error.text);
    /* A row again and again, of samples that are filtered where they are, and of others. */
    from.frames = to[0].frames = spec.width = 1;
    for (uint64_t bytes = 4; bytes < 1024; bytes += 4) {
        from.swapped = to[0].swapped = bytes % 8 == 4;
        from.rows = UINT64_MAX / bytes + 2;
        CHECK(gpuenv_filter_boxes(context, &spec, from.rows, &from, to, NULL) == GPUENV_NO_MEMORY);
    }
    /* But a window that covers all samples there are needs no more than those. */
    from = plain(&in, 1);
    to[0] = plain(results, 1);
    spec.width = UINT64_MAX;
    spec.align = GPUENV_CAUSAL;
    CHECK(gpuenv_filter(context, &spec, &from, to, &error) == GPUENV_OK && results[0] == 7);
}

/* A NaN is found where there are no windows, too. */
static void test_nan(gpuenv_context *context)
{
    const gpuenv_spec spec = SPEC(.width = FRAMES + 1, .nan = GPUENV_NAN_ERROR);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float in[FRAMES] = {0};
    gpuenv_array from = plain(in, FRAMES);
    gpuenv_array to[2] = {plain(NULL, 0), plain(NULL, 0)};

    CHECK_OK(gpuenv_filter(context, &spec, &from, to, &error));
    in[5] = NAN;
    CHECK(gpuenv_filter(context, &spec, &from, to, &error) == GPUENV_NAN_FOUND && error.frame == 5);
}

static void test_streams(gpuenv_context *context)
{
    gpuenv_spec spec = SPEC(.width = WIDTH);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float in[FRAMES] = {0};
    float results[2 * FRAMES];
    gpuenv_stream *stream = NULL;
    uint64_t got = 9;
    int status = 0;
    pid_t child;

    CHECK(gpuenv_stream_type(NULL) == GPUENV_TYPE_NONE && gpuenv_stream_outputs(NULL, 5) == 0);
    CHECK_REFUSED(gpuenv_stream_push(NULL, in, 1, results, 1, &got, &error), "stream");
    CHECK(got == 0);
    CHECK_BAD(gpuenv_stream_finish(NULL, results, 1, &got, &error));
    gpuenv_stream_close(NULL);
    CHECK_BAD(gpuenv_stream_open(NULL, &spec, GPUENV_F32, 1, &stream, &error));
    CHECK_BAD(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, NULL, &error));
    CHECK_BAD(gpuenv_stream_open(context, NULL, GPUENV_F32, 1, &stream, &error));
    CHECK_BAD(gpuenv_stream_open(context, &spec, 0, 1, &stream, &error));
    for (spec.result = -1; spec.result <= GPUENV_CU8 + 1; spec.result += GPUENV_CU8 + 2) {
        CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "result");
    }
    spec.result = GPUENV_CF32;
    CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "result");
    spec.result = 0;
    CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error));
    CHECK_REFUSED(gpuenv_stream_push(stream, NULL, 4, results, 2, &got, &error), "in");
    CHECK_REFUSED(gpuenv_stream_push(stream, in, 4, NULL, 2, &got, &error), "out");
    CHECK_BAD(gpuenv_stream_push(stream, in, 4, results, 2, NULL, &error));
    CHECK_REFUSED(gpuenv_stream_push(stream, in, 4, (char *)results + 1, 2, &got, &error), "out");
    CHECK(strcmp(error.text, "is not aligned to its type") == 0);
    CHECK_REFUSED(
        gpuenv_stream_push(stream, in, UINT64_MAX / 4 + 1, results, UINT64_MAX, &got, &error),
        "frames");
    CHECK(gpuenv_stream_push(stream, NULL, 0, NULL, 0, &got, &error) == GPUENV_OK && got == 0);
    CHECK(gpuenv_stream_push(stream, in, 2, NULL, 0, &got, &error) == GPUENV_OK && got == 0);
    child = fork();
    if (child == 0) {
        status = gpuenv_stream_push(stream, in, 1, results, 1, &got, &error);
        gpuenv_stream_close(stream);
        _exit(status == GPUENV_BAD_ARGUMENT && strcmp(error.subject, "stream") == 0 ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(gpuenv_stream_push(stream, in, 2, results, 2, &got, &error) == GPUENV_OK && got == 2);
    CHECK(gpuenv_stream_finish(stream, NULL, 0, &got, &error) == GPUENV_OK && got == 0);
    gpuenv_stream_close(stream);
}

/* Wherever this is built, and whatever devices there are. */
static void test_no_device(gpuenv_context *context)
{
    static const float samples[4];
    const gpuenv_array array = plain(samples, 4);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_record record = GPUENV_INIT(gpuenv_record);
    size_t bytes;

    CHECK(gpuenv_stats_cuda(context, &array, 0, &record, sizeof record, NULL, &bytes, 7777, NULL,
                            &error) == GPUENV_NO_DEVICE);
    CHECK_THAT(strlen(error.text) > 10, "%s", error.text);
    CHECK_BAD(
        gpuenv_stats_cuda(NULL, &array, 0, &record, sizeof record, NULL, &bytes, 0, NULL, &error));
    CHECK_BAD(
        gpuenv_stats_cuda(context, &array, 0, NULL, sizeof record, NULL, &bytes, 0, NULL, &error));
}

int main(void)
{
    gpuenv_context *context;

    CHECK_BAD(gpuenv_open(NULL, NULL, NULL));
    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    test_overlaps(context);
    test_sizes(context);
    test_reach(context);
    test_zeros(context);
    test_memory(context);
    test_nan(context);
    test_streams(context);
    test_no_device(context);
    gpuenv_close(context);
    return check_result();
}
