/* SPDX-License-Identifier: MIT */
/* Calls of the library: bad arguments, NaN as an error, interruption, fork, another floating point
 * mode, threads that come and go, and statistics. */
#include "calls.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include "lib/lib_priv.h"

enum { FRAMES = 300000 };

static float *ramp(size_t frames)
{
    float *samples = malloc(frames * sizeof *samples);

    for (size_t i = 0; i < frames; i++)
        samples[i] = (float)(i * 2654435761U % 1000003) - 500000;
    return samples;
}

static int filter(gpuenv_context *context, const gpuenv_spec *spec, const float *in, float *low,
                  float *high, uint64_t frames, gpuenv_error *error)
{
    gpuenv_array from = packed(in, GPUENV_F32, frames, 1);
    gpuenv_array to[2];
    uint64_t outputs = 0;

    (void)gpuenv_outputs(spec, frames, &outputs, NULL);
    to[0] = packed(low, GPUENV_F32, outputs, 1);
    to[1] = packed(high, GPUENV_F32, outputs, 1);
    return gpuenv_filter(context, spec, &from, to, error);
}

static void test_arguments(gpuenv_context *context)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_context *other;
    gpuenv_stream *stream;
    uint64_t outputs;
    float in[4] = {1, 2, 3, 4};
    float low[4];
    float high[4];
    gpuenv_array from = packed(in, GPUENV_F32, 4, 1);
    gpuenv_array to[2] = {packed(low, GPUENV_F32, 4, 1), packed(high, GPUENV_F32, 4, 1)};

    CHECK_REFUSED(gpuenv_outputs(&spec, 4, &outputs, &error), "width");
    CHECK(error.code == GPUENV_BAD_ARGUMENT);
    spec.width = 2;
    CHECK_OK(filter(context, &spec, in, low, high, 4, NULL));
    CHECK(low[2] == 3 && high[2] == 4);
    CHECK_REFUSED(gpuenv_filter(context, &spec, &from, to, &error), "out[0]");
    to[0].frames = 3;
    to[1].type = 99;
    CHECK_REFUSED(gpuenv_filter(context, &spec, &from, to, &error), "out[1]");
    CHECK_BAD(gpuenv_filter(NULL, &spec, &from, to, &error));
    CHECK_BAD(gpuenv_filter(context, NULL, &from, to, &error));
    CHECK_BAD(gpuenv_filter(context, &spec, NULL, to, &error));
    CHECK_BAD(gpuenv_filter(context, &spec, &from, NULL, &error));
    from.data = NULL;
    CHECK_BAD(gpuenv_filter(context, &spec, &from, to, &error));
    spec.size = 0;
    CHECK_BAD(gpuenv_outputs(&spec, 4, &outputs, &error));
    spec = SPEC(.width = 3, .align = GPUENV_CAUSAL, .edge = GPUENV_EDGE_NAN);
    CHECK(gpuenv_result_type(&spec, GPUENV_S16, GPUENV_MIN) == GPUENV_F32);
    CHECK(gpuenv_result_type(&spec, GPUENV_S32, GPUENV_MIN) == GPUENV_F64);
    spec.align = GPUENV_VALID;
    CHECK(gpuenv_result_type(&spec, GPUENV_S16, GPUENV_MIN) == GPUENV_F32);
    spec.edge = GPUENV_SHRINK;
    CHECK(gpuenv_result_type(&spec, GPUENV_S16, GPUENV_MIN) == GPUENV_S16);
    CHECK(gpuenv_result_type(&spec, GPUENV_S64, GPUENV_MID) == GPUENV_F64);
    CHECK(gpuenv_result_type(&spec, GPUENV_CF32, GPUENV_MIN) == GPUENV_F32);
    CHECK(gpuenv_result_type(&spec, 0, GPUENV_MIN) == GPUENV_TYPE_NONE);
    spec.align = GPUENV_CAUSAL;
    for (spec.width = 1; spec.width < 4; spec.width++) {
        spec.edge = GPUENV_SHRINK;
        CHECK(gpuenv_result_type(&spec, GPUENV_S16, GPUENV_MIN) == GPUENV_S16);
        spec.edge = GPUENV_EDGE_NAN;
        CHECK(gpuenv_result_type(&spec, GPUENV_S16, GPUENV_MIN) == GPUENV_F32);
    }
    CHECK_BAD(gpuenv_stream_open(context, &spec, GPUENV_F32, 0, &stream, &error));
    options.isa = "sse99";
    CHECK(gpuenv_open(&options, &other, &error) == GPUENV_BAD_ARGUMENT && other == NULL);
    CHECK(strcmp(error.subject, "isa") == 0);
    options.isa = "scalar";
    CHECK_OK(gpuenv_open(&options, &other, &error));
    gpuenv_close(other);
    gpuenv_close(NULL);
}

