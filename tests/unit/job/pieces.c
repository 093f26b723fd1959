/* SPDX-License-Identifier: MIT */
/* job/pieces: a source with random access, readers that give up, and sinks with and without
 * places, and one that takes parts, all against the output of one thread. And a device that does
 * the stream instead of the cores, and fails at any of its calls. */
#include "check.h"
#include "words.h"

#include "job/fake_engine.h"
#include "job/pieces_priv.h"

enum { THREADS = 3, DEVICE = 4, DEVICE_CHUNK = 30000 };

static struct error error;
static struct pipeline pipeline;
static struct stream_plan planned_for_device;

/* The parameters of a run, except the sink. */
struct question {
    uint64_t width;
    uint64_t hop;
    enum window_align align;
    enum nan_policy nan;
};

enum who { REFERENCE, CORES, FAKE_DEVICE };

static struct threads *threads_instead; /* NULL: as many threads as workers */
static unsigned beside;

static int run(const struct question *question, const struct sink_class *class, enum who who)
{
    struct machine machine;
    struct threads *own;
    int failed;

    pipeline = fake_stream(class, &machine, who == REFERENCE ? &engine_lemire : &engine_cpu);
    planned.setup.nan = question->nan;
    pipeline.beside = beside;
    window_init(&planned.setup.window, question->width, question->hop, question->align,
                EDGE_SHRINK);
    if (who == FAKE_DEVICE) {
        planned_for_device = planned;
        planned_for_device.engine_class = &fake_engine;
        planned_for_device.setup.chunk_frames = DEVICE_CHUNK;
        pipeline.device = &planned_for_device;
    }
    memset(&error, 0, sizeof error);
    CHECK(machine_open(&machine, who == REFERENCE ? 1 : THREADS, NULL, DEVICE) == 0);
    own = machine.threads;
    if (threads_instead != NULL)
        machine.threads = threads_instead;
    failed = pipeline_run(&pipeline, &result, &error);
    machine.threads = own;
    machine_close(&machine);
    CHECK(atomic_load(&fake.engines) == 0);
    CHECK(atomic_load(&fake.given) == 0); /* the pages of a piece are copied */
    return failed;
}

/* The reference result of a question. */
static struct {
    struct question question;
    bool again; /* serves the same question again, if the source had no fault */
    int result;
    struct error error;
} reference;

static void make_due(const struct question *question, const struct sink_class *class)
{
    bool well = source.nan_at == NEVER && source.read_fails_at == NEVER;

    if (well && reference.again && memcmp(&reference.question, question, sizeof *question) == 0)
        return;
    reference.question = *question;
    reference.again = well;
    reference.result = run(question, class, REFERENCE);
    reference.error = error;
    due_note();
    CHECK(result.workers == 0 && result.why != NULL);
}

/* Whoever does it, and whatever goes wrong, it must be the same as the reference in order. */
static void check_by(enum who who, const struct question *question, const struct sink_class *class)
{
    char words[32];

    make_due(question, class);
    CHECK(run(question, class, who) == reference.result);
    CHECK_THAT(strcmp(words_of(&error), words_of(&reference.error)) == 0, "'%s', not '%s'",
               words_of(&error), words_of(&reference.error));
    snprintf(words, sizeof words, "w %llu", (unsigned long long)question->width);
    due_check(words);
}

static void check(const struct question *question, const struct sink_class *class)
{
    check_by(CORES, question, class);
}

static bool is_placed(void)
{
    return sink.threads > 0;
}

static void check_good(void)
{
    static const uint64_t widths[] = {1, 2, 512, 100000, FRAMES - 1, FRAMES, FRAMES + 1};

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += CHECK_FEW ? 3 : 1) {
        for (unsigned align = CHECK_FEW ? (unsigned)i / 3 : 0; align < 3;
             align += CHECK_FEW ? 3 : 1) {
            const struct question dense = {widths[i], 1, (enum window_align)align, NAN_PROPAGATE};
            const struct question sparse = {widths[i], 37, (enum window_align)align, NAN_OMIT};

            reset_fakes();
            check(&dense, &placed);
            CHECK(widths[i] > 100000 || result.workers == THREADS);
            CHECK(atomic_load(&source.readers) <= THREADS);
            CHECK(is_placed() == (result.workers > 0) && sink.finished);
            check(&sparse, &ordered);
            CHECK(widths[i] > 100000 || result.workers == THREADS);
            CHECK(!is_placed() && sink.finished);
            check(i % 2 == 0 ? &dense : &sparse, &in_parts);
            CHECK(widths[i] > 100000 || result.workers == THREADS);
            CHECK(is_placed() == (result.workers > 0) && sink.finished);
            check(&sparse, &in_parts_that_wait);
            CHECK(widths[i] > 100000 || result.workers == THREADS);
            CHECK(!is_placed() && sink.finished);
        }
    }
}

