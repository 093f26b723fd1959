/* stream/pipeline with a source, an engine and a sink that misbehave on purpose. */
#include "check.h"
#include "words.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "stream/pipeline.h"

enum { FRAMES = 5000, NEVER = 1 << 30 };

/* A source of frames 0, 1, 2, ... as float32, in pieces of any size. */
struct fake_source {
    struct source source;
    struct input input;
    size_t next;
    size_t end;
    size_t fail_at;  /* returns an error instead of this frame */
    size_t block_at; /* waits here until it is stopped */
    size_t nan_at;
};

static int fake_read(struct source *source, void *frames, size_t room, size_t *got,
                     struct error *error)
{
    struct fake_source *fake = (struct fake_source *)(void *)source;
    float *samples = frames;
    size_t piece = (size_t)rand() % 100 + 1;

    *got = 0;
    if (fake->next == fake->fail_at)
        return error_set(error, ERROR_RESOURCE, "fake", "read failed");
    if (fake->next == fake->block_at) {
        struct pollfd stop = {.fd = source->input->stop_fd, .events = POLLIN};

        CHECK(poll(&stop, 1, 10000) == 1);
        return 0;
    }
    piece = piece < room ? piece : room;
    while (*got < piece && fake->next < fake->end && fake->next != fake->fail_at &&
           fake->next != fake->block_at) {
        samples[(*got)++] = fake->next == fake->nan_at ? NAN : (float)fake->next;
        fake->next++;
    }
    return 0;
}

static bool fake_ready(struct source *source, unsigned microseconds)
{
    (void)source;
    (void)microseconds;
    return rand() % 2 != 0;
}

static const struct source_class fake_source_class = {.read = fake_read, .ready = fake_ready};

/* A sink that keeps what it gets. */
struct fake_sink {
    struct sink sink;
    struct output output;
    float frames[FRAMES * 2];
    size_t count;
    size_t fail_at; /* fails once it has this many */
    bool finished;
};

static int fake_write(struct sink *sink, void *frames, size_t count, bool gift, struct error *error)
{
    struct fake_sink *fake = (struct fake_sink *)(void *)sink;

    (void)gift;
    if (fake->count >= fake->fail_at)
        return error_set(error, ERROR_RESOURCE, "fake", "write failed");
    memcpy(fake->frames + fake->count, frames, count * sizeof(float));
    memset(frames, 0xa5, count * sizeof(float)); /* simulates giving the pages away */
    fake->count += count;
    return 0;
}

static int fake_finish(struct sink *sink, struct error *error)
{
    (void)error;
    ((struct fake_sink *)(void *)sink)->finished = true;
    return 0;
}

static const struct sink_class fake_sink_class = {.write = fake_write, .finish = fake_finish};

/* The reference engine, except that submit() or collect() fails at the Nth call, and that three
 * chunks may be in flight. */
static struct engine_class fake_engine;
static unsigned submits_left;
static unsigned collects_left;
static bool open_fails;

static int fake_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    if (submits_left-- == 0)
        return error_set(error, ERROR_RESOURCE, "fake", "submit failed");
    return engine_lemire.submit(engine, chunk, error);
}

static int fake_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    if (collects_left-- == 0)
        return error_set(error, ERROR_RESOURCE, "fake", "collect failed");
    return engine_lemire.collect(engine, chunk, error);
}

static unsigned fake_in_flight(const struct engine *engine)
{
    (void)engine;
    return 3;
}

static int fake_open(const struct machine *machine, const struct engine_setup *setup,
                     uint64_t start, struct engine **engine, struct error *error)
{
    if (open_fails)
        return error_set(error, ERROR_RESOURCE, "fake", "open failed");
    return engine_lemire.open(machine, setup, start, engine, error);
}

static struct fake_source source;
static struct fake_sink sink;
static struct error error;
static bool in_stages; /* not in turns: the reader must wait while the writer fails */