static void test_nan(gpuenv_context *context, float *in, float *low, float *high)
{
    const gpuenv_spec spec = SPEC(.width = 512, .nan = GPUENV_NAN_ERROR);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const float before = in[FRAMES - 7];

    CHECK_OK(filter(context, &spec, in, low, high, FRAMES, &error));
    in[FRAMES - 7] = NAN;
    CHECK(filter(context, &spec, in, low, high, FRAMES, &error) == GPUENV_NAN_FOUND);
    CHECK(error.frame == FRAMES - 7 && error.row == 0 && error.channel == 0);
    in[FRAMES - 7] = before;
}

/* Results that are written past the caches, to odd places, are those that are not. */
static void test_large(gpuenv_context *context)
{
    enum { MANY = (1 << 22) + 13 };
    const gpuenv_spec spec = SPEC(.width = 77, .align = GPUENV_CENTER);
    float *in = ramp(MANY);
    float *sides = malloc(2 * (MANY + 8) * sizeof *sides);
    float *pairs = malloc(2 * (size_t)MANY * sizeof *pairs);
    gpuenv_array from = packed(in, GPUENV_F32, MANY, 1);
    gpuenv_array to[2];
    unsigned long wrong = 0;

    memset(sides, 0xa5, 2 * (MANY + 8) * sizeof *sides); /* touched */
    for (int i = 0; i < 2; i++) {
        to[i] = packed(pairs + i, GPUENV_F32, MANY, 1);
        to[i].frame *= 2;
    }
    CHECK_OK(gpuenv_filter(context, &spec, &from, to, NULL));
    to[0] = packed(sides + 3, GPUENV_F32, MANY, 1);
    to[1] = packed(sides + MANY + 8, GPUENV_F32, MANY, 1);
    CHECK_OK(gpuenv_filter(context, &spec, &from, to, NULL));
    for (size_t i = 0; i < MANY; i++)
        wrong += sides[3 + i] != pairs[2 * i] || sides[MANY + 8 + i] != pairs[2 * i + 1];
    CHECK(wrong == 0);
    for (size_t i = 0; i < 5; i++)
        CHECK(rules_bits(sides[MANY + 3 + i]) == 0xa5a5a5a5);
    free(in);
    free(sides);
    free(pairs);
}

static int count_polls(void *argument)
{
    return ++*(int *)argument >= 2;
}

/* A call that lasts long enough is asked twice whether to go on. */
static void test_interruption(void)
{
    const gpuenv_spec spec = SPEC(.width = UINT64_C(1) << 32, .hop = UINT64_C(1) << 33,
                                  .align = GPUENV_FORWARD, .values = 1);
    gpuenv_context *context;
    float sample = 0;
    float result = 0;
    int polls = 0;
    const gpuenv_options options = {
        .size = sizeof options, .threads = 1, .interrupted = count_polls, .argument = &polls};
    gpuenv_array in = packed(&sample, GPUENV_F32, UINT64_C(1) << 33, 1);
    const gpuenv_array out = packed(&result, GPUENV_F32, 1, 1);

    CHECK_OK(gpuenv_open(&options, &context, NULL));
    in.broadcast = 1; /* the same sample again and again */
    in.frame = 0;
    CHECK(gpuenv_filter(context, &spec, &in, &out, NULL) == GPUENV_INTERRUPTED);
    CHECK(polls == 2);
    gpuenv_close(context);
}

/* By many threads, and in a child. */
static const gpuenv_spec shared = {.size = sizeof shared, .width = 100, .align = GPUENV_CENTER};

