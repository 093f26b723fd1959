/* job/pipeline: a device that does the stream instead of the cores, and fails at any of its calls.
 * The fake device is based on the cpu engine. Whatever happens, the bytes are those of one thread.
 */
#include "check.h"
#include "words.h"

#include "job/fake_device.h"

static struct error error;
static struct pipeline pipeline;
static struct stream_plan planned_for_device;
static const struct device_result *const device = &result.device;

/* How frames are written, and at which hop. */
static const struct way {
    const struct sink_class *class;
    uint64_t hop;
} ways[] = {{&placed, 1}, {&ordered, 37}};

enum { WAYS = sizeof ways / sizeof *ways };

/* A device that works to the end gets at least so many chunks. */
enum { SUBMITS = FRAMES / CHUNK };

#define PLACED (&ways[0])

enum who { REFERENCE, CHOSEN };

static int run(enum who who, const struct way *way, uint64_t width)
{
    struct machine machine;
    int failed;

    pipeline = fake_stream(way->class, &machine, who == REFERENCE ? &engine_lemire : &engine_cpu);
    planned.setup.nan = NAN_ERROR;
    window_init(&planned.setup.window, width, way->hop, ALIGN_CENTER, EDGE_SHRINK);
    if (who != REFERENCE) {
        planned_for_device = planned;
        planned_for_device.engine_class = &device_class;
        planned_for_device.setup.chunk_frames = CHUNK;
        pipeline.device = &planned_for_device;
    }
    memset(&error, 0, sizeof error);
    CHECK(machine_open(&machine, who == REFERENCE ? 1 : THREADS, NULL, 4) == 0);
    failed = pipeline_run(&pipeline, &result, &error);
    machine_close(&machine);
    CHECK(atomic_load(&fake.engines) == 0);
    CHECK(atomic_load(&fake.given) == 0); /* the pages of a piece are copied */
    return failed;
}

/* Computed again only if a NaN changes the output. */
static int reference(const struct way *way, uint64_t width)
{
    static const struct way *last_way;
    static uint64_t last_width;
    int failed;

    if (way == last_way && width == last_width && source.nan_at == NEVER)
        return 0;
    failed = run(REFERENCE, way, width);
    last_way = source.nan_at == NEVER ? way : NULL;
    last_width = width;
    due_note();
    return failed;
}

static void check_chosen(const struct way *way, uint64_t width, const char *words)
{
    CHECK_THAT(run(CHOSEN, way, width) == 0, "%s: %s", words, words_of(&error));
    due_check(words);
}

static void check_whole(void)
{
    static const uint64_t widths[] = {1, 512, 10000, 30000, 200000};

    for (size_t i = 0; i < WAYS * sizeof widths / sizeof *widths; i++) {
        uint64_t width = widths[i / WAYS];

        reset();
        reference(&ways[i % WAYS], width);
        check_chosen(&ways[i % WAYS], width, "whole");
        CHECK(device->state == DEVICE_AT_WORK && device->number == 4);
        CHECK_THAT(device->frames == FRAMES, "%llu frames, window %llu",
                   (unsigned long long)device->frames, (unsigned long long)width);
        CHECK(strcmp(result.engine, "fake") == 0 && result.workers == 0 && sink.finished);
    }
}

static void check_state(enum device_state state, const char *words)
{
    CHECK_THAT(device->state == state, "state %d, not %d", (int)device->state, (int)state);
    CHECK_THAT(strstr(words_of(&device->error), words) != NULL, "'%s'", words_of(&device->error));
    CHECK_THAT(result.workers <= THREADS, "%u workers", result.workers);
    CHECK(strcmp(result.engine, "cpu") == 0 && sink.finished);
}

/* The cores do what the device has not. */
static void check_fallback(const struct way *way)
{
    reset();
    reference(way, 512);
    for (int call = 1; call <= SUBMITS; call += CHECK_FEW ? 6 : 1) {
        reset();
        fake.submit_fails_at = call;
        check_chosen(way, 512, "submit");
        check_state(DEVICE_FAILED, "fake: submit failed");
        CHECK(device->frames <= FRAMES &&
              run_own_frames(&result) + device->frames == result.in_frames);
        reset();
        fake.collect_fails_at = call;
        check_chosen(way, 512, "collect");
        check_state(DEVICE_FAILED, "fake: collect failed");
    }
    reset();
    fake.open_fails = 1;
    check_chosen(way, 512, "open");
    check_state(DEVICE_NEVER, "--device fake: no device");
    CHECK(device->frames == 0);
}

/* Faults of the stream are reported as by one thread, also when the device fails before them. */
static void check_faults_of_the_stream(int submit_fails_at)
{
    for (size_t at = 50000; at < FRAMES; at += FRAMES / 2) {
        struct error due_error;
        int due_result;

        reset();
        source.nan_at = at;
        due_result = reference(PLACED, 512);
        due_error = error;
        fake.submit_fails_at = submit_fails_at;
        CHECK(run(CHOSEN, PLACED, 512) == due_result);
        CHECK(strcmp(words_of(&error), words_of(&due_error)) == 0);
        due_check("NaN");
        reset();
        reference(PLACED, 512);
        source.reader_fails_at = at;
        fake.submit_fails_at = submit_fails_at;
        CHECK(run(CHOSEN, PLACED, 512) == 0);
        due_check("reader");
    }
    reset();
    sink.fails_at = 5000;
    fake.submit_fails_at = submit_fails_at;
    CHECK(run(CHOSEN, PLACED, 512) == -1);
    CHECK_WORDS(&error, "fake: write failed");
}

int main(void)
{
    if (!due_open())
        return 1;
    make_class();
    check_whole();
    for (size_t i = 0; i < WAYS; i++)
        check_fallback(&ways[i]);
    check_faults_of_the_stream(0);
    check_faults_of_the_stream(2);
    due_close();
    return check_result();
}
