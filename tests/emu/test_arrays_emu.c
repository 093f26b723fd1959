/* Arrays on a device against the same arrays in memory: test_arrays_emu few|most|full
 *
 * Every type and layout, each plan, results of other types, and statistics; nothing else in the
 * results' memory may change. Each call is made twice on the same workspace, whose contents are
 * garbage before; and it is captured into a graph, which is replayed twice with other samples. */
#include "amount.h"
#include "arrays.h"
#include "check.h"

#include "emu.h"
#include "lib/lib_priv.h"

static gpuenv_context *context;

/* The same array on the device, with the contents of memory. */
struct twin {
    unsigned char *memory;
    gpuenv_array array;
};

static void open_twin(struct twin *twin, const struct owned *owned, size_t skew)
{
    must(cudaMalloc((void **)&twin->memory, owned->bytes + skew + 1), "cudaMalloc");
    twin->array = owned->array;
    twin->array.data = twin->memory + skew + ((unsigned char *)owned->array.data - owned->memory);
    must(cudaMemcpy(twin->memory + skew, owned->memory, owned->bytes, cudaMemcpyHostToDevice),
         "copy");
}

struct test {
    gpuenv_spec spec;
    unsigned values;
    struct owned in;
    struct owned out[GPUENV_VALUES];
    struct twin in_twin;
    struct twin out_twin[GPUENV_VALUES];
    size_t in_skew;
    size_t out_skew[GPUENV_VALUES];
};

static int random_type(void)
{
    int type;

    do
        type =
            random_below(2) == 0 ? GPUENV_F32 + (int)random_below(2) : types[random_below(TYPES)];
    while (type == GPUENV_S64 || type == GPUENV_U64);
    return type;
}

static void make_test(struct test *test, bool plain)
{
    const int type = random_type();
    const bool is_integer = !is_float(type) && type != GPUENV_F16 && type < GPUENV_CF32;
    struct layout layout = {1 + random_below(3), 1 + random_below(400), 1 + random_below(3)};
    struct layout of_out;

    memset(test, 0, sizeof *test);
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
    test->spec = random_spec(layout.frames, is_integer);
    if (random_below(2) == 0) { /* what most callers ask for */
        test->spec.hop = 0;
        test->spec.values = 0;
    }
    test->values = test->spec.values > 0 ? test->spec.values : 2;
    own(&test->in, &layout, type, plain, true);
    fill(&test->in, is_float(type) && random_below(2) == 0);
    of_out = layout;
    (void)gpuenv_outputs(&test->spec, layout.frames, &of_out.frames, NULL);
    test->in_skew = random_below(4) * type_bytes(type == GPUENV_CF64 ? GPUENV_F64 : type);
    open_twin(&test->in_twin, &test->in, test->in_skew);
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
    must(cudaFree(test->in_twin.memory), "free");
    free(test->in.memory);
    for (unsigned i = 0; i < test->values; i++) {
        must(cudaFree(test->out_twin[i].memory), "free");
        free(test->out[i].memory);
    }
}

static void check_results(struct test *test, const char *when)
{
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

static void enqueue(struct test *test, void *work, size_t bytes, cudaStream_t stream)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out[GPUENV_VALUES];
    int code;

    for (unsigned i = 0; i < test->values; i++)
        out[i] = test->out_twin[i].array;
    code = gpuenv_filter_cuda(context, &test->spec, &test->in_twin.array, out, work, &bytes, 0,
                              stream, &error);
    CHECK_THAT(code == GPUENV_OK, "%s %s", error.subject, error.text);
}