struct call {
    gpuenv_context *context;
    const float *in;
    const float *low;
    const float *high;
    int wrong;
};

static void *run_call(void *argument)
{
    struct call *call = argument;
    float *low = malloc(FRAMES * sizeof *low);
    float *high = malloc(FRAMES * sizeof *high);

    call->wrong = filter(call->context, &shared, call->in, low, high, FRAMES, NULL) != GPUENV_OK ||
                  memcmp(low, call->low, FRAMES * sizeof *low) != 0 ||
                  memcmp(high, call->high, FRAMES * sizeof *high) != 0;
    free(low);
    free(high);
    return NULL;
}

/* The child of a fork uses the context, and so do many threads. */
static void test_processes(gpuenv_context *context, const float *in, float *low, float *high)
{
    struct call calls[8];
    pthread_t threads[8];
    int status = 0;
    pid_t child;

    CHECK_OK(filter(context, &shared, in, low, high, FRAMES, NULL));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++) {
            calls[i] = (struct call){.context = context, .in = in, .low = low, .high = high};
            CHECK(pthread_create(&threads[i], NULL, run_call, &calls[i]) == 0);
        }
        for (int i = 0; i < 8; i++) {
            pthread_join(threads[i], NULL);
            CHECK(calls[i].wrong == 0);
        }
    }
#ifndef __SANITIZE_THREAD__ /* which does not follow threads after a fork */
    child = fork();
    if (child == 0) {
        calls[0] = (struct call){.context = context, .in = in, .low = low, .high = high};
        (void)run_call(&calls[0]);
        _exit(calls[0].wrong);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
#else
    (void)child;
    (void)status;
#endif
}

/* Subnormals are samples, whatever the caller has made of them; and the mode is left alone. */
static void test_mode(gpuenv_context *context)
{
#ifdef __x86_64__
    const unsigned usual = _mm_getcsr();
    const unsigned flushing = usual | 0x8040 | 0x6000; /* FTZ, DAZ, toward zero */
    const gpuenv_spec spec = SPEC(.width = 1, .values = 1, .value = {GPUENV_MID});
    float in[1] = {1e-40F};
    float mid[1];
    gpuenv_array from = packed(in, GPUENV_F32, 1, 1);
    gpuenv_array to = packed(mid, GPUENV_F32, 1, 1);

    _mm_setcsr(flushing);
    CHECK_OK(gpuenv_filter(context, &spec, &from, &to, NULL));
    CHECK(_mm_getcsr() == flushing);
    _mm_setcsr(usual);
    CHECK(memcmp(mid, in, sizeof *mid) == 0);
#else
    (void)context;
#endif
}

/* Values made of sums, of arrays and of streams. */
static void test_means(gpuenv_context *context)
{
    const float in[7] = {1, -3, 2, NAN, 0.5F, 0, 4};
    const double due[3][2] = {{0, 3}, {0.25, 2}, {4, 1}};
    double mean[3];
    int64_t count[3];
    double streamed[6];
    gpuenv_spec spec = SPEC(.width = 3, .hop = 3, .align = GPUENV_FORWARD, .nan = GPUENV_NAN_OMIT,
                            .scaled = 1, .values = 2, .value = {GPUENV_MEAN, GPUENV_COUNT});
    gpuenv_array from = packed(in, GPUENV_F32, 7, 1);
    gpuenv_array to[2] = {packed(mean, GPUENV_F64, 3, 1), packed(count, GPUENV_S64, 3, 1)};
    gpuenv_stream *stream = NULL;
    uint64_t got = 0;
    uint64_t all = 0;

    CHECK(gpuenv_result_type(&spec, GPUENV_F32, GPUENV_RMS) == GPUENV_F64);
    CHECK(gpuenv_result_type(&spec, GPUENV_S16, GPUENV_COUNT) == GPUENV_S64);
    CHECK_OK(gpuenv_filter(context, &spec, &from, to, NULL));
    CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, NULL));
    CHECK(gpuenv_stream_type(stream) == GPUENV_F64);
    for (int i = 0; i < 7; i++) {
        CHECK_OK(gpuenv_stream_push(stream, in + i, 1, streamed + 2 * all, 3, &got, NULL));
        all += got;
    }
    CHECK_OK(gpuenv_stream_finish(stream, streamed + 2 * all, 1, &got, NULL));
    CHECK(all + got == 3);
    for (int i = 0; i < 3; i++) {
        CHECK(mean[i] == due[i][0] && (double)count[i] == due[i][1]);
        CHECK(streamed[2 * i] == due[i][0] && streamed[2 * i + 1] == due[i][1]);
    }
    gpuenv_stream_close(stream);
    spec.hop = 1;
    CHECK_BAD(gpuenv_filter(context, &spec, &from, to, NULL));
    spec.hop = 3;
    spec.align = GPUENV_VALID;
    CHECK_BAD(gpuenv_filter(context, &spec, &from, to, NULL));
}

