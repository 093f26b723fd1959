/* SPDX-License-Identifier: MIT */
/* What bindings of other languages stand on: names and numbers, and errors
 * that a call that succeeds clears. */
#include "calls.h"
#include "lib/lib_priv.h"

_Static_assert(sizeof(enum gpuenv_code) == sizeof(int) && sizeof(enum gpuenv_type) == sizeof(int),
               "");

static void test_names(void)
{
    char version[32];

    snprintf(version, sizeof version, "%d.%d.%d", GPUENV_VERSION_MAJOR, GPUENV_VERSION_MINOR,
             GPUENV_VERSION_PATCH);
    CHECK(strncmp(version, GPUENV_VERSION, strlen(version)) == 0);
    CHECK(strcmp(GPUENV_VERSION, gpuenv_version()) == 0);
    CHECK(gpuenv_version_number() == GPUENV_VERSION_NUMBER && GPUENV_VERSION_NUMBER >= 200);

    CHECK(strcmp(gpuenv_code_name(0), "GPUENV_OK") == 0);
    CHECK(strcmp(gpuenv_code_name(GPUENV_DEVICE_FAILED), "GPUENV_DEVICE_FAILED") == 0);
    CHECK(strcmp(gpuenv_code_name(GPUENV_DEVICE_FAILED + 1), "unknown") == 0);
    CHECK(strcmp(gpuenv_code_name(-1), "unknown") == 0);

    CHECK(gpuenv_type_bytes(GPUENV_F32) == 4 && gpuenv_type_bytes(GPUENV_S24) == 3);
    CHECK(gpuenv_type_bytes(GPUENV_CF64) == 16 && gpuenv_type_bytes(GPUENV_CU8) == 2);
    CHECK(gpuenv_type_bytes(GPUENV_TYPE_NONE) == 0 && gpuenv_type_bytes(GPUENV_CU8 + 1) == 0);
}

static void test_context(void)
{
    gpuenv_context *context = open_context_of(3, "scalar");
    const char *isa;

    CHECK(gpuenv_context_threads(context) == 3);
    CHECK(strcmp(gpuenv_context_isa(context), "scalar") == 0);
    gpuenv_close(context);
    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    CHECK(gpuenv_context_threads(context) >= 1);
    isa = gpuenv_context_isa(context);
    gpuenv_close(context);
    gpuenv_close(open_context_of(3, isa));
}

/* Results go where `out` says, and to `data` of a program that knows no other. */
static void test_out(void)
{
    const float samples[] = {3, 1, 2};
    float results[2] = {0};
    float others[2] = {0};
    const gpuenv_spec spec = SPEC(.width = 2);
    const gpuenv_array in = packed(samples, GPUENV_F32, 3, 1);
    gpuenv_array out[2] = {packed(NULL, GPUENV_F32, 2, 1), packed(others, GPUENV_F32, 2, 1)};
    gpuenv_context *context;

    out[0].out = results;
    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, NULL));
    CHECK(results[0] == 1 && results[1] == 1 && others[0] == 3 && others[1] == 2);
    gpuenv_close(context);
}

static const gpuenv_error failed = {
    sizeof failed, GPUENV_NAN_FOUND, 1, 2, 3, "in", "has a NaN",
};

/* A call that succeeds clears this error. */
#define CHECK_CLEARS(call)                                                                         \
    do {                                                                                           \
        error = failed;                                                                            \
        CHECK((call) == GPUENV_OK && error.code == GPUENV_OK);                                     \
        CHECK(error.row == 0 && error.frame == 0 && error.channel == 0);                           \
        CHECK(error.subject[0] == '\0' && error.text[0] == '\0');                                  \
    } while (0)