/* In the context's workspace. */
static void enqueue_in_context(struct test *test, cudaStream_t stream)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out[GPUENV_VALUES];

    for (unsigned i = 0; i < test->values; i++)
        out[i] = test->out_twin[i].array;
    CHECK_THAT(gpuenv_filter_cuda(context, &test->spec, &test->in_twin.array, out, NULL, NULL, 0,
                                  stream, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
}

static size_t bytes_for(struct test *test)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out[GPUENV_VALUES];
    size_t bytes = 0;

    for (unsigned i = 0; i < test->values; i++)
        out[i] = test->out_twin[i].array;
    CHECK_THAT(gpuenv_filter_cuda(context, &test->spec, &test->in_twin.array, out, NULL, &bytes, 0,
                                  NULL, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
    return bytes;
}

static void refill(struct test *test)
{
    fill(&test->in, false);
    must(cudaMemcpy(test->in_twin.memory + test->in_skew, test->in.memory, test->in.bytes,
                    cudaMemcpyHostToDevice),
         "copy");
    must(cudaDeviceSynchronize(), "copy"); /* streams that do not block do not wait for it */
}

static void run_test(bool captured)
{
    struct test test;
    void *work = NULL;
    cudaStream_t stream;
    size_t bytes;

    make_test(&test, random_below(2) == 0);
    bytes = bytes_for(&test);
    if (bytes > 0) {
        must(cudaMalloc(&work, bytes), "cudaMalloc");
        must(cudaMemset(work, 0x5a, bytes), "cudaMemset");
    }
    must(cudaDeviceSynchronize(), "copy"); /* streams that do not block do not wait for it */
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    enqueue(&test, work, bytes, stream);
    enqueue(&test, work, bytes, stream);
    must(cudaStreamSynchronize(stream), "kernels");
    check_results(&test, "called twice");
    refill(&test);
    enqueue_in_context(&test, NULL);
    must(cudaStreamSynchronize(NULL), "kernels");
    check_results(&test, "in the context's workspace");
    if (captured && bytes > 0) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;

        must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
        enqueue(&test, work, bytes, stream);
        must(cudaStreamEndCapture(stream, &graph), "capture");
        must(cudaGraphInstantiate(&exec, graph, 0), "graph");
        for (int i = 0; i < 2; i++) {
            refill(&test);
            must(cudaGraphLaunch(exec, stream), "replay");
            must(cudaStreamSynchronize(stream), "replay");
            check_results(&test, "replayed");
        }
        must(cudaGraphExecDestroy(exec), "graph");
        must(cudaGraphDestroy(graph), "graph");
    }
    must(cudaStreamDestroy(stream), "stream");
    must(cudaFree(work), "free");
    end_test(&test);
}

/* ---- statistics */

struct survey {
    struct owned in;
    struct twin in_twin;
    uint64_t every;
    uint64_t count; /* records */
    size_t size;    /* of one */
    bool is_pinned;
    unsigned char *records;
    void *work;
    size_t bytes;
};

enum { GUARD = 64, UNTOUCHED = 0x5a };

static uint64_t random_every(uint64_t frames)
{
    static const uint64_t lengths[] = {1, 10, 1000, 4095, 4096, 4097, 9000, 40000, 100000};
    const uint64_t some = lengths[random_below(sizeof lengths / sizeof *lengths)];

    /* Records of few frames each are many. */
    return random_below(3) == 0 ? 0 : some < frames / 200 ? frames / 200 : some;
}

/* Infinities of both signs have a sum that is no number. */
static void fill_survey(struct survey *survey)
{
    const float infinite = (float)INFINITY;

    fill(&survey->in, is_float(survey->in.array.type) && random_below(2) == 0);
    if (survey->in.array.type != GPUENV_F32 || survey->in.array.frames == 0 || random_below(3) > 0)
        return;
    for (int i = 0; i < 4; i++) {
        unsigned char *to = sample_at(&survey->in.array, random_below(survey->in.array.rows),
                                      random_below(survey->in.array.frames),
                                      random_below(survey->in.array.channels));

        memcpy(to, &infinite, sizeof infinite);
        to[3] ^= (unsigned char)(i << 7);
    }
}

static size_t records_bytes(const struct survey *survey)
{
    return (size_t)survey->count * survey->size + GUARD;
}

static void clear_records(const struct survey *survey)
{
    if (survey->is_pinned)
        memset(survey->records, UNTOUCHED, records_bytes(survey));
    else
        must(cudaMemset(survey->records, UNTOUCHED, records_bytes(survey)), "cudaMemset");
    must(cudaDeviceSynchronize(), "cudaMemset");
}

static void survey_device(struct survey *survey, void *work, size_t *bytes, cudaStream_t stream)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    CHECK_THAT(gpuenv_stats_cuda(context, &survey->in_twin.array, survey->every,
                                 (gpuenv_record *)(void *)survey->records, survey->size, work,
                                 bytes, 0, stream, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
}

static void open_survey(struct survey *survey, const struct layout *layout, int type, bool plain,
                        uint64_t every)
{
    const size_t skew = random_below(4) * type_bytes(type == GPUENV_CF64 ? GPUENV_F64 : type);

    *survey = (struct survey){.every = every, .is_pinned = random_below(3) == 0};
    survey->size = sizeof(gpuenv_record) + 8 * random_below(3);
    own(&survey->in, layout, type, plain, true);
    fill_survey(survey);
    open_twin(&survey->in_twin, &survey->in, skew);
    CHECK(gpuenv_records(&survey->in.array, every, &survey->count, NULL) == GPUENV_OK);
    if (survey->is_pinned)
        must(cudaMallocHost((void **)&survey->records, records_bytes(survey)), "cudaMallocHost");
    else
        must(cudaMalloc((void **)&survey->records, records_bytes(survey)), "cudaMalloc");
    survey_device(survey, NULL, &survey->bytes, NULL);
    must(cudaMalloc(&survey->work, survey->bytes), "cudaMalloc");
    must(cudaMemset(survey->work, UNTOUCHED, survey->bytes), "cudaMemset");
    clear_records(survey);
}

static void close_survey(struct survey *survey)
{
    must(survey->is_pinned ? cudaFreeHost(survey->records) : cudaFree(survey->records), "free");
    must(cudaFree(survey->in_twin.memory), "free");
    must(cudaFree(survey->work), "free");
    free(survey->in.memory);
}

static void check_survey(struct survey *survey, const char *when)
{
    const gpuenv_array *in = &survey->in.array;
    unsigned char *due = malloc(records_bytes(survey));
    unsigned char *got = malloc(records_bytes(survey));

    memset(due, UNTOUCHED, records_bytes(survey));
    ((gpuenv_record *)(void *)due)->size = survey->size;
    CHECK(gpuenv_stats(context, in, survey->every, (gpuenv_record *)(void *)due, NULL) ==
          GPUENV_OK);
    if (survey->is_pinned)
        memcpy(got, survey->records, records_bytes(survey));
    else
        must(cudaMemcpy(got, survey->records, records_bytes(survey), cudaMemcpyDeviceToHost),
             "copy");
    CHECK_THAT(memcmp(got, due, records_bytes(survey)) == 0,
               "%s: type %d, %llu x %llu x %llu, distances %td, %td, %td, every %llu", when,
               in->type, (unsigned long long)in->rows, (unsigned long long)in->frames,
               (unsigned long long)in->channels, in->row, in->frame, in->channel,
               (unsigned long long)survey->every);
    clear_records(survey);
    free(due);
    free(got);
}

static void replay_survey(struct survey *survey, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    survey_device(survey, survey->work, &survey->bytes, stream);
    must(cudaStreamEndCapture(stream, &graph), "capture");
    must(cudaGraphInstantiate(&exec, graph, 0), "graph");
    for (int i = 0; i < 2; i++) {
        fill_survey(survey);
        must(cudaMemcpy((unsigned char *)survey->in_twin.array.data -
                            ((unsigned char *)survey->in.array.data - survey->in.memory),
                        survey->in.memory, survey->in.bytes, cudaMemcpyHostToDevice),
             "copy");
        must(cudaDeviceSynchronize(), "copy");
        must(cudaGraphLaunch(exec, stream), "replay");
        must(cudaStreamSynchronize(stream), "replay");
        check_survey(survey, "replayed");
    }
    must(cudaGraphExecDestroy(exec), "graph");
    must(cudaGraphDestroy(graph), "graph");
}

static void run_survey(const struct layout *layout, int type, bool plain, uint64_t every)
{
    struct survey survey;
    cudaStream_t stream;

    open_survey(&survey, layout, type, plain, every);
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    for (int i = 0; i < 2; i++) {
        survey_device(&survey, survey.work, &survey.bytes, stream);
        must(cudaStreamSynchronize(stream), "kernels");
        check_survey(&survey, i == 0 ? "called" : "called again");
    }
    survey_device(&survey, NULL, NULL, stream);
    must(cudaStreamSynchronize(stream), "kernels");
    check_survey(&survey, "in the context's workspace");
    replay_survey(&survey, stream);
    must(cudaStreamDestroy(stream), "stream");
    close_survey(&survey);
}

static void run_random_survey(void)
{
    const bool plain = random_below(2) == 0;
    struct layout layout = {1 + random_below(3), 1 + random_below(9000), 1 + random_below(3)};

    if (random_below(4) == 0)
        layout = (struct layout){1 + random_below(60), 1 + random_below(200), 1 + random_below(6)};
    if (random_below(6) == 0)
        layout = (struct layout){1, 30000 + random_below(100000), 1};
    if (random_below(8) == 0)
        layout.frames = 1;
    run_survey(&layout, random_type(), plain, random_every(layout.frames));
}

/* Planes in many shares, also side by side, and more shares than a block joins at once. */
static void test_surveys(unsigned many)
{
    const struct layout layouts[] = {{1, 140000, 1}, {3, 70000, 1}, {1, 50000, 2}, {2, 40000, 5}};
    const struct layout nothing = {2, 0, 3};

    for (unsigned i = 0; i < many; i++) {
        if (!emu_is_real())
            emu_set_order((enum emu_order)(i % EMU_ORDERS), i + 1);
        run_random_survey();
    }
    for (unsigned i = 0; i < 4; i++) {
        run_survey(&layouts[i], i % 2 == 0 ? GPUENV_F32 : GPUENV_F64, true, 0);
        if (!is_few)
            run_survey(&layouts[i], GPUENV_F32, true, 34000);
    }
    run_survey(&nothing, GPUENV_F32, true, 0);
    run_survey(&nothing, GPUENV_S16, true, 100);
    if (is_full)
        run_survey(&(struct layout){1, UINT64_C(40) * 8 * 4096 + 5, 1}, GPUENV_F32, true, 0);
}

static void test_survey_refusals(void)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array array = GPUENV_INIT(gpuenv_array);
    size_t bytes = 0;
    unsigned char *memory;
    gpuenv_record *record;

    must(cudaMalloc((void **)&memory, 4096), "cudaMalloc");
    record = (gpuenv_record *)(void *)(memory + 1024);
    array.data = memory;
    array.type = GPUENV_S64;
    array.rows = array.channels = 1;
    array.frames = 10;
    array.frame = 8;
#define SURVEY(record, size, work, bytes, device)                                                  \
    gpuenv_stats_cuda(context, &array, 0, record, size, work, bytes, device, NULL, &error)
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, 0) == GPUENV_NO_DEVICE);
    CHECK_THAT(strstr(error.text, "float64") != NULL, "%s", error.text);
    array.type = GPUENV_F64;
    array.data = memory + 4;
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, 0) == GPUENV_NO_DEVICE);
    array.data = memory;
    CHECK(SURVEY(NULL, sizeof *record, NULL, &bytes, 0) == GPUENV_BAD_ARGUMENT);
    CHECK(SURVEY(record, sizeof *record - 8, NULL, &bytes, 0) == GPUENV_BAD_ARGUMENT);
    CHECK(SURVEY(record, sizeof *record + 4, NULL, &bytes, 0) == GPUENV_BAD_ARGUMENT);
    CHECK(SURVEY(record, sizeof *record, memory, NULL, 0) == GPUENV_BAD_ARGUMENT);
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, -1) == GPUENV_BAD_ARGUMENT);
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, 77) == GPUENV_NO_DEVICE);
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, 0) == GPUENV_OK && bytes > 0);
    bytes = 0;
    CHECK(SURVEY(record, sizeof *record, memory, &bytes, 0) == GPUENV_DEVICE_FAILED);
    array.frames = 0; /* and no memory: a record that says so */
    array.data = NULL;
    bytes = 1024;
    CHECK(SURVEY(record, sizeof *record, memory, &bytes, 0) == GPUENV_OK);
    array.frames = 10;
    array.data = memory;
    array.rows = 0;
    CHECK(SURVEY(NULL, sizeof *record, NULL, &bytes, 0) == GPUENV_OK && bytes == 0);
    array.rows = UINT64_C(1) << 31;
    array.row = 0;
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, 0) == GPUENV_NO_DEVICE);
#undef SURVEY
    must(cudaFree(memory), "free");
}