/* All workers take part; and if one thread runs all of them in turn, those that find no work left
 * open nothing. */
static void check_openings(void)
{
    const struct question dense = {512, 1, ALIGN_CENTER, NAN_PROPAGATE};

    reset_fakes();
    source.readers_awaited = THREADS;
    check(&dense, &placed);
    CHECK(atomic_load(&source.readers) == THREADS);
    reset_fakes();
    threads_instead = threads_open(1);
    CHECK(threads_instead != NULL);
    check(&dense, &placed);
    CHECK(result.workers == THREADS && atomic_load(&source.readers) == 1);
    threads_close(threads_instead);
    threads_instead = NULL;
}

/* Workers that also serve other streams do not write to this one's output. */
static void check_beside(void)
{
    static const struct {
        unsigned beside;
        unsigned threads;
    } cases[] = {{0, THREADS}, {1, THREADS / 2}, {THREADS - 1, 1}, {50, 1}};
    const struct question dense = {512, 1, ALIGN_CENTER, NAN_PROPAGATE};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reset_fakes();
        beside = cases[i].beside;
        check(&dense, &placed);
        CHECK_THAT(sink.threads == cases[i].threads, "%u beside: %u threads", beside, sink.threads);
    }
    beside = 0;
}

/* A header claims more frames than the input can contain: room is reserved for the possible
 * ones. */
static void check_claimed(void)
{
    const uint64_t claimed = UINT64_C(1) << 36;
    struct machine machine;
    struct pieces_plan plan;

    reset_fakes();
    pipeline = fake_stream(&placed, &machine, &engine_cpu);
    window_init(&planned.setup.window, 512, 2, ALIGN_CENTER, EDGE_SHRINK);
    CHECK(machine_open(&machine, THREADS, NULL, 0) == 0);
    planned.frames = planned.limit = claimed;
    sink.sink.format.frames = window_outputs(&planned.setup.window, claimed);
    for (uint64_t megabytes = 1; megabytes <= 1 << 20; megabytes *= 4) {
        uint64_t held = (megabytes << 20) / engine_in_bytes(&planned.setup);
        uint64_t most = 16 * held < claimed ? 16 * held : claimed;

        source.input.status.st_size = (off_t)(megabytes << 20);
        pieces_plan(&pipeline, &planned.extent, &plan);
        CHECK(plan.placed && plan.outputs == window_outputs(&planned.setup.window, most));
    }
    source.input.status.st_size = 0;
    machine_close(&machine);
}

static void check_faults_of_source(const struct question *question, const struct sink_class *class)
{
    const size_t step = FRAMES / (CHECK_FEW ? 2 : 8) + 77;

    /* A reader finds fewer frames than exist: the source goes on alone. */
    for (size_t at = 0; at <= FRAMES; at += step) {
        reset_fakes();
        source.reader_fails_at = at;
        check(question, class);
        CHECK(sink.finished && words_of(&error)[0] == '\0');
    }
    for (size_t at = 0; at <= FRAMES; at += step) {
        /* The source finds fewer, too: that is reported. */
        reset_fakes();
        source.reader_fails_at = source.read_fails_at = at;
        check(question, class);
        CHECK(at > FRAMES - 1 || strcmp(words_of(&error), "fake: read failed") == 0);

        reset_fakes();
        source.nan_at = at;
        check(question, class);
        CHECK(at >= FRAMES || strstr(words_of(&error), "NaN in frame") != NULL);
    }
}

static void check_faults(void)
{
    const struct question dense = {512, 1, ALIGN_CENTER, NAN_ERROR};
    const struct question sparse = {512, 37, ALIGN_CAUSAL, NAN_ERROR};

    check_faults_of_source(&dense, &placed);
    if (!CHECK_FEW) {
        check_faults_of_source(&sparse, &ordered);
        check_faults_of_source(&sparse, &in_parts);
    }
    check_faults_of_source(&sparse, &in_parts_that_wait);
    /* The output fails: what was complete before that is written. */
    reset_fakes();
    sink.fails_at = 5000;
    CHECK(run(&sparse, &ordered, CORES) == -1 && sink.count >= 5000 && !sink.finished);
    CHECK_WORDS(&error, "fake: write failed");
    reset_fakes();
    sink.fails_at = 100;
    CHECK(run(&sparse, &in_parts_that_wait, CORES) == -1 && sink.count >= 100 && !sink.finished);
    CHECK_WORDS(&error, "fake: write failed");
    CHECK(run(&dense, &placed, CORES) == -1);
    CHECK_WORDS(&error, "fake: write failed");
}

