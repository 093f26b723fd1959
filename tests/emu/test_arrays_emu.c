/* SPDX-License-Identifier: MIT */
/* Arrays on a device against the same arrays in memory: test_arrays_emu few|most|full
 *
 * Every type and layout, each plan, and results of other types; nothing else in the results' memory
 * may change. test_surveys_emu has statistics. */
#include "twins.h"

struct test {
    struct call call; /* first */
    gpuenv_spec spec;
    unsigned values;
    struct owned in;
    struct owned out[GPUENV_VALUES];
    struct twin in_twin;
    struct twin out_twin[GPUENV_VALUES];
    size_t out_skew[GPUENV_VALUES];
};

static void filter(struct call *call, void *work, size_t *bytes, cudaStream_t stream);
static void refill(struct call *call);
static void check_results(struct call *call, const char *when);

static const struct call filtering = {.run = filter, .refill = refill, .check = check_results};

static void make_test(struct test *test, int type, bool plain)
{
    /* Those at which plans begin and end. */
    static const uint64_t widths[] = {1, 2, 5, 8, 16, 17, 18, 33, 100, 500, 3072, 3073};
    struct layout layout = {1 + random_below(3), 1 + random_below(400), 1 + random_below(3)};
    struct layout of_out;

    *test = (struct test){.call = filtering};
    if (random_below(3) == 0)
        layout = (struct layout){1, 1 + random_below(30000), 1};
    if (random_below(8) == 0)
        layout = (struct layout){40 + random_below(30), 50, 1};
    if (random_below(8) == 0)
        layout = (struct layout){1, 70, 40};
    if (random_below(4) == 0) /* end to end */
        layout = (struct layout){1 + random_below(300), 1 + random_below(random_below(200) + 1), 1};
    if (random_below(12) == 0)
        layout = (struct layout){2 + random_below(4), 4000 + random_below(5000), 1};
    if (random_below(6) == 0) /* side by side */
        layout = (struct layout){1, 1 + random_below(5000), 1 + random_below(20)};
    if (random_below(6) == 0) /* across rows */
        layout =
            (struct layout){1 + random_below(3), 1 + random_below(200), 20 + random_below(120)};
    test->spec = random_spec(layout.frames, false);
    if (random_below(2) == 0)
        test->spec.width = widths[random_below(12)];
    if (random_below(2) == 0) { /* what most callers ask for, or one window of each row */
        test->spec.hop = random_below(5) > 0 ? 0 : UINT64_C(1) << 62;
        test->spec.values = 0;
    }
    test->values = test->spec.values > 0 ? test->spec.values : 2;
    own(&test->in, &layout, type, plain, true);
    fill(&test->in, (is_float(type) || type == GPUENV_F16) && random_below(2) == 0);
    of_out = layout;
    (void)gpuenv_outputs(&test->spec, layout.frames, &of_out.frames, NULL);
    open_twin(&test->in_twin, &test->in,
              random_below(4) * type_bytes(type == GPUENV_CF64 ? GPUENV_F64 : type));
    for (unsigned i = 0; i < test->values; i++) {
        int value = test->spec.values > 0 ? test->spec.value[i] : (int)i;
        int result = gpuenv_result_type(&test->spec, type, value);

        if (random_below(6) == 0)
            result = random_below(2) == 0 ? GPUENV_F64 : GPUENV_F32;
        own(&test->out[i], &of_out, result, plain, true);
        test->out_skew[i] = random_below(4) * type_bytes(result);
        open_twin(&test->out_twin[i], &test->out[i], test->out_skew[i]);
    }
}

static void end_test(struct test *test)
{
    must(cudaFree(test->call.work), "free");
    must(cudaFree(test->in_twin.memory), "free");
    free(test->in.memory);
    for (unsigned i = 0; i < test->values; i++) {
        must(cudaFree(test->out_twin[i].memory), "free");
        free(test->out[i].memory);
    }
}