/* ---- what is refused */

static void test_refusals(void)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array in = GPUENV_INIT(gpuenv_array);
    gpuenv_array out[2];
    unsigned char *memory;
    size_t bytes = 0;

    must(cudaMalloc((void **)&memory, 4096), "cudaMalloc");
    spec.width = 3;
    in.data = memory;
    in.type = GPUENV_S64;
    in.rows = in.channels = 1;
    in.frames = 10;
    in.frame = 8;
    out[0] = out[1] = in;
    out[0].frames = out[1].frames = 8;
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, NULL, &bytes, 0, NULL, &error) ==
          GPUENV_BAD_ARGUMENT);
    CHECK_THAT(strstr(error.text, "overlaps") != NULL, "%s", error.text);
    out[0].data = memory + 1024;
    out[1].data = memory + 2048;
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, NULL, &bytes, 0, NULL, &error) ==
          GPUENV_NO_DEVICE);
    CHECK_THAT(strstr(error.text, "float64") != NULL, "%s", error.text);
    in.type = out[0].type = out[1].type = GPUENV_F32;
    in.data = memory + 2;
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, NULL, &bytes, 0, NULL, &error) ==
          GPUENV_NO_DEVICE);
    in.data = memory;
    spec.nan = GPUENV_NAN_ERROR;
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, NULL, &bytes, 0, NULL, &error) ==
          GPUENV_BAD_ARGUMENT);
    spec.nan = GPUENV_NAN_OMIT;
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, NULL, &bytes, 77, NULL, &error) ==
          GPUENV_NO_DEVICE);
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, NULL, &bytes, 0, NULL, &error) ==
              GPUENV_OK &&
          bytes > 0);
    bytes = 0;
    CHECK(gpuenv_filter_cuda(context, &spec, &in, out, memory, &bytes, 0, NULL, &error) ==
          GPUENV_DEVICE_FAILED);
    must(cudaFree(memory), "free");
}