/* Maximum over 3 frames, centered: output k is k+1, the last FRAMES-1. */
static int run(const struct engine_class *class, size_t chunk_frames, uint64_t limit)
{
    struct machine machine;
    struct account account;
    struct pipeline_progress progress = {.chunks = 0};
    struct pipeline pipeline = {
        .progress = &progress,
        .machine = &machine,
        .plan.brief = !in_stages && rand() % 3 == 0,
        .source = &source.source,
        .plan.limit = limit,
        .plan.extent = {.windows = RANGE_ALL, .blocks = RANGE_ALL},
        .plan.engine_class = class,
        .sink = &sink.sink,
        .plan.setup = {.emits = {1, {EMIT_MAX}},
                       .channels = 1,
                       .chunk_frames = chunk_frames,
                       .nan = source.nan_at < FRAMES ? NAN_ERROR : NAN_PROPAGATE},
    };
    int result;

    window_init(&pipeline.plan.setup.window, 3, 1, ALIGN_CENTER, EDGE_SHRINK);
    memset(&error, 0, sizeof error);
    CHECK(machine_open(&machine, 1, NULL, 0) == 0);
    result = pipeline_run(&pipeline, &account, &error);
    machine_close(&machine);
    if (result == 0)
        CHECK(account.out_frames == sink.count);
    for (size_t i = 0; i + 1 < sink.count; i++)
        CHECK(sink.frames[i] == (float)(i + 1));
    return result;
}

static void reset(void)
{
    memset(&source, 0, sizeof source);
    memset(&sink, 0, sizeof sink);
    source.source.class = &fake_source_class;
    source.source.input = &source.input;
    source.input.name = "fake";
    source.end = FRAMES;
    source.fail_at = source.block_at = source.nan_at = NEVER;
    sink.sink = (struct sink){.class = &fake_sink_class, .output = &sink.output};
    sink.fail_at = NEVER;
    fake_engine = engine_lemire;
    fake_engine.open = fake_open;
    fake_engine.submit = fake_submit;
    fake_engine.collect = fake_collect;
    fake_engine.chunks_in_flight = fake_in_flight;
    submits_left = collects_left = NEVER;
    open_fails = false;
    in_stages = false;
}

static void good_runs(void)
{
    static const size_t chunks[] = {1, 2, 7, 100, 10000};

    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        for (int flying = 0; flying < 2; flying++) {
            reset();
            CHECK(run(flying != 0 ? &fake_engine : &engine_cpu, chunks[i], UINT64_MAX) == 0);
            CHECK(sink.count == FRAMES && sink.frames[FRAMES - 1] == (float)(FRAMES - 1));
            CHECK(sink.finished);
        }
        reset();
        CHECK(run(&engine_cpu, chunks[i], 123) == 0);
        CHECK(sink.count == 123 && sink.frames[122] == 122 && source.next <= 123);
        reset();
        CHECK(run(&engine_cpu, chunks[i], 0) == 0);
        CHECK(sink.count == 0 && source.next == 0);
    }
}

static void failing_runs(void)
{
    /* What was read before a read error is filtered to its end and written. */
    reset();
    source.fail_at = 1000;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: read failed") == 0);
    CHECK(sink.count == 1000 && sink.finished);

    /* Before a NaN: every window that does not contain it. */
    reset();
    source.nan_at = 777;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: NaN in frame 777, channel 0 (--nan error)") == 0);
    CHECK(sink.count == 776 && sink.finished);

    /* The writer fails while the reader waits for input that does not come. */
    reset();
    source.block_at = 500;
    sink.fail_at = 1;
    in_stages = true;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: write failed") == 0);
    CHECK(!sink.finished);

    /* The engine fails: what it had done before is written. */
    reset();
    submits_left = 5;
    CHECK(run(&fake_engine, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: submit failed") == 0);
    CHECK(sink.count > 0 && sink.finished);
    reset();
    collects_left = 2;
    CHECK(run(&fake_engine, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: collect failed") == 0 && sink.finished);
    reset();
    open_fails = true;
    CHECK(run(&fake_engine, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: open failed") == 0 && sink.count == 0);
}

int main(void)
{
    srand(2);
    for (int i = 0; i < (CHECK_FEW ? 8 : 20); i++) {
        good_runs();
        failing_runs();
    }
    return check_result();
}
