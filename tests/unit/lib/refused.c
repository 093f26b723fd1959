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

/* Filters into two arrays. It is refused because of this; "": it is not. */
static void check_pair(gpuenv_context *context, const gpuenv_array *in, gpuenv_array low,
                       gpuenv_array high, const char *about)
{
    const gpuenv_spec spec = spec_of(WIDTH);
    const gpuenv_array out[2] = {low, high};
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const int due = about[0] == '\0' ? GPUENV_OK : GPUENV_BAD_ARGUMENT;

    CHECK_THAT(gpuenv_filter(context, &spec, in, out, &error) == due &&
                   strcmp(error.subject, about) == 0,
               "%s, not %s", error.subject, about);
}

static void test_overlaps(gpuenv_context *context)
{
    float memory[20 * FRAMES];
    float *far = memory + (size_t)10 * FRAMES;
    gpuenv_array in = plain(memory, FRAMES);
    gpuenv_array low = plain(far, RESULTS);
    gpuenv_array high = plain(far + RESULTS, RESULTS);
    gpuenv_array other;

    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        memory[i] = (float)i;
    check_pair(context, &in, low, high, "");
    check_pair(context, &in, high, low, "");
    check_pair(context, &in, plain(memory, RESULTS), high, "out[0]");
    check_pair(context, &in, low, plain(memory + FRAMES - 1, RESULTS), "out[1]");
    check_pair(context, &in, plain(memory + FRAMES, RESULTS), high, "");
    check_pair(context, &in, low, low, "out[1]");
    check_pair(context, &in, low, plain(far + RESULTS - 1, RESULTS), "out[1]");

    /* Pairs lie between each other, backwards too. */
    low.frame = high.frame = 2 * sizeof(float);
    high.data = far + 1;
    check_pair(context, &in, low, high, "");
    high.data = far + (size_t)2 * RESULTS - 1;
    high.frame = -high.frame;
    check_pair(context, &in, low, high, "");
    high.data = far + (size_t)2 * RESULTS - 2;
    check_pair(context, &in, low, high, "out[1]");

    /* Columns of a matrix beside each other, and blocks of it that meet. */
    in = low = high = plain(memory, FRAMES);
    in.channels = low.channels = high.channels = 4;
    in.channel = low.channel = high.channel = sizeof(float);
    in.frame = low.frame = high.frame = 12 * sizeof(float);
    low.frames = high.frames = RESULTS;
    low.data = memory + 4;
    high.data = memory + 8;
    check_pair(context, &in, low, high, "");
    low.data = memory + 3;
    check_pair(context, &in, low, high, "out[0]");
    low.data = memory + 3 + 12 * 7;
    check_pair(context, &in, low, high, "out[0]");
    low.data = memory + 5;
    check_pair(context, &in, low, high, "out[1]");
    high.data = memory + 8 + 12 * 4;
    low.data = memory + 4;
    check_pair(context, &in, low, high, "");

    /* Results on top of each other. */
    in = plain(memory, FRAMES);
    low = plain(far, RESULTS);
    other = high = plain(far + RESULTS, RESULTS);
    other.frame = 0;
    check_pair(context, &in, low, other, "out[1]");
    other.frame = -3;
    check_pair(context, &in, low, other, "out[1]");
    in.rows = low.rows = high.rows = 2;
    in.row = FRAMES * sizeof(float);
    high.row = RESULTS * sizeof(float);
    check_pair(context, &in, low, high, "out[0]");
    in.row = 0; /* the same samples again are no fault */
    low.row = high.row = (ptrdiff_t)(2 * RESULTS * sizeof(float));
    check_pair(context, &in, low, high, "");
}

/* Arrays of a few samples at any distances, whose bytes can be counted. */
enum { FIELD = 1600, MIDDLE = FIELD / 2 };

static gpuenv_array draw_array(unsigned char *field)
{
    gpuenv_array array = GPUENV_INIT(gpuenv_array);
    const ptrdiff_t bytes = random_below(2) == 0 ? 1 : 4;
    ptrdiff_t *const distances[] = {&array.row, &array.frame, &array.channel};

    array.type = bytes == 1 ? GPUENV_S8 : GPUENV_F32;
    for (int i = 0; i < 3; i++)
        *distances[i] = bytes * ((ptrdiff_t)random_below(25) - 12) * (random_below(2) == 0 ? 1 : 2);
    array.data = field + MIDDLE + bytes * (ptrdiff_t)random_below(20);
    return array;
}

