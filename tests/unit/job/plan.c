/* SPDX-License-Identifier: MIT */
/* job/plan: from a command line and a source's properties to a plan. */
#include "check.h"

#include "base/cpus.h"
#include "command_line.h"
#include "cpu/kernels.h"
#include "format/format.h"
#include "job/plan_priv.h"
#include "table.h"
#include "words.h"

static struct options options;
static struct plan plan;
static struct error error;

static struct machine machine = {.cpus = 4, .threads_most = 4, .memory = UINT64_C(1) << 30};

static int make_of(const char *words, bool raw, const struct source_format *source)
{
    struct input input = {.name = "log"};
    const struct source from = {.format = *source, .input = &input, .table = &source_no_table};

    memset(&error, 0, sizeof error);
    if (parse(words, &options, &error) != 0 ||
        plan_begin(&plan, &options.settings, &options.task, raw, &error) != 0 ||
        plan_stream(&plan, &options.settings, &options.task, &from, &error) != 0)
        return -1;
    plan_engine(&plan, &options.settings, &machine, &engine_cpu);
    return plan_check_memory(&plan, &options.settings, &options.task, &machine, &error);
}

/* Plans for a source of mono float32 at 1000 Hz, or, if it is raw, at the 2000 Hz that the user
 * gives. */
static int make(const char *words, bool raw, uint64_t frames)
{
    const struct source_format source = {
        .sample = {.kind = SAMPLE_F32}, .channels = 1, .rate = raw ? 2000 : 1000, .frames = frames};

    return make_of(words, raw, &source);
}

static void check_lengths(void)
{
    CHECK(make("-w|10ms|--hop|5ms", false, 100) == 0);
    CHECK(plan.stream.setup.window.width == 10 && plan.stream.setup.window.hop == 5);
    CHECK(plan.stream.frames == 100 && plan.sink.frames == 19);
    CHECK(plan.sink.rate == 200 && plan.sink.channels == 2 && plan.stream.brief);

    CHECK(make("-w|10|--skip|20|--frames|30ms", false, 100) == 0);
    CHECK(plan.skip == 20 && plan.stream.limit == 30 && plan.stream.frames == 30 &&
          plan.sink.frames == 21);
    CHECK(make("-w|10|--skip|200", false, 100) == 0 && plan.stream.frames == 0 &&
          plan.sink.frames == 0);
    CHECK(make("-w|10|--frames|7", false, SOURCE_FRAMES_UNKNOWN) == 0);
    CHECK(plan.stream.frames == 7 && plan.sink.frames == SINK_FRAMES_UNKNOWN && !plan.stream.brief);

    /* Frames without a header have only the rate given by the user. */
    CHECK(make("-w|10ms", true, 100) == -1 && strstr(words_of(&error), "give -r HZ") != NULL);
    CHECK(make("-w|10ms|-r|2k", true, 100) == 0 && plan.stream.setup.window.width == 20);
}

static void check_devices(void)
{
    const uint64_t many = UINT64_C(2) << 30;

    /* Whether it pays is decided during the work. */
    CHECK(make("-w|9", false, many) == 0 && plan.device == PLAN_AUTO);
    CHECK(make("-w|9", false, 1000) == 0 && plan.device == PLAN_AUTO);
    CHECK(make("-w|9|--device|cpu", false, many) == 0 && plan.device == PLAN_CPU);
    CHECK(make("-w|9|--device|cuda", false, 1000) == 0 && plan.device == PLAN_DEVICE);
    CHECK(make("-w|9|--device|cuda|--algorithm|lemire", false, 1000) == 0 &&
          plan.device == PLAN_CPU);
    CHECK(make("--emit|none|--stats|s", false, many) == 0 && plan.device == PLAN_CPU);
}

/* In a batch, a named device is not used for short inputs: below 1 MiB. */
static void check_short(void)
{
    const uint64_t least = (UINT64_C(1) << 20) / sizeof(float);

    CHECK(make("-w|9|--device|cuda", false, least) == 0);
    CHECK(!plan_is_short_for_device(&plan, UINT64_MAX));
    CHECK(make("-w|9|--device|cuda", false, least - 1) == 0);
    CHECK(plan_is_short_for_device(&plan, UINT64_MAX));
    /* The frames that are read count. */
    CHECK(make("-w|9|--device|cuda|--skip|10", false, least) == 0);
    CHECK(plan_is_short_for_device(&plan, UINT64_MAX));
    CHECK(make("-w|9|--device|cuda|--frames|1000", false, SOURCE_FRAMES_UNKNOWN) == 0);
    CHECK(plan_is_short_for_device(&plan, UINT64_MAX));
    CHECK(make("-w|9|--device|cuda", false, SOURCE_FRAMES_UNKNOWN) == 0);
    CHECK(!plan_is_short_for_device(&plan, UINT64_MAX));
    CHECK(plan_is_short_for_device(&plan, 1000) && !plan_is_short_for_device(&plan, least));
    /* Without a named device, other rules apply. */
    CHECK(make("-w|9", false, 1000) == 0 && !plan_is_short_for_device(&plan, UINT64_MAX));
    CHECK(make("-w|9|--device|cpu", false, 1000) == 0);
    CHECK(!plan_is_short_for_device(&plan, UINT64_MAX));
}

