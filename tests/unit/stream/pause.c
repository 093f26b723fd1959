/* stream/pause and stream/recall: a source that goes in order only, and a device that is started in
 * the midst of it, helps, fails, hangs, or is never there. Whatever it does, the bytes and the
 * message are those that one thread makes of the same stream. */
#include "check.h"
#include "words.h"

#include "stream/due.h"
#include "stream/fake_device.h"
#include "stream/pause.h"
#include "stream/recall.h"

enum { BEFORE = 1 << 14 }; /* frames that are done before the first pause, at most */

/* ---- what is recalled */

static struct error error;

static void check_frames_from(uint64_t frame, const float *samples, size_t count)
{
    size_t right = 0;

    while (right < count && samples[right] == values[(size_t)frame + right])
        right++;
    CHECK_THAT(right == count, "frame %llu: %zu of %zu are right", (unsigned long long)frame, right,
               count);
}

/* In order, so many frames. Returns how many there were. */
static size_t read_on(struct source *of, uint64_t frame, size_t count)
{
    static float samples[100000];
    size_t all = 0;

    for (;;) {
        size_t got = 0;

        if (all == count || of->class->read(of, samples, count - all, &got, &error) != 0 ||
            got == 0)
            return all;
        check_frames_from(frame + all, samples, got);
        all += got;
    }
}

static size_t read_at(struct frame_reader *reader, uint64_t frame, size_t count)
{
    static float samples[100000];
    size_t got = reader->class->read(reader, frame, samples, count);

    check_frames_from(frame, samples, got);
    return got;
}

/* In order, at any place, and in order again from a frame that is kept; from a dry spell on, too.
 */
static void check_recall(uint64_t back, uint64_t ahead)
{
    struct recall *recall;
    struct source *of;
    struct frame_reader *reader;
    uint64_t at = 7001;

    reset_fakes();
    renew_fakes(&ordered);
    recall = recall_open(&source.source, 0, sizeof(float), back);
    CHECK(recall != NULL);
    of = recall_source(recall);
    CHECK(read_on(of, 0, at) == at);
    CHECK(recall_make_room(recall, ahead) == 0);
    CHECK(of->class->reader(of, &reader, &error) == 0);
    for (int i = 0; i < 20; i++) {
        CHECK(read_at(reader, at + ahead / 3, ahead - ahead / 3) == ahead - ahead / 3);
        CHECK(read_at(reader, at - back, back + ahead / 3) == back + ahead / 3);
        at += ahead;
    }
    source.dry_at = source.next + 6000;
    source.dry = 1;
    CHECK(read_at(reader, at, 10000) == 6000);
    CHECK(read_at(reader, at, 10000) == 6000); /* it stays dry, */
    CHECK(read_at(reader, at + 8000, 100) == 0);
    CHECK(of->class->go(of, at - back, false, &error) == 0);
    CHECK(of->class->ready(of, 0));
    CHECK(read_on(of, at - back, back + 20000) == back + 20000); /* but not for ever */
    at += 20000;
    source.slow = 40000;
    CHECK(read_at(reader, at, 30000) < 30000); /* little by little is dry, too, */
    source.slow = 0;
    CHECK(read_at(reader, at, 30000) < 30000);
    CHECK(of->class->go(of, at, false, &error) == 0);
    CHECK(read_at(reader, at, 30000) == 30000); /* to the next pause */
    source.read_fails_at = source.next + 3000;
    at += 30000;
    CHECK(read_at(reader, at, 10000) == 3000);
    CHECK(of->class->go(of, at - back, false, &error) == 0);
    CHECK(read_on(of, at - back, back + 10000) == back + 3000);
    CHECK(strcmp(words_of(&error), "fake: read failed") == 0);
    reader->class->close(reader);
    recall_close(recall);
}

/* ---- pauses */

static struct pipeline pipeline;
static struct engine_class cores_class;
static uint64_t hop = 1;
static uint64_t limit = UINT64_MAX;

/* What goes in order before the first pause does not wait for a device. */
static int cores_submit(struct engine *engine, struct chunk *chunk, struct error *submit_error)
{
    return chunk->piece.first < BEFORE ? engine_cpu.submit(engine, chunk, submit_error)
                                       : gated_submit(engine, chunk, submit_error);
}

static int run(bool with_device, uint64_t width)
{
    struct machine machine;
    int result;

    source.in_order = true;
    pipeline = fake_stream(&ordered, &machine, with_device ? &cores_class : &engine_lemire);
    pipeline.limit = limit;
    pipeline.setup.nan = NAN_ERROR;
    pipeline.setup.chunk_frames = BEFORE;
    if (with_device)
        pipeline.devices = (struct device_request){
            .engine_class = &device_class,
            .chunk_frames = CHUNK,
            .count = 1,
            .estimate = {.start = -1,
                         .bus = 1e12,
                         .patience = fake.hangs_at > 0 ? PATIENCE : PATIENCE_IF_BUSY},
        };
    window_init(&pipeline.setup.window, width, hop, ALIGN_CENTER, EDGE_SHRINK);
    memset(&error, 0, sizeof error);
    atomic_store(&fake.until, clock_seconds() + fake.awaited);
    CHECK(machine_open(&machine, with_device ? THREADS : 1, NULL, 0) == 0);
    result = pipeline_run(&pipeline, &error);
    CHECK(pipeline.source == &source.source && pipeline.recall == NULL);
    machine_close(&machine);
    return result;
}