static void check_results(struct call *call, const char *when)
{
    struct test *test = (struct test *)call;
    gpuenv_array out[GPUENV_VALUES];
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    for (unsigned i = 0; i < test->values; i++)
        out[i] = test->out[i].array;
    CHECK_THAT(gpuenv_filter(context, &test->spec, &test->in.array, out, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
    for (unsigned i = 0; i < test->values; i++) {
        unsigned char *got = malloc(test->out[i].bytes + 1);

        must(cudaMemcpy(got, test->out_twin[i].memory + test->out_skew[i], test->out[i].bytes,
                        cudaMemcpyDeviceToHost),
             "copy");
        CHECK_THAT(
            memcmp(got, test->out[i].memory, test->out[i].bytes) == 0,
            "%s: value %u of type %d as %d, %llu x %llu x %llu, w %llu, hop %llu, align %d, "
            "edge %d",
            when, i, test->in.array.type, out[i].type, (unsigned long long)test->in.array.rows,
            (unsigned long long)test->in.array.frames, (unsigned long long)test->in.array.channels,
            (unsigned long long)test->spec.width, (unsigned long long)test->spec.hop,
            test->spec.align, test->spec.edge);
        free(got);
    }
}

static void filter(struct call *call, void *work, size_t *bytes, cudaStream_t stream)
{
    struct test *test = (struct test *)call;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out[GPUENV_VALUES];

    for (unsigned i = 0; i < test->values; i++)
        out[i] = test->out_twin[i].array;
    CHECK_THAT(gpuenv_filter_cuda(context, &test->spec, &test->in_twin.array, out, work, bytes, 0,
                                  stream, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
}

static void refill(struct call *call)
{
    struct test *test = (struct test *)call;

    fill(&test->in, false);
    refresh_twin(&test->in_twin, &test->in);
}

/* The types that are worked on as they are, without float32 and float64. */
static const int narrow[] = {GPUENV_U8,  GPUENV_F16, GPUENV_S32, GPUENV_S8,
                             GPUENV_S16, GPUENV_U16, GPUENV_U32};

/* ---- what is refused */

static void test_refusals(void)
{
    gpuenv_spec spec = SPEC(.width = 3);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    unsigned char *memory;
    gpuenv_array in;
    gpuenv_array out[2];
    size_t bytes = 0;

    must(cudaMalloc((void **)&memory, 4096), "cudaMalloc");
    in = packed(memory, GPUENV_S64, 10, 1);
    out[0] = out[1] = packed(memory, GPUENV_S64, 8, 1);
#define FILTER(work, device)                                                                       \
    gpuenv_filter_cuda(context, &spec, &in, out, work, &bytes, device, NULL, &error)
    CHECK(FILTER(NULL, 0) == GPUENV_BAD_ARGUMENT && strstr(error.text, "overlaps") != NULL);
    out[0].data = memory + 1024;
    out[1].data = memory + 2048;
    CHECK(FILTER(NULL, 0) == GPUENV_NO_DEVICE && strstr(error.text, "float64") != NULL);
    in = packed(memory + 2, GPUENV_F32, 10, 1);
    out[0] = packed(memory + 1024, GPUENV_F32, 8, 1);
    out[1] = packed(memory + 2048, GPUENV_F32, 8, 1);
    CHECK(FILTER(NULL, 0) == GPUENV_NO_DEVICE);
    in.data = memory;
    spec.nan = GPUENV_NAN_ERROR;
    CHECK(FILTER(NULL, 0) == GPUENV_BAD_ARGUMENT);
    spec.nan = GPUENV_NAN_OMIT;
    CHECK(FILTER(NULL, 77) == GPUENV_NO_DEVICE);
    CHECK(FILTER(NULL, 0) == GPUENV_OK && bytes > 0);
    bytes = 0;
    CHECK(FILTER(memory, 0) == GPUENV_DEVICE_FAILED);
#undef FILTER
    must(cudaFree(memory), "free");
}

/* Arrays without gaps, from the border that memory begins at. */
static void make_packed(struct test *test, struct layout layout, int type, uint64_t width)
{
    struct layout of_out = layout;

    *test = (struct test){.call = filtering, .spec = SPEC(.width = width), .values = 2};
    test->spec.align = GPUENV_CENTER;
    own(&test->in, &layout, type, true, true);
    fill(&test->in, false);
    open_twin(&test->in_twin, &test->in, 0);
    (void)gpuenv_outputs(&test->spec, layout.frames, &of_out.frames, NULL);
    for (unsigned i = 0; i < 2; i++) {
        own(&test->out[i], &of_out, type, true, true);
        open_twin(&test->out_twin[i], &test->out[i], 0);
    }
    open_work(&test->call);
}

/* The number of launches does not depend on the rows, and is one for integers and float16, of which
 * no sample is copied. */
static void test_launches(void)
{
    static const uint64_t widths[] = {5, 512, 3000, 200000};

    for (unsigned i = 0; i < 4; i++) {
        unsigned long launches[2];

        for (unsigned k = 0; k < 2; k++) {
            struct test test;

            make_packed(&test, (struct layout){k == 0 ? 1 : 7, 256, 1}, GPUENV_F32, widths[i]);
            emu_fail(NULL, 0);
            run_in(&test.call, NULL, "launches");
            launches[k] = emu_calls("launch");
            end_test(&test);
        }
        CHECK_THAT(launches[0] == launches[1], "%lu and %lu", launches[0], launches[1]);
    }
    for (unsigned i = 0; i < 3 * 3; i++) {
        struct test test;

        make_packed(&test, (struct layout){1, 9000, 1}, narrow[i % 7], widths[i / 3]);
        emu_fail(NULL, 0);
        run_in(&test.call, NULL, "one launch");
        CHECK_THAT(emu_calls("launch") == 1, "type %d: %lu", narrow[i % 7], emu_calls("launch"));
        end_test(&test);
    }
}

/* Images, down their columns: one launch for each value, without a workspace, also where words are
 * not aligned; sweeps that are a whole column, and shorter ones. */
static void test_across_rows(void)
{
    static const uint64_t widths[] = {1, 2, 3, 15, 51, 95, 191, 192, 383};
    static const int all[] = {GPUENV_F32, GPUENV_U8, GPUENV_F64, GPUENV_F16, GPUENV_S16};

    for (unsigned i = 0; i < 9 * 2; i++) {
        const int type = all[i % 5];
        const bool whole = i % 2 == 0;
        const struct layout layout = {1 + i % 3, 700, whole ? 64 : 67};
        struct test test;

        make_packed(&test, layout, type, widths[i / 2]);
        fill(&test.in, type != GPUENV_U8 && type != GPUENV_S16 && i % 3 == 0);
        refresh_twin(&test.in_twin, &test.in);
        emu_fail(NULL, 0);
        run_in(&test.call, NULL, "across rows");
        CHECK_THAT(type == GPUENV_F64 && widths[i / 2] > 191
                       ? emu_calls("launch") > 2
                       : emu_calls("launch") == 2 && test.call.bytes == 1,
                   "w %d: %lu, %zu", (int)widths[i / 2], emu_calls("launch"), test.call.bytes);
        end_test(&test);
    }
}

/* A few channels side by side, which kernels read and write in the order of memory where all frames
 * of a tile are known; numbers, then some that are not. */
static void test_side_by_side(void)
{
    static const unsigned channels[] = {2, 3, 4, 8};
    static const uint64_t widths[] = {3, 16, 200};

    for (unsigned i = 0; i < 4 * 3 * 2; i++) {
        const int type = i < 12 ? GPUENV_F32 : GPUENV_F64;
        const struct layout layout = {1, 12000 / channels[i % 4], channels[i % 4]};
        struct test test;

        make_packed(&test, layout, type, widths[i / 4 % 3]);
        for (unsigned k = 0; k < 2; k++) {
            fill(&test.in, k == 1);
            refresh_twin(&test.in_twin, &test.in);
            run_in(&test.call, NULL, k == 0 ? "side by side" : "side by side, with NaN");
        }
        end_test(&test);
    }
}

/* A stream waits for another one, also one of a device that is not current; and a capture for none
 * outside. */
static void test_waits(void)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    enum { BYTES = 1 << 20 };
    unsigned char *memory;
    unsigned char *got;
    cudaStream_t before;
    cudaStream_t after;
    cudaGraph_t graph;
    int device = -1;
    int current = -1;

    must(cudaMalloc((void **)&memory, BYTES), "cudaMalloc");
    must(cudaHostAlloc((void **)&got, BYTES, cudaHostAllocDefault), "cudaHostAlloc");
    CHECK(gpuenv_cuda_device(memory + BYTES / 2, &device, &error) == GPUENV_OK && device == 0);
    CHECK(gpuenv_cuda_device(got, &device, &error) == GPUENV_DEVICE_FAILED);
    CHECK_BAD(gpuenv_cuda_device(memory, NULL, &error));
    CHECK_BAD(gpuenv_cuda_wait(-1, NULL, NULL, 1, &error));
    for (unsigned i = 1; i < 20; i++) {
        emu_set_order((enum emu_order)(i % EMU_ORDERS), i);
        must(cudaStreamCreateWithFlags(&before, cudaStreamNonBlocking), "stream");
        must(cudaStreamCreateWithFlags(&after, cudaStreamNonBlocking), "stream");
        must(cudaMemsetAsync(memory, (int)i, BYTES, before), "memset");
        CHECK_THAT(gpuenv_cuda_wait(0, after, before, 1, &error) == GPUENV_OK, "%s %s",
                   error.subject, error.text);
        must(cudaMemcpyAsync(got, memory, BYTES, cudaMemcpyDeviceToHost, after), "copy");
        must(cudaStreamSynchronize(after), "copy");
        CHECK(got[0] == i && got[BYTES - 1] == i);
        must(cudaGetDevice(&current), "device");
        CHECK(current == 0);
        must(cudaStreamBeginCapture(after, cudaStreamCaptureModeThreadLocal), "capture");
        CHECK_OK(gpuenv_cuda_wait(0, after, before, 1, &error));
        must(cudaMemsetAsync(memory, 0, BYTES, after), "memset");
        must(cudaStreamEndCapture(after, &graph), "capture");
        must(cudaGraphDestroy(graph), "graph");
        must(cudaStreamDestroy(before), "stream");
        must(cudaStreamDestroy(after), "stream");
    }
    must(cudaFree(memory), "free");
    must(cudaFreeHost(got), "free");
}

int main(int argc, char **argv)
{
    unsigned many;

    read_amount(argc, argv);
    many = CHECK_THREADS ? 14 : is_full ? 20000 : is_few ? 56 : 294;
    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    for (unsigned i = 0; i < many; i++) {
        struct test test;

        emu_set_order((enum emu_order)(i % EMU_ORDERS), i + 1);
        make_test(&test, i % 2 == 0 ? narrow[i / 2 % 7] : random_type(false), random_below(3) > 0);
        try_call(&test.call, i % 3 == 0);
        end_test(&test);
    }
    test_side_by_side();
    test_refusals();
    test_waits();
    if (!emu_is_real()) {
        test_launches();
        test_across_rows();
    }
    gpuenv_close(context);
    return check_result();
}