/* Counts the samples in which each byte is. Returns the most. */
static int count_bytes(const gpuenv_array *array, int bytes, unsigned char *counts)
{
    int most = 0;

    for (uint64_t i = 0; i < array->rows * array->frames * array->channels; i++) {
        unsigned char *at = (unsigned char *)array->data +
                            (ptrdiff_t)(i / array->channels / array->frames) * array->row +
                            (ptrdiff_t)(i / array->channels % array->frames) * array->frame +
                            (ptrdiff_t)(i % array->channels) * array->channel;

        for (int k = 0; k < bytes; k++)
            most = ++counts[at + k - (unsigned char *)array->data + MIDDLE] > most
                       ? counts[at + k - (unsigned char *)array->data + MIDDLE]
                       : most;
    }
    return most;
}

/* No result is written where there is another one, or a sample; everything else is allowed. */
static void test_all_overlaps(gpuenv_context *context)
{
    gpuenv_spec spec = spec_of(1);
    unsigned refusals[2] = {0, 0};

    spec.values = 1;
    for (int n = 0; n < (CHECK_FEW ? 5000 : 50000); n++) {
        static _Alignas(64) unsigned char field[FIELD];
        unsigned char counts[2][FIELD] = {{0}};
        gpuenv_error error = GPUENV_INIT(gpuenv_error);
        gpuenv_array in = draw_array(field);
        gpuenv_array out = draw_array(field);
        const ptrdiff_t apart = (const unsigned char *)out.data - (const unsigned char *)in.data;
        bool on_top;
        bool meet = false;

        in.rows = out.rows = 1 + random_below(3);
        in.frames = out.frames = 1 + random_below(3);
        in.channels = out.channels = 1 + random_below(3);
        (void)count_bytes(&in, in.type == GPUENV_S8 ? 1 : 4, counts[0]);
        on_top = count_bytes(&out, out.type == GPUENV_S8 ? 1 : 4, counts[1]) > 1;
        for (int i = 100; i < FIELD - 100; i++)
            meet = meet || (counts[0][i + apart] > 0 && counts[1][i] > 0);
        CHECK((gpuenv_filter(context, &spec, &in, &out, &error) == GPUENV_BAD_ARGUMENT) ==
              (on_top || meet));
        refusals[0] += on_top ? 1 : 0;
        refusals[1] += meet && !on_top ? 1 : 0;
    }
    CHECK_THAT(refusals[0] > 500 && refusals[1] > 500, "%u and %u", refusals[0], refusals[1]);
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
    gpuenv_spec small = spec_of(WIDTH);
    float in[FRAMES];
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
    CHECK(gpuenv_filter(context, &large_spec.spec, &from, &large[0].array, NULL) == GPUENV_OK);
    CHECK(low[0] == 0 && high[0] == 10 && low[1] == 3 && high[1] == 10);

    /* What this library would not do is refused. */
    large_spec.later[23] = 1;
    CHECK(gpuenv_filter(context, &large_spec.spec, &from, &large[0].array, NULL) ==
          GPUENV_BAD_ARGUMENT);
    large_spec.later[23] = 0;
    large[1].later[0] = 1;
    CHECK(gpuenv_filter(context, &large_spec.spec, &from, &large[0].array, NULL) ==
          GPUENV_BAD_ARGUMENT);
    large[1].later[0] = 0;

    /* Members that an older caller has not are 0, whatever lies there. */
    memset((unsigned char *)&small + offsetof(gpuenv_spec, times), 0xff,
           sizeof small - offsetof(gpuenv_spec, times));
    small.size = offsetof(gpuenv_spec, times);
    CHECK(gpuenv_filter(context, &small, &from, &large[0].array, NULL) == GPUENV_OK);
    CHECK(high[RESULTS - 1] == 9);

    /* An error without room for a text is left alone, but for what the caller is told. */
    small.size = 3;
    CHECK(gpuenv_filter(context, &small, &from, &large[0].array,
                        (gpuenv_error *)(void *)&small_error) == GPUENV_BAD_ARGUMENT);
    CHECK(small_error.code == -7);

    memset(records, 0xff, sizeof records);
    records[0].record.size = sizeof *records;
    CHECK(gpuenv_stats(context, &from, 5, &records[0].record, NULL) == GPUENV_OK);
    CHECK(records[2].record.frames == 2 && records[2].later[0] == UINT64_MAX);
    CHECK(records[1].record.size == sizeof *records && records[1].later[2] == UINT64_MAX);
    records[0].record.size = sizeof(gpuenv_record) - 1;
    CHECK(gpuenv_stats(context, &from, 5, &records[0].record, NULL) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stats(context, &from, 5, NULL, NULL) == GPUENV_BAD_ARGUMENT);
    from.size -= 1;
    CHECK(gpuenv_stats(context, &from, 5, &records[1].record, NULL) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_records(NULL, 5, &records[1].later[0], NULL) == GPUENV_BAD_ARGUMENT);
}