static void check_chunks(void)
{
    const bool small = cpus_want_small_blocks();

    CHECK(make("-w|9", false, 1000) == 0 && plan.stream.setup.chunk_frames == 1000);
    CHECK(make("-w|9", false, SOURCE_FRAMES_UNKNOWN) == 0);
    CHECK(plan.stream.setup.chunk_frames * engine_out_bytes(&plan.stream.setup) ==
          (small ? (size_t)ENGINE_SMALL_CHUNK_BYTES : engine_cpu.chunk_bytes));
    CHECK(make("-w|9|--chunk|77", false, 1000) == 0 && plan.stream.setup.chunk_frames == 77);
    /* The text of a chunk's records is limited. */
    CHECK(make("-w|9|--stats|s|--stats-every|1", false, 1000000000) == 0);
    CHECK(plan.stream.setup.chunk_frames < 20000 && plan.stream.stats_every == 1);
    CHECK(make("-w|9|--stats|s", false, 1000000000) == 0 &&
          plan.stream.setup.chunk_frames > (small ? 30000 : 100000));
}

static void check_memory(void)
{
    CHECK(make("-w|1000000000", false, 1000) == -1 && error.status == STATUS_FAILED);
    CHECK(strstr(words_of(&error), "bytes), but only 1.0 GiB is available") != NULL);
    /* Chunks take only a part of it. */
    CHECK(make("-w|9|--chunk|1000000000", false, 1000) == 0);
    CHECK(plan.stream.setup.chunk_frames * engine_chunks_bytes(&engine_cpu, &plan.stream.setup) <=
          machine.memory / 4);
}

/* Plans for samples of this kind, and compares the kinds: of the samples, and of each result, as
 * letters: f for float32, d for float64, i and u for integers of 64 bits, c for compact kinds. */
static void check_kinds(const char *words, enum sample_kind kind, char value, const char *results)
{
    static const char letters[VALUE_KINDS] = "fdiupccccccc";
    const bool counts = strstr(words, "--counts") != NULL;
    const struct source_format source = {
        .sample = {.kind = kind, .counts = counts}, .channels = 1, .rate = 1000, .frames = 100};
    char got[EMIT_KINDS + 1] = "";

    CHECK_THAT(make_of(words, false, &source) == 0, "%s", words);
    for (unsigned i = 0; i < plan.stream.setup.emits.count; i++) {
        got[i] = letters[plan.stream.setup.results[i]];
        CHECK(plan.sink.row.kind[i] == plan.stream.setup.results[i]);
    }
    CHECK(plan.sink.row.count == plan.stream.setup.emits.count);
    CHECK_THAT(letters[plan.stream.setup.value] == value, "%s, kind %d: %c", words, (int)kind,
               letters[plan.stream.setup.value]);
    CHECK_THAT(strcmp(got, results) == 0, "%s, kind %d: %s", words, (int)kind, got);
}

static void check_row(const struct table *row)
{
    struct sample_type type;

    CHECK(sample_type_parse(row->field[1], false, &type));
    check_kinds(row->field[0], type.kind, row->field[2][0], row->field[3]);
}

/* Not in a build with portable kernels alone. */
static bool has_compact(void)
{
    return cpu_kernels_pick(NULL, VALUE_S16) != NULL;
}

static void check_values(void)
{
    static const enum sample_kind narrow[] = {SAMPLE_F32, SAMPLE_F16,  SAMPLE_S24,
                                              SAMPLE_U8,  SAMPLE_CF32, SAMPLE_CS16};
    static const enum sample_kind wide[] = {SAMPLE_F64, SAMPLE_S32, SAMPLE_U32, SAMPLE_CF64};
    static const char *const rounded[] = {"-w|9",        "-w|9|-T|f32",     "-w|9|-T|s16",
                                          "-w|9|-T|wav", "-w|9|-T|wav:s24", "-w|9|-o|x.f32"};
    static const char *const kept[] = {"-w|9|-T|f64",     "-w|9|-T|s32",   "-w|9|-T|u32be",
                                       "-w|9|-T|wav:f64", "-w|9|-o|x.s64", "-w|9|-T|u64"};

    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        check_kinds("-w|9|-T|f64", narrow[i], 'f', "ff");
        check_kinds("--emit|none|--stats|s", narrow[i], 'f', "");
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        for (size_t j = 0; j < sizeof rounded / sizeof *rounded; j++)
            check_kinds(rounded[j], wide[i], 'f', "ff");
        for (size_t j = 0; j < sizeof kept / sizeof *kept; j++) {
            if (wide[i] == SAMPLE_S32 && strcmp(kept[j], "-w|9|-T|s32") == 0 && has_compact())
                check_kinds(kept[j], wide[i], 'c', "cc");
            else
                check_kinds(kept[j], wide[i], 'd', "dd");
        }
        check_kinds("--emit|none|--stats|s", wide[i], 'd', "");
    }
    TABLE (row, "kinds", 4)
        check_row(&row);
}