/* Clipped samples are counted when a piece is complete, and once. */
static void check_losses(void)
{
    const struct question dense = {512, 1, ALIGN_VALID, NAN_PROPAGATE};

    reset_fakes();
    CHECK(run(&dense, &placed, CORES) == 0);
    /* Each placed frame counts once. */
    CHECK(sink.sink.losses.clipped > FRAMES / 2 && sink.sink.losses.clipped < FRAMES);
    reset_fakes();
    source.reader_fails_at = FRAMES / 2;
    CHECK(run(&dense, &placed, CORES) == 0);
    CHECK(sink.sink.losses.clipped <= FRAMES / 2);
}

/* ---- a device ---- */

static const struct device_result *const device = &result.device;
static const struct question on_device = {512, 1, ALIGN_CENTER, NAN_ERROR};
static const struct question at_hops = {512, 37, ALIGN_CENTER, NAN_ERROR};

static void check_device_alone(void)
{
    static const uint64_t widths[] = {1, 512, 10000, 30000, 200000};

    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths; i++) {
        struct question question = i % 2 == 0 ? on_device : at_hops;

        question.width = widths[i / 2];
        reset_engine(&engine_cpu);
        check_by(FAKE_DEVICE, &question, i % 2 == 0 ? &placed : &ordered);
        CHECK(device->state == DEVICE_AT_WORK && device->number == DEVICE);
        CHECK_THAT(device->frames == FRAMES, "%llu frames, window %llu",
                   (unsigned long long)device->frames, (unsigned long long)question.width);
        CHECK(strcmp(result.engine, "fake") == 0 && result.workers == 0 && sink.finished);
    }
}

/* The cores do what the device has not. */
static void check_failure(const struct question *question, const struct sink_class *class,
                          enum device_state state, const char *words)
{
    check_by(FAKE_DEVICE, question, class);
    CHECK_THAT(device->state == state, "state %d, not %d", (int)device->state, (int)state);
    CHECK_WORDS(&device->error, words);
    CHECK_THAT(result.workers <= THREADS, "%u workers", result.workers);
    CHECK(strcmp(result.engine, "cpu") == 0 && sink.finished);
    CHECK(device->frames <= FRAMES && run_own_frames(&result) + device->frames == result.in_frames);
}

static void check_each_failure(const struct question *question, const struct sink_class *class)
{
    /* A device that works to the end gets at least so many chunks. */
    for (int call = 1; call <= FRAMES / DEVICE_CHUNK; call += CHECK_FEW ? 12 : 1) {
        reset_engine(&engine_cpu);
        fake.submit_fails_at = call;
        check_failure(question, class, DEVICE_FAILED, "fake: submit failed");
        reset_engine(&engine_cpu);
        fake.collect_fails_at = call;
        check_failure(question, class, DEVICE_FAILED, "fake: collect failed");
    }
    reset_engine(&engine_cpu);
    fake.open_fails = true;
    check_failure(question, class, DEVICE_NEVER, "--device fake: open failed");
    CHECK(device->frames == 0);
}

/* Faults of the stream are reported as by one thread, also when the device fails before them. */
static void check_faults_with_device(int submit_fails_at)
{
    for (size_t at = 50000; at < FRAMES; at += FRAMES / 2) {
        reset_engine(&engine_cpu);
        source.nan_at = at;
        fake.submit_fails_at = submit_fails_at;
        check_by(FAKE_DEVICE, &on_device, &placed);
        reset_engine(&engine_cpu);
        source.reader_fails_at = at;
        fake.submit_fails_at = submit_fails_at;
        check_by(FAKE_DEVICE, &on_device, &placed);
    }
    reset_engine(&engine_cpu);
    sink.fails_at = 5000;
    fake.submit_fails_at = submit_fails_at;
    CHECK(run(&on_device, &placed, FAKE_DEVICE) == -1);
    CHECK_WORDS(&error, "fake: write failed");
}

static void check_device(void)
{
    check_device_alone();
    check_each_failure(&on_device, &placed);
    check_each_failure(&at_hops, &ordered);
    check_faults_with_device(0);
    check_faults_with_device(2);
}

int main(void)
{
    if (!due_open())
        return 1;
    check_good();
    check_openings();
    check_beside();
    check_claimed();
    check_faults();
    check_losses();
    check_device();
    due_close();
    return check_result();
}