static const struct device_account *account(void)
{
    return &pipeline.device_accounts[0];
}

/* The same with a device as without. Leaves the device's account. */
static void check(uint64_t width, const char *words)
{
    struct error due_error;
    int due_result = run(false, width);

    due_error = error;
    due_note();
    CHECK_THAT(run(true, width) == due_result, "%s: %s", words, words_of(&error));
    CHECK_THAT(strcmp(words_of(&error), words_of(&due_error)) == 0, "%s: '%s'", words,
               words_of(&error));
    CHECK_THAT(sink.count == due_count, "%s: %zu frames, not %zu", words, sink.count, due_count);
    CHECK_THAT(memcmp(due, sink.frames, 2 * due_count * sizeof *due) == 0, "%s", words);
    CHECK(sink.finished);
}

static void check_help(void)
{
    static const uint64_t widths[] = {1, 2, 512, 10000};
    static const uint64_t hops[] = {1, 37};
    uint64_t helped = 0;

    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths; i += CHECK_FEW ? 3 : 1) {
        reset();
        hop = hops[i % 2];
        check(widths[i / 2], "help");
        CHECK(account()->state == DEVICE_AT_WORK && account()->frames < FRAMES);
        helped += account()->frames;
        CHECK(account()->began_at > 0 && account()->began > 0);
        CHECK(atomic_load(&pipeline.progress.in_frames) == FRAMES);
        wait_for_end();
    }
    hop = 1;
    CHECK(helped > 0);
}

/* Where halos would cost more than pieces bring. */
static void check_without(void)
{
    reset();
    fake.awaited = 0;
    check(200000, "wide");
    CHECK(account()->state == DEVICE_UNUSED);
}

static void check_taken_back(void)
{
    for (int call = 1; call <= 5; call += CHECK_FEW ? 4 : 2) {
        reset();
        fake.submit_fails_at = call;
        check(512, "submit");
        CHECK(account()->state == DEVICE_FAILED);
        wait_for_end();
        reset();
        fake.collect_fails_at = call;
        check(512, "collect");
        wait_for_end();
        reset();
        fake.hangs_at = call;
        check(512, "hang");
        CHECK(account()->state == DEVICE_HUNG);
        sem_post(&fake.go);
        wait_for_end();
    }
    reset();
    fake.open_fails = 1;
    check(512, "open");
    CHECK(account()->state == DEVICE_NEVER &&
          strstr(words_of(&account()->error), "no device") != NULL);
}

/* Nothing comes for a while: what is there is done in order, and later a device helps again. */
static void check_dry(void)
{
    static const size_t places[] = {BEFORE, BEFORE + 1, 50000, FRAMES / 4, FRAMES - 1};

    for (size_t i = 0; i < sizeof places / sizeof *places; i += CHECK_FEW ? 2 : 1) {
        reset();
        fake.awaited = NEXT_AWAITED;
        source.dry_at = places[i];
        source.dry = 2;
        check(512, "dry");
        CHECK_THAT(source.dry < 2, "dry at %zu", places[i]);
        wait_for_end();
    }
}

/* The end is near when it pauses again: fewer cores, larger pieces, and what was read ahead before
 * is not lost. */
static void check_near_end(void)
{
    reset();
    fake.awaited = NEXT_AWAITED;
    limit = FRAMES * 3 / 4 + BEFORE + 100;
    source.dry_at = 60000;
    source.dry = 2; /* to those who read in order, too */
    check(512, "near the end");
    wait_for_end();
    limit = UINT64_MAX;
}

/* The cores do the pieces while it starts; what comes after the stream finds it gone. */
static void check_late(void)
{
    reset();
    fake.awaited = 0;
    fake.waits_to_open = 1;
    check(512, "late");
    CHECK(account()->state == DEVICE_STARTING && !account()->hopeless);
    sem_post(&fake.go);
    for (int i = 0; i < 10000 && atomic_load(&fake.engines) == 0; i++)
        usleep(100);
    wait_for_end();
}

/* What has been tried in vain is not tried again. */
static void check_in_vain(void)
{
    static const struct device_account accounts[] = {
        {.state = DEVICE_NEVER},
        {.state = DEVICE_FAILED},
        {.state = DEVICE_HUNG},
        {.state = DEVICE_STARTING, .hopeless = true},
    };

    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        struct pause pause = {.pipeline = &pipeline, .workers = 1};

        pipeline.device_accounts[0] = (struct device_account){.state = DEVICE_SENT_HOME};
        pause_begin(&pause);
        CHECK(pause.workers == 1);
        pipeline.device_accounts[0] = accounts[i];
        pause_begin(&pause);
        CHECK(pause.workers == 0);
    }
}