enum { WIDE = 64 }; /* channels */

#ifdef __x86_64__
enum {
    FLAGS = 0x3f,      /* of what has happened: clocks set some */
    FLUSHING = 0xdfc0, /* subnormals are zeros, and rounding is upward */
    TRAPPING = 0x1000, /* all but inexact results are traps */
};
#endif

/* Differences of subnormals, by all threads of a context, in the mode that the caller has set. */
static void stream_differences(unsigned mode, const float *in, float *results)
{
    const gpuenv_spec spec = SPEC(.width = 2, .align = GPUENV_CAUSAL, .nan = GPUENV_NAN_ERROR,
                                  .values = 1, .value = {GPUENV_RANGE});
    gpuenv_context *context;
    gpuenv_stream *stream;
    uint64_t got;

#ifdef __x86_64__
    const unsigned usual = _mm_getcsr();

    _mm_setcsr(mode);
#endif
    context = open_context(4);
    CHECK_OK(gpuenv_stream_open(context, &spec, GPUENV_F32, WIDE, &stream, NULL));
    CHECK_OK(gpuenv_stream_push(stream, in, FRAMES / WIDE, results, FRAMES / WIDE, &got, NULL));
    gpuenv_stream_close(stream);
    gpuenv_close(context);
#ifdef __x86_64__
    CHECK(((_mm_getcsr() ^ mode) & ~(unsigned)FLAGS) == 0);
    _mm_setcsr(usual);
#else
    (void)mode;
#endif
}

/* Threads that a caller starts in another mode work in the usual one; and so do statistics that
 * are joined from runs. */
static void test_mode_of_threads(gpuenv_context *context, const float *in)
{
#ifdef __x86_64__
    const unsigned usual = _mm_getcsr();
    float *small = malloc(FRAMES * sizeof *small);
    float *results[2] = {malloc(FRAMES * sizeof **results), malloc(FRAMES * sizeof **results)};
    gpuenv_array array = packed(in, GPUENV_F32, UINT64_C(1) << 21, 1);
    gpuenv_record records[2] = {GPUENV_INIT(gpuenv_record), GPUENV_INIT(gpuenv_record)};
    uint32_t quiet = 0x7f800001; /* a NaN that traps */
    unsigned zeros = 0;

    for (size_t i = 0; i < FRAMES; i++)
        small[i] = in[i] * 1e-44F;
    stream_differences(usual, small, results[0]);
    stream_differences(FLUSHING, small, results[1]);
    CHECK(memcmp(results[0], results[1], FRAMES / WIDE * WIDE * sizeof **results) == 0);
    for (size_t i = WIDE; i < FRAMES / WIDE * WIDE; i++)
        zeros += results[0][i] == 0;
    CHECK(zeros < FRAMES / 10);

    array.broadcast = 1;
    array.frame = 0;
    array.data = &small[1];
    small[1] = 0.1F;
    CHECK_OK(gpuenv_stats(context, &array, 0, &records[0], NULL));
    _mm_setcsr(FLUSHING);
    CHECK_OK(gpuenv_stats(context, &array, 0, &records[1], NULL));
    _mm_setcsr(usual);
    CHECK(memcmp(&records[0], &records[1], sizeof *records) == 0);

    /* Nobody is stopped by a trap. */
    {
        const gpuenv_spec spec = SPEC(.width = 1, .nan = GPUENV_NAN_ERROR, .values = 1);
        gpuenv_error error = GPUENV_INIT(gpuenv_error);
        double wide[2] = {1, 1e300};
        gpuenv_array from = packed(wide, GPUENV_F64, 2, 1);
        gpuenv_array to = packed(results[0], GPUENV_F64, 2, 1);

        _mm_setcsr(TRAPPING);
        CHECK_OK(gpuenv_filter(context, &spec, &from, &to, &error));
        from = packed(&quiet, GPUENV_F32, 1, 1);
        to.frames = 1;
        CHECK(gpuenv_filter(context, &spec, &from, &to, &error) == GPUENV_NAN_FOUND);
        _mm_setcsr(usual);
    }
    free(small);
    free(results[0]);
    free(results[1]);
#else
    (void)context;
    (void)in;
    (void)stream_differences;
#endif
}