/* Each field of a source says one thing: rows need no writer of their own, and keep their NaN. */
static void check_fields(void)
{
    struct source_format rows = {.sample = {.kind = SAMPLE_F64},
                                 .numbers = true,
                                 .rows = true,
                                 .channels = 2,
                                 .frames = 100};

    CHECK(make_of("-w|9", false, &rows) == 0);
    CHECK(plan.sink.format == &format_raw && strcmp(plan.sink.container, "raw") == 0);
    CHECK(plan.stream.setup.nan == NAN_PROPAGATE && plan.stream.setup.value == VALUE_F32);
    CHECK(plan.sink.context.rows && plan.sink.context.numbers && !plan.sink.context.decimal);
    CHECK(make_of("-w|9|--db", false, &rows) == -1);
    CHECK(strstr(words_of(&error), "full scale") != NULL);
    CHECK(plan_check_window(&plan, &options.settings, &(struct source){.format = rows}, &error) ==
          0);

    rows.nan_is_missing = true;
    rows.usual_output = format_named("tsv", 3);
    CHECK(make_of("-w|9", false, &rows) == 0 && plan.stream.setup.nan == NAN_OMIT);
    CHECK(plan.sink.format == rows.usual_output && strcmp(plan.sink.container, "tsv") == 0);
    CHECK(make_of("-w|9|--nan|propagate", false, &rows) == 0);
    CHECK(plan.stream.setup.nan == NAN_PROPAGATE);
    CHECK(make_of("-w|9|-T|npy", false, &rows) == 0);
    CHECK(strcmp(plan.sink.container, "npy") == 0);

    CHECK(make_of("-w|9|-T|svg", false, &rows) == 0 && plan.stream.setup.value == VALUE_F32);
    rows.decimal = true;
    CHECK(make_of("-w|9|-T|svg", false, &rows) == 0 && plan.stream.setup.value == VALUE_F64);
}

static const struct source_format sound = {
    .sample = {.kind = SAMPLE_S16}, .channels = 2, .rate = 1000, .frames = 100};

/* Samples that the output takes as they are. */
static void check_compact(void)
{
    if (!has_compact())
        return;
    TABLE (row, "compact", 4)
        check_row(&row);
    /* The cores alone work on them, if none is named. */
    CHECK(make_of("-w|9|-T|s16", false, &sound) == 0 && plan.device == PLAN_CPU);
}

static void check_decoded(void)
{

    CHECK(make_of("-w|9|-T|s16|--overall", false, &sound) == 0);
    CHECK(plan.stream.setup.value == VALUE_F32);
    CHECK(make_of("-w|9|-T|f32", false, &sound) == 0 && plan.device == PLAN_AUTO);
}

static void check_integers(void)
{
    const struct source_format integers = {
        .sample = {.kind = SAMPLE_S64}, .channels = 1, .rate = 1000, .frames = 100};
    const struct source_format narrow = {
        .sample = {.kind = SAMPLE_S32, .bits = 24}, .channels = 1, .rate = 1000, .frames = 100};

    /* The cores alone work on them. */
    CHECK(make_of("-w|9|-T|s64", false, &integers) == 0 && plan.device == PLAN_CPU);
    CHECK(make_of("-w|9|-T|s64|--device|cuda", false, &integers) == -1);
    CHECK(error.code == ERROR_COMMAND && error.status == STATUS_USAGE);
    CHECK(strstr(words_of(&error), "-T f32") != NULL);
    CHECK(make_of("-w|9|-T|f32|--device|cuda", false, &integers) == 0);
    CHECK(plan.device == PLAN_DEVICE && plan.stream.setup.value == VALUE_F32);
    CHECK(make_of("-w|9|-T|s64|--device|cuda|--algorithm|lemire", false, &integers) == 0);

    /* 24 bits in s32 */
    CHECK(make_of("-w|9|-T|s32", false, &narrow) == 0 && plan.stream.setup.value == VALUE_F32);
}

CHECK_MAIN(check_values, check_fields, check_compact, check_decoded, check_integers, check_lengths,
           check_devices, check_short, check_chunks, check_memory)