/* The number of launches does not depend on the rows. */
static void test_launches(void)
{
    static const uint64_t widths[] = {5, 512, 3000, 200000};

    for (unsigned i = 0; i < 4; i++) {
        unsigned long launches[2];

        for (unsigned k = 0; k < 2; k++) {
            const struct layout layout = {k == 0 ? 1 : 7, 256, 1};
            struct layout of_out = layout;
            struct test test;
            size_t bytes;
            void *work;

            memset(&test, 0, sizeof test);
            test.spec = GPUENV_INIT(gpuenv_spec);
            test.spec.width = widths[i];
            test.spec.align = GPUENV_CENTER;
            test.values = 2;
            own(&test.in, &layout, GPUENV_F32, true, true);
            fill(&test.in, false);
            open_twin(&test.in_twin, &test.in, 0);
            (void)gpuenv_outputs(&test.spec, layout.frames, &of_out.frames, NULL);
            for (unsigned j = 0; j < 2; j++) {
                own(&test.out[j], &of_out, GPUENV_F32, true, true);
                open_twin(&test.out_twin[j], &test.out[j], 0);
            }
            bytes = bytes_for(&test);
            must(cudaMalloc(&work, bytes), "cudaMalloc");
            emu_fail(NULL, 0);
            enqueue(&test, work, bytes, NULL);
            launches[k] = emu_calls("launch");
            must(cudaDeviceSynchronize(), "kernels");
            check_results(&test, "launches");
            must(cudaFree(work), "free");
            end_test(&test);
        }
        CHECK_THAT(launches[0] == launches[1], "%lu and %lu", launches[0], launches[1]);
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
    must(cudaMallocHost((void **)&got, BYTES), "cudaMallocHost");
    CHECK(gpuenv_cuda_device(memory + BYTES / 2, &device, &error) == GPUENV_OK && device == 0);
    CHECK(gpuenv_cuda_device(got, &device, &error) == GPUENV_DEVICE_FAILED);
    CHECK(gpuenv_cuda_device(memory, NULL, &error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_cuda_wait(-1, NULL, NULL, 1, &error) == GPUENV_BAD_ARGUMENT);
    for (unsigned i = 1; i < 20; i++) {
        if (!emu_is_real())
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
        CHECK(gpuenv_cuda_wait(0, after, before, 1, &error) == GPUENV_OK);
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
    many = CHECK_THREADS ? 12 : is_full ? 20000 : is_few ? 60 : 150;
    CHECK(gpuenv_open(NULL, &context, NULL) == GPUENV_OK);
    for (unsigned i = 0; i < many; i++) {
        if (!emu_is_real())
            emu_set_order((enum emu_order)(i % EMU_ORDERS), i + 1);
        run_test(i % 3 == 0);
    }
    test_surveys(many / 4);
    test_survey_refusals();
    test_refusals();
    test_waits();
    if (!emu_is_real())
        test_launches();
    gpuenv_close(context);
    return check_result();
}