static void test_errors(void)
{
    const float samples[4] = {3, 1, 4, 1}; /* of inputs, which are const */
    float results[4];
    const gpuenv_array in = packed(samples, GPUENV_F32, 4, 1);
    const gpuenv_array out = packed(results, GPUENV_F32, 3, 1);
    const gpuenv_spec spec = SPEC(.width = 2, .values = 1);
    gpuenv_record record = GPUENV_INIT(gpuenv_record);
    gpuenv_error error;
    gpuenv_context *context;
    gpuenv_stream *stream;
    uint64_t count;

    CHECK_CLEARS(gpuenv_open(NULL, &context, &error));
    CHECK_CLEARS(gpuenv_outputs(&spec, 4, &count, &error));
    CHECK_CLEARS(gpuenv_filter(context, &spec, &in, &out, &error));
    CHECK_CLEARS(gpuenv_filter_at(context, &spec, &in, samples, &out, results, 0, &error));
    CHECK_CLEARS(gpuenv_records(&in, 0, &count, &error));
    CHECK_CLEARS(gpuenv_stats(context, &in, 0, &record, &error));
    CHECK_CLEARS(gpuenv_stats_at(context, &in, samples, 0, &record, &error));
    CHECK_CLEARS(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error));
    CHECK_CLEARS(gpuenv_stream_push(stream, samples, 4, results, 4, &count, &error));
    CHECK_CLEARS(gpuenv_stream_finish(stream, results, 4, &count, &error));
    gpuenv_stream_close(stream);
    gpuenv_close(context);

    /* One that has no words yet is left alone. */
    error = failed;
    error.size = offsetof(gpuenv_error, text);
    CHECK(gpuenv_outputs(&spec, 4, &count, &error) == GPUENV_OK && error.row == 1);
}

/* Descriptions without addresses, and samples beside them. */
static void test_apart(void)
{
    const float samples[6] = {3, 1, 4, 1, 5, 9};
    const float due[10] = {1, 1, 1, 1, 5, 3, 4, 4, 5, 9};
    float results[10];
    const gpuenv_spec spec = SPEC(.width = 2);
    const gpuenv_array in = packed(NULL, GPUENV_F32, 6, 1);
    gpuenv_array out = packed(NULL, GPUENV_F32, 5, 1);
    gpuenv_record record = GPUENV_INIT(gpuenv_record);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context;
    uint64_t count;
    struct {
        gpuenv_array known;
        uint64_t later;
    } later = {.later = 1};

    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    CHECK_OK(
        gpuenv_filter_at(context, &spec, &in, samples, &out, results, 5 * sizeof *results, NULL));
    CHECK(memcmp(results, due, sizeof due) == 0);
    out.frame = 8;     /* pairs */
    out.out = &record; /* not read */
    CHECK_OK(gpuenv_filter_at(context, &spec, &in, samples, &out, results, sizeof *results, NULL));
    CHECK(results[8] == 5 && results[9] == 9);
    CHECK(gpuenv_records(&in, 0, &count, &error) == GPUENV_OK && count == 1);
    CHECK_OK(gpuenv_stats_at(context, &in, samples, 0, &record, NULL));
    CHECK(record.argmax == 5 && record.max.f64 == 9);

    CHECK_REFUSED(gpuenv_filter_at(context, &spec, &in, samples, &out, results, 0, &error),
                  "out[1]");
    CHECK_REFUSED(gpuenv_filter_at(context, &spec, &in, samples, &out, NULL, 4, &error), "out[0]");
    CHECK_BAD(gpuenv_filter_at(context, &spec, &in, NULL, &out, results, 4, &error));
    CHECK_BAD(gpuenv_filter_at(context, &spec, NULL, samples, &out, results, 4, &error));
    CHECK_REFUSED(gpuenv_stats(context, &in, 0, &record, &error), "array");
    CHECK(strcmp(error.text, "has no data") == 0);
    CHECK_BAD(gpuenv_stats_at(context, NULL, samples, 0, &record, &error));
    later.known.size = sizeof later;
    CHECK_BAD(gpuenv_filter_at(context, &spec, &later.known, samples, &out, results, 4, &error));
    CHECK_THAT(strstr(error.text, "later version") != NULL, "%s", error.text);
    gpuenv_close(context);
}

CHECK_MAIN(test_names, test_apart, test_context, test_out, test_errors)
