/* job/plan: from a command line and a source's properties to a plan. */
#include "check.h"

#include "command_line.h"
#include "job/plan.h"
#include "words.h"

static struct options options;
static struct plan plan;
static struct error error;

static struct machine machine = {.cpus = 4, .threads = 4, .memory = UINT64_C(1) << 30};

/* Plans for a source of mono float32 at 1000 Hz. */
static int make(const char *words, bool raw, uint64_t frames)
{
    const struct source_format source = {
        .sample = {.kind = SAMPLE_F32}, .channels = 1, .rate = 1000, .frames = frames};

    memset(&error, 0, sizeof error);
    if (parse(words, &options, &error) != 0 ||
        plan_begin(&plan, &options.settings, &options.task, raw, &error) != 0 ||
        plan_stream(&plan, &options.settings, &options.task, &source, &error) != 0)
        return -1;
    plan_engine(&plan, &options.settings, &machine, &engine_cpu);
    return plan_check_memory(&plan, &options.settings, &options.task, &machine, &error);
}

static void check_lengths(void)
{
    CHECK(make("-w|10ms|--hop|5ms", false, 100) == 0);
    CHECK(plan.setup.window.width == 10 && plan.setup.window.hop == 5);
    CHECK(plan.frames == 100 && plan.outputs == 19 && plan.sink.frames == 19);
    CHECK(plan.sink.rate == 200 && plan.sink.channels == 2 && plan.brief);

    CHECK(make("-w|10|--skip|20|--frames|30ms", false, 100) == 0);
    CHECK(plan.skip == 20 && plan.limit == 30 && plan.frames == 30 && plan.outputs == 21);
    CHECK(make("-w|10|--skip|200", false, 100) == 0 && plan.frames == 0 && plan.outputs == 0);
    CHECK(make("-w|10|--frames|7", false, SOURCE_FRAMES_UNKNOWN) == 0);
    CHECK(plan.frames == 7 && plan.outputs == SINK_FRAMES_UNKNOWN && !plan.brief);

    /* Frames without a header have only the rate given by the user. */
    CHECK(make("-w|10ms", true, 100) == -1 && strstr(words_of(&error), "give -r HZ") != NULL);
    CHECK(make("-w|10ms|-r|2k", true, 100) == 0 && plan.setup.window.width == 20);
}

static void check_devices(void)
{
    const uint64_t many = UINT64_C(2) << 30;

    /* Whether it pays is decided during the work. */
    CHECK(make("-w|9", false, many) == 0 && plan.device == PLAN_DEVICE_BESIDE);
    CHECK(make("-w|9", false, 1000) == 0 && plan.device == PLAN_DEVICE_BESIDE);
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
    CHECK(make("-w|9", false, 1000) == 0 && plan.setup.chunk_frames == 1000);
    CHECK(make("-w|9", false, SOURCE_FRAMES_UNKNOWN) == 0);
    CHECK(plan.setup.chunk_frames * engine_out_bytes(&plan.setup) == engine_cpu.chunk_bytes);
    CHECK(make("-w|9|--chunk|77", false, 1000) == 0 && plan.setup.chunk_frames == 77);
    /* The text of a chunk's records is limited. */
    CHECK(make("-w|9|--stats|s|--stats-every|1", false, 1000000000) == 0);
    CHECK(plan.setup.chunk_frames < 20000 && plan.setup.stats_every == 1);
    CHECK(make("-w|9|--stats|s", false, 1000000000) == 0 && plan.setup.chunk_frames > 100000);
}

static void check_memory(void)
{
    CHECK(make("-w|1000000000", false, 1000) == -1 && error.status == STATUS_FAILED);
    CHECK(strstr(words_of(&error), "bytes), there are 1.0 GiB") != NULL);
    /* Chunks take a part of it. */
    CHECK(make("-w|9|--chunk|1000000000", false, 1000) == 0);
    CHECK(plan.setup.chunk_frames * engine_chunks_bytes(&engine_cpu, &plan.setup) <=
          machine.memory / 4);
}

int main(void)
{
    check_lengths();
    check_devices();
    check_short();
    check_chunks();
    check_memory();
    return check_result();
}
