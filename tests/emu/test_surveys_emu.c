/* SPDX-License-Identifier: MIT */
/* Statistics of arrays on a device against those of the same arrays in memory:
 * test_surveys_emu few|most|full
 *
 * Every type and layout, in blocks of any length; no byte beside the records may change. */
#include "twins.h"

struct survey {
    struct call call; /* first */
    struct owned in;
    struct twin in_twin;
    uint64_t every;
    uint64_t count; /* records */
    size_t size;    /* of one */
    bool is_pinned;
    unsigned char *records;
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

static void survey_device(struct call *call, void *work, size_t *bytes, cudaStream_t stream)
{
    struct survey *survey = (struct survey *)call;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    CHECK_THAT(gpuenv_stats_cuda(context, &survey->in_twin.array, survey->every,
                                 (gpuenv_record *)(void *)survey->records, survey->size, work,
                                 bytes, 0, stream, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
}

static void check_survey(struct call *call, const char *when)
{
    struct survey *survey = (struct survey *)call;
    const gpuenv_array *in = &survey->in.array;
    unsigned char *due = malloc(records_bytes(survey));
    unsigned char *got = malloc(records_bytes(survey));

    memset(due, UNTOUCHED, records_bytes(survey));
    ((gpuenv_record *)(void *)due)->size = survey->size;
    CHECK_OK(gpuenv_stats(context, in, survey->every, (gpuenv_record *)(void *)due, NULL));
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

static void refill(struct call *call)
{
    struct survey *survey = (struct survey *)call;

    fill_survey(survey);
    refresh_twin(&survey->in_twin, &survey->in);
}

static void open_survey(struct survey *survey, const struct layout *layout, int type, bool plain,
                        uint64_t every)
{
    const size_t skew = random_below(4) * type_bytes(type == GPUENV_CF64 ? GPUENV_F64 : type);

    *survey = (struct survey){.call = {survey_device, refill, check_survey, NULL, 0},
                              .every = every,
                              .is_pinned = random_below(3) == 0};
    survey->size = sizeof(gpuenv_record) + 8 * random_below(3);
    own(&survey->in, layout, type, plain, true);
    fill_survey(survey);
    open_twin(&survey->in_twin, &survey->in, skew);
    CHECK_OK(gpuenv_records(&survey->in.array, every, &survey->count, NULL));
    if (survey->is_pinned)
        must(cudaHostAlloc((void **)&survey->records, records_bytes(survey), cudaHostAllocDefault),
             "cudaHostAlloc");
    else
        must(cudaMalloc((void **)&survey->records, records_bytes(survey)), "cudaMalloc");
    clear_records(survey);
}

static void run_survey(const struct layout *layout, int type, bool plain, uint64_t every)
{
    struct survey survey;

    open_survey(&survey, layout, type, plain, every);
    try_call(&survey.call, true);
    must(survey.is_pinned ? cudaFreeHost(survey.records) : cudaFree(survey.records), "free");
    must(cudaFree(survey.in_twin.memory), "free");
    must(cudaFree(survey.call.work), "free");
    free(survey.in.memory);
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
    run_survey(&layout, random_type(false), plain, random_every(layout.frames));
}

/* Planes in many shares, also side by side, and more shares than a block joins at once. */
static void test_surveys(unsigned many)
{
    const struct layout layouts[] = {{1, 140000, 1}, {3, 70000, 1}, {1, 50000, 2}, {2, 40000, 5}};
    const struct layout nothing = {2, 0, 3};

    for (unsigned i = 0; i < many; i++) {
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

/* ---- columns */

/* The columns of an array beside each other, `gap` values of 8 bytes after each. */
struct columns {
    gpuenv_array column[GPUENV_COLUMNS];
    unsigned char *memory;
    size_t bytes;
    uint64_t blocks;
};

/* Extremes have the type of the samples, or are float64. */
static int column_type(int column, int type, bool wide)
{
    const bool is_own = !wide && type != GPUENV_S24 && type < GPUENV_CF32;

    if (column <= GPUENV_COLUMN_ARGABS)
        return GPUENV_S64;
    if (column <= GPUENV_COLUMN_RMS || !is_own)
        return GPUENV_F64;
    return column == GPUENV_COLUMN_ABS && !is_float(type) && type != GPUENV_F16 ? GPUENV_U64 : type;
}

static void open_columns(struct columns *columns, const gpuenv_array *in, uint64_t count, bool wide)
{
    const size_t most = (size_t)count * 8 + 8;

    columns->blocks = count / (in->rows * in->channels);
    columns->bytes = most * GPUENV_COLUMNS;
    must(cudaMalloc((void **)&columns->memory, columns->bytes), "cudaMalloc");
    must(cudaMemset(columns->memory, UNTOUCHED, columns->bytes), "cudaMemset");
    for (int i = 0; i < GPUENV_COLUMNS; i++) {
        gpuenv_array *column = &columns->column[i];

        *column = packed(columns->memory + (size_t)i * most, column_type(i, in->type, wide),
                         columns->blocks, in->channels);
        column->rows = in->rows;
    }
}

/* Is it the number of a record? Integers are exact as doubles, and every NaN is one. */
static bool is_number(const unsigned char *at, int type, double due)
{
    float narrow;
    double wide;
    int64_t whole;

    if (type == GPUENV_F32) {
        memcpy(&narrow, at, sizeof narrow);
        return isnan(due) ? isnan(narrow) : (double)narrow == due;
    }
    if (type == GPUENV_F64) {
        memcpy(&wide, at, sizeof wide);
        return isnan(due) ? isnan(wide) : wide == due && signbit(wide) == signbit(due);
    }
    memcpy(&whole, at, sizeof whole);
    return type == GPUENV_S8    ? (double)(int8_t)whole == due
           : type == GPUENV_U8  ? (double)(uint8_t)whole == due
           : type == GPUENV_S16 ? (double)(int16_t)whole == due
           : type == GPUENV_U16 ? (double)(uint16_t)whole == due
           : type == GPUENV_S32 ? (double)(int32_t)whole == due
           : type == GPUENV_U32 ? (double)(uint32_t)whole == due
                                : (double)whole == due;
}

static void check_columns(const struct columns *columns, const gpuenv_array *in,
                          const gpuenv_record *due, uint64_t count)
{
    unsigned char *got = malloc(columns->bytes);

    must(cudaMemcpy(got, columns->memory, columns->bytes, cudaMemcpyDeviceToHost), "copy");
    for (uint64_t k = 0; k < count; k++) {
        const gpuenv_record *record = &due[k];
        const bool none = record->frames == record->nans;
        const double members[GPUENV_COLUMNS] = {
            (double)record->frames,
            (double)record->nans,
            none ? -1 : (double)record->argmin,
            none ? -1 : (double)record->argmax,
            none ? -1 : (double)record->argabs,
            record->sum,
            record->mean,
            record->rms,
            record->abs.f64,
            record->min.f64,
            record->max.f64,
        };

        for (int i = 0; i < GPUENV_COLUMNS; i++) {
            const gpuenv_array *column = &columns->column[i];
            const size_t place =
                (size_t)((unsigned char *)(uintptr_t)column->data - columns->memory);
            const size_t bytes = gpuenv_type_bytes(column->type);

            CHECK_THAT(column->type == GPUENV_F16 ||
                           is_number(got + place + k * bytes, column->type, members[i]),
                       "column %d as type %d of type %d, record %llu: %.17g is due", i,
                       column->type, in->type, (unsigned long long)k, members[i]);
            CHECK(k + 1 < count || got[place + count * bytes] == UNTOUCHED);
        }
    }
    free(got);
}

static void run_columns(const struct layout *layout, int type, uint64_t every, bool wide)
{
    struct survey survey;
    struct columns columns;
    gpuenv_record *due;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    open_survey(&survey, layout, type, true, every);
    open_columns(&columns, &survey.in.array, survey.count, wide);
    due = calloc(survey.count, sizeof *due);
    due[0].size = sizeof *due;
    CHECK_OK(gpuenv_stats(context, &survey.in.array, every, due, NULL));
    CHECK_THAT(gpuenv_stats_columns_cuda(context, &survey.in_twin.array, every, columns.column,
                                         NULL, NULL, 0, NULL, &error) == GPUENV_OK,
               "%s %s", error.subject, error.text);
    must(cudaDeviceSynchronize(), "kernels");
    check_columns(&columns, &survey.in.array, due, survey.count);
    free(due);
    must(cudaFree(columns.memory), "free");
    must(survey.is_pinned ? cudaFreeHost(survey.records) : cudaFree(survey.records), "free");
    must(cudaFree(survey.in_twin.memory), "free");
    free(survey.in.memory);
}

static void test_columns(void)
{
    static const int own[] = {GPUENV_F32, GPUENV_F64, GPUENV_S8,  GPUENV_U8,
                              GPUENV_S16, GPUENV_U16, GPUENV_S32, GPUENV_U32,
                              GPUENV_F16, GPUENV_S24, GPUENV_CF32};

    for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
        run_columns(&(struct layout){3, 100, 2}, own[i], 0, i % 2 != 0);
        run_columns(&(struct layout){2, 90, 3}, own[i], 8, false);
        run_columns(&(struct layout){1, 9000, 1}, own[i], i % 3 == 0 ? 0 : 5000, false);
    }
}

static void test_column_refusals(void)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array array;
    struct columns columns;
    size_t bytes = 0;
    unsigned char *memory;

    must(cudaMalloc((void **)&memory, 4096), "cudaMalloc");
    array = packed(memory, GPUENV_S16, 100, 1);
    array.rows = 1;
    open_columns(&columns, &array, 1, false);
#define COLUMNS(column)                                                                            \
    gpuenv_stats_columns_cuda(context, &array, 0, column, NULL, &bytes, 0, NULL, &error)
    CHECK(COLUMNS(columns.column) == GPUENV_OK && bytes > 1);
    array.type = GPUENV_F32; /* columns of int16 */
    CHECK(COLUMNS(columns.column) == GPUENV_BAD_ARGUMENT);
    CHECK_THAT(strcmp(error.subject, "column") == 0 && error.text[0] == '8', "%s", error.text);
    array.type = GPUENV_S16;
    CHECK(COLUMNS(NULL) == GPUENV_BAD_ARGUMENT);
    columns.column[GPUENV_COLUMN_SUM].type = GPUENV_F32;
    CHECK(COLUMNS(columns.column) == GPUENV_BAD_ARGUMENT);
    columns.column[GPUENV_COLUMN_SUM].type = GPUENV_F64;
    columns.column[GPUENV_COLUMN_NANS].data = columns.memory + 4;
    CHECK(COLUMNS(columns.column) == GPUENV_BAD_ARGUMENT);
    CHECK_THAT(strstr(error.text, "aligned") != NULL, "%s", error.text);
    columns.column[GPUENV_COLUMN_NANS].data = columns.memory;
    columns.column[GPUENV_COLUMN_NANS].frames = 2;
    CHECK(COLUMNS(columns.column) == GPUENV_BAD_ARGUMENT);
    columns.column[GPUENV_COLUMN_NANS].frames = 1;
    array = packed(memory, GPUENV_F64, 100, 1); /* read in place, by a warp */
    for (int i = GPUENV_COLUMN_ABS; i <= GPUENV_COLUMN_MAX; i++)
        columns.column[i].type = GPUENV_F64;
    CHECK(COLUMNS(columns.column) == GPUENV_OK && bytes == 1);
#undef COLUMNS
    must(cudaFree(columns.memory), "free");
    must(cudaFree(memory), "free");
}

static void test_survey_refusals(void)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array array;
    size_t bytes = 0;
    unsigned char *memory;
    gpuenv_record *record;

    must(cudaMalloc((void **)&memory, 4096), "cudaMalloc");
    record = (gpuenv_record *)(void *)(memory + 1024);
    array = packed(memory, GPUENV_S64, 10, 1);
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
    array.broadcast = 1;
    array.rows = 0;
    CHECK(SURVEY(NULL, sizeof *record, NULL, &bytes, 0) == GPUENV_OK && bytes == 0);
    array.rows = UINT64_C(1) << 31;
    array.row = 0;
    CHECK(SURVEY(record, sizeof *record, NULL, &bytes, 0) == GPUENV_NO_DEVICE);
#undef SURVEY
    must(cudaFree(memory), "free");
}

int main(int argc, char **argv)
{
    read_amount(argc, argv);
    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    test_surveys(CHECK_THREADS ? 3 : is_full ? 5000 : is_few ? 15 : 37);
    test_columns();
    test_column_refusals();
    test_survey_refusals();
    gpuenv_close(context);
    return check_result();
}