/* What is out of the ordinary in the stream is told as one thread tells it. */
static void check_faults_of_the_stream(void)
{
    for (size_t at = 10000; at < FRAMES; at += FRAMES / (CHECK_FEW ? 3 : 7)) {
        reset();
        fake.awaited = NEXT_AWAITED;
        source.nan_at = at;
        check(512, "NaN");
        CHECK(strstr(words_of(&error), "NaN in frame") != NULL);
        wait_for_end();
        reset();
        fake.awaited = NEXT_AWAITED;
        source.read_fails_at = at;
        check(512, "read");
        CHECK(strcmp(words_of(&error), "fake: read failed") == 0);
        wait_for_end();
    }
    reset();
    fake.awaited = NEXT_AWAITED;
    sink.fails_at = 500000;
    CHECK(run(true, 512) == -1);
    CHECK(strcmp(words_of(&error), "fake: write failed") == 0);
    CHECK(sink.count >= 500000 && !sink.finished);
    wait_for_end();
}

/* ---- when it pays: a stream of cu8 through a pipe, in nanoseconds of a CPU a frame */

static void check_due(void)
{
    static const struct {
        double reading;
        double engine;
        double writing;
        unsigned cpus;
        double seconds; /* so far */
        bool is_due;
        bool is_piped; /* all windows, into a pipe */
        double gib;    /* to come, where that is known */
    } cases[] = {
        {0.6, 2.1, 0, 1, 0.1, false, false, 0}, /* not yet worth a start, */
        {0.6, 2.1, 0, 1, 1.3, false, false, 0}, /* nor one in vain */
        {0.6, 2.1, 0, 1, 2, true, false, 0},
        {0.6, 2.1, 0, 1, 0.1, true, false, 1},
        {0.6, 2.1, 0, 1, 0.1, false, false, 0.1},
        {0.6, 2.1, 0, 1, 2, false, false, 0.1},
        {1.2, 0.2, 0, 1, 60, false, false, 0}, /* the pipe limits, */
        {0.6, 0.4, 3, 1, 60, false, false, 0}, /* or the output */
        {0.6, 1.1, 0, 2, 2, true, false, 0},
        {0.6, 0.6, 0, 4, 60, false, false, 0},  /* four cores do as much as the pipe brings */
        {0.6, 1.9, 0.8, 1, 60, true, false, 0}, /* an H200's host, cu8: 1.7 to 2 s a GiB, */
        {0.6, 1.9, 0.8, 1, 60, false, true, 0}, /* and no less with the device: there is more */
        {0.6, 2.5, 0.8, 1, 60, false, true, 0}, /* to copy */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine machine = {.cpus = cases[i].cpus, .threads = cases[i].cpus};
        struct pause pause = {.pipeline = &pipeline, .workers = cases[i].cpus};
        /* One CPU has the stages in turn, more have them at the same time. */
        double frame = cases[i].cpus == 1 ? cases[i].reading + cases[i].engine + cases[i].writing
                                          : cases[i].engine;
        uint64_t frames = (uint64_t)(cases[i].seconds / frame * 1e9);
        const double busy[RING_STAGES] = {cases[i].reading * 1e-9 * (double)frames,
                                          cases[i].engine * 1e-9 * (double)frames,
                                          cases[i].writing * 1e-9 * (double)frames};

        pipeline.machine = &machine;
        pipeline.frames = cases[i].gib > 0 ? frames + (uint64_t)(cases[i].gib * (1 << 29))
                                           : SOURCE_FRAMES_UNKNOWN;
        pipeline.windows = RANGE_ALL;
        pipeline.setup.sample.kind = SAMPLE_CU8;
        window_init(&pipeline.setup.window, 512, cases[i].is_piped ? 1 : 64, ALIGN_CENTER,
                    EDGE_SHRINK);
        sink.output.pipe = cases[i].is_piped;
        pipeline.devices.estimate =
            (struct engine_estimate){.start = 0.35, .feed = 0.25e-9, .copy = 0.25e-9, .bus = 12e9};
        pause.began = clock_seconds() - cases[i].seconds;
        CHECK_THAT(pause_is_due(&pause, frames, busy) == cases[i].is_due, "case %zu", i);
        pause.next = frames + 1;
        CHECK(!pause_is_due(&pause, frames, busy));
    }
}

int main(void)
{
    if (!due_open())
        return 1;
    sem_init(&fake.go, 0, 0);
    make_classes();
    cores_class = gated_class;
    cores_class.submit = cores_submit;
    check_recall(1, 30000);
    check_recall(511, 31001);
    check_recall(7000, 30001);
    check_help();
    check_without();
    check_taken_back();
    check_dry();
    check_near_end();
    check_late();
    check_in_vain();
    check_faults_of_the_stream();
    check_due();
    due_close();
    return check_result();
}