static void test_reach(gpuenv_context *context)
{
    const gpuenv_spec spec = spec_of(1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float sample = 0;
    gpuenv_array in = plain(&sample, UINT64_C(1) << 62);
    gpuenv_array out[2] = {in, in};
    uint64_t records;

    CHECK_REFUSED(gpuenv_filter(context, &spec, &in, out, &error), "in");
    CHECK(strstr(error.text, "address space") != NULL);
    in.frames = UINT64_MAX;
    CHECK(gpuenv_filter(context, &spec, &in, out, &error) == GPUENV_BAD_ARGUMENT);
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
    in.channels = 0;
    out[0] = out[1] = in;
    CHECK(gpuenv_filter(context, &spec, &in, out, &error) == GPUENV_OK);
    in.channels = 1;
    in.frames = 0;
    out[0] = out[1] = in;
    CHECK(gpuenv_filter(context, &spec, &in, out, &error) == GPUENV_OK);
}

/* A window that no memory holds is refused before any work, with the bytes. */
static void test_memory(gpuenv_context *context)
{
    gpuenv_spec spec = spec_of(UINT64_C(1) << 50);
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

    from.frame = 0; /* the same sample again and again */
    from.frames = (UINT64_C(1) << 46) + 1;
    spec.width = UINT64_C(1) << 46;
    spec.values = 1;
    to[0].frames = 2;
    CHECK(gpuenv_filter(context, &spec, &from, to, &error) == GPUENV_NO_MEMORY);
    CHECK(strcmp(error.subject, "width") == 0);
    CHECK_THAT(strstr(error.text, " bytes)") != NULL, "%s", error.text);
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
    gpuenv_spec spec = spec_of(FRAMES + 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    float in[FRAMES] = {0};
    gpuenv_array from = plain(in, FRAMES);
    gpuenv_array to[2] = {plain(NULL, 0), plain(NULL, 0)};

    spec.nan = GPUENV_NAN_ERROR;
    CHECK(gpuenv_filter(context, &spec, &from, to, &error) == GPUENV_OK);
    in[5] = NAN;
    CHECK(gpuenv_filter(context, &spec, &from, to, &error) == GPUENV_NAN_FOUND && error.frame == 5);
}

static void test_streams(gpuenv_context *context)
{
    gpuenv_spec spec = spec_of(WIDTH);
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
    CHECK(gpuenv_stream_finish(NULL, results, 1, &got, &error) == GPUENV_BAD_ARGUMENT);
    gpuenv_stream_close(NULL);
    CHECK(gpuenv_stream_open(NULL, &spec, GPUENV_F32, 1, &stream, &error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, NULL, &error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stream_open(context, NULL, GPUENV_F32, 1, &stream, &error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stream_open(context, &spec, 0, 1, &stream, &error) == GPUENV_BAD_ARGUMENT);
    for (spec.result = -1; spec.result <= GPUENV_CU8 + 1; spec.result += GPUENV_CU8 + 2) {
        CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "result");
    }
    spec.result = GPUENV_CF32;
    CHECK_REFUSED(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error), "result");
    spec.result = 0;
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error) == GPUENV_OK);
    CHECK_REFUSED(gpuenv_stream_push(stream, NULL, 4, results, 2, &got, &error), "in");
    CHECK_REFUSED(gpuenv_stream_push(stream, in, 4, NULL, 2, &got, &error), "out");
    CHECK(gpuenv_stream_push(stream, in, 4, results, 2, NULL, &error) == GPUENV_BAD_ARGUMENT);
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
    CHECK(gpuenv_stats_cuda(NULL, &array, 0, &record, sizeof record, NULL, &bytes, 0, NULL,
                            &error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stats_cuda(context, &array, 0, NULL, sizeof record, NULL, &bytes, 0, NULL,
                            &error) == GPUENV_BAD_ARGUMENT);
}

int main(void)
{
    gpuenv_context *context;

    CHECK(gpuenv_open(NULL, NULL, NULL) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_open(NULL, &context, NULL) == GPUENV_OK);
    test_overlaps(context);
    test_all_overlaps(context);
    test_sizes(context);
    test_reach(context);
    test_memory(context);
    test_nan(context);
    test_streams(context);
    test_no_device(context);
    gpuenv_close(context);
    return check_result();
}