/* ---- statistics */

static void test_stats(gpuenv_context *context, const float *in)
{
    static const int64_t integers[5] = {INT64_MAX, 3, INT64_MIN, 7, INT64_MAX};
    gpuenv_record records[40];
    gpuenv_record one = GPUENV_INIT(gpuenv_record);
    gpuenv_array array = packed(in, GPUENV_F32, FRAMES, 1);
    gpuenv_context *alone;
    uint64_t count = 0;
    double sum = 0;

    for (int i = 0; i < 40; i++)
        records[i] = GPUENV_INIT(gpuenv_record);
    CHECK(gpuenv_records(&array, 10000, &count, NULL) == GPUENV_OK && count == 30);
    CHECK_OK(gpuenv_stats(context, &array, 10000, records, NULL));
    for (uint64_t i = 0; i < count; i++) {
        float low = INFINITY;
        uint64_t at = 0;
        double total = 0;

        for (uint64_t k = 10000 * i; k < 10000 * (i + 1); k++) {
            if (in[k] < low)
                at = k;
            low = in[k] < low ? in[k] : low;
            total += (double)in[k];
        }
        sum += total;
        CHECK(records[i].min.f64 == (double)low && records[i].argmin == at);
        CHECK(records[i].first == 10000 * i && records[i].frames == 10000);
        CHECK(fabs(records[i].sum - total) < 1e-3); /* of integers: both are exact */
    }
    CHECK_OK(gpuenv_stats(context, &array, 0, &one, NULL));
    CHECK(one.frames == FRAMES && fabs(one.sum - sum) < 1e-3 && one.nans == 0);

    /* Long blocks are joined from runs: the same bits in one thread, and backwards. */
    alone = open_context(1);
    array.frames = UINT64_C(1) << 21;
    array.broadcast = 1;
    array.frame = 0;
    CHECK_OK(gpuenv_stats(context, &array, 0, &records[0], NULL));
    CHECK_OK(gpuenv_stats(alone, &array, 0, &records[1], NULL));
    CHECK(memcmp(&records[0], &records[1], sizeof *records) == 0);
    CHECK(records[0].sum == (double)in[0] * 0x1p21 && records[0].argmin == 0);
    gpuenv_close(alone);

    array = packed(integers, GPUENV_S64, 5, 1);
    CHECK_OK(gpuenv_stats(context, &array, 0, &one, NULL));
    CHECK(one.type == GPUENV_S64 && one.min.s64 == INT64_MIN && one.max.s64 == INT64_MAX);
    CHECK(one.abs.u64 == UINT64_C(1) << 63 && one.argmin == 2 && one.argmax == 0);
    array.frames = 0;
    CHECK_OK(gpuenv_stats(context, &array, 0, &one, NULL));
    CHECK(one.frames == 0 && isnan(one.mean));
}

int main(void)
{
    float *in = ramp(FRAMES);
    float *low = malloc(FRAMES * sizeof *low);
    float *high = malloc(FRAMES * sizeof *high);
    gpuenv_context *context = open_context(4);

    CHECK(strlen(gpuenv_version()) >= 5);
    test_arguments(context);
    test_nan(context, in, low, high);
    test_large(context);
    test_interruption();
    test_processes(context, in, low, high);
    test_mode(context);
    test_means(context);
    test_mode_of_threads(context, in);
    test_stats(context, in);
    gpuenv_close(context);
    free(in);
    free(low);
    free(high);
    return check_result();
}
