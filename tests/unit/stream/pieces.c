/* stream/pieces: a source whose frames can be had anywhere, readers that give up, and sinks with
 * and without places, all against what one thread makes of the same stream. */
#include "check.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "stream/pieces.h"

enum { FRAMES = 1 << 20, NEVER = 1 << 30, THREADS = 3 };

struct fake_source {
    struct source source;
    struct input input;
    size_t next;
    size_t reader_fails_at; /* readers give fewer frames from here on */
    size_t read_fails_at;   /* and so does the source */
    size_t nan_at;
    atomic_uint readers;
};

static struct fake_source source;

static float value_of(size_t frame)
{
    return frame == source.nan_at ? NAN : (float)((frame * 7919) % 10007);
}

static int fake_read(struct source *unused, void *frames, size_t room, size_t *got,
                     struct error *error)
{
    float *samples = frames;

    (void)unused;
    *got = 0;
    if (source.next == source.read_fails_at)
        return error_set(error, STATUS_FAILED, "fake: read failed");
    while (*got < room && *got < 5000 && source.next < FRAMES &&
           source.next != source.read_fails_at)
        samples[(*got)++] = value_of(source.next++);
    return 0;
}

static bool fake_ready(struct source *unused, unsigned microseconds)
{
    (void)unused;
    (void)microseconds;
    return true;
}

static size_t read_anywhere(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    float *samples = frames;
    size_t got = 0;

    for (; got < count && frame + got < source.reader_fails_at; got++)
        samples[got] = value_of((size_t)frame + got);
    reader->bytes += got * sizeof *samples;
    return got;
}

static bool is_well(const struct frame_reader *reader)
{
    (void)reader;
    return true;
}

static void close_reader(struct frame_reader *reader)
{
    free(reader);
}

static int open_reader(struct source *unused, struct frame_reader **reader, struct error *error)
{
    static const struct frame_reader_class class = {read_anywhere, is_well, close_reader};

    (void)unused;
    (void)error;
    *reader = calloc(1, sizeof **reader);
    (*reader)->class = &class;
    atomic_fetch_add(&source.readers, 1);
    return 0;
}

static int go(struct source *unused, uint64_t frame, bool doubt, struct error *error)
{
    (void)unused;
    (void)doubt;
    (void)error;
    source.next = (size_t)frame;
    return 0;
}

static const struct source_class source_class = {
    .name = "fake", .read = fake_read, .reader = open_reader, .go = go, .ready = fake_ready};

struct fake_sink {
    struct sink sink;
    struct output output;
    float *frames;
    size_t count;
    size_t fails_at; /* write() does, once it has so many */
    bool finished;
};

static struct fake_sink sink;

static int fake_write(struct sink *unused, float *frames, size_t count, bool gift,
                      struct error *error)
{
    (void)unused;
    (void)gift;
    if (sink.count >= sink.fails_at)
        return error_set(error, STATUS_FAILED, "fake: write failed");
    memcpy(sink.frames + 2 * sink.count, frames, 2 * count * sizeof *frames);
    sink.count += count;
    return 0;
}

static int fake_reserve(struct sink *unused, uint64_t frames, unsigned threads, struct error *error)
{
    (void)unused;
    (void)frames;
    (void)threads;
    (void)error;
    return 0;
}

static int fake_place(struct sink *unused, uint64_t frame, const float *frames, size_t count,
                      struct sample_losses *losses, struct error *error)
{
    (void)unused;
    losses->clipped += count;
    if (frame + count > sink.fails_at)
        return error_set(error, STATUS_FAILED, "fake: write failed");
    memcpy(sink.frames + 2 * frame, frames, 2 * count * sizeof *frames);
    return 0;
}

static int fake_placed(struct sink *unused, uint64_t frames, struct error *error)
{
    (void)unused;
    (void)error;
    sink.count = (size_t)frames;
    return 0;
}

static int fake_finish(struct sink *unused, struct error *error)
{
    (void)unused;
    (void)error;
    sink.finished = true;
    return 0;
}

static const struct sink_class ordered = {
    .name = "ordered", .write = fake_write, .finish = fake_finish};
static const struct sink_class placed = {.name = "placed",
                                         .write = fake_write,
                                         .reserve = fake_reserve,
                                         .place = fake_place,
                                         .placed = fake_placed,
                                         .finish = fake_finish};

static struct error error;
static struct pipeline pipeline;

/* What is asked for, but for the sink. */
struct question {
    uint64_t width;
    uint64_t hop;
    enum window_align align;
    enum nan_policy nan;
};

static int run(const struct question *question, const struct sink_class *class, unsigned threads)
{
    struct machine machine;
    int result;

    source.source = (struct source){
        .class = &source_class, .input = &source.input, .anywhere = true, .left_over = 100};
    source.input.name = "fake";
    source.next = 0;
    atomic_store(&source.readers, 0);
    sink.sink = (struct sink){.class = class, .output = &sink.output};
    sink.output = (struct output){.fd = -1, .path = "fake", .patchable = true};
    sink.count = 0;
    sink.finished = false;
    memset(sink.frames, 0, 2 * FRAMES * sizeof *sink.frames);
    pipeline = (struct pipeline){
        .machine = &machine,
        .source = &source.source,
        .frames = FRAMES,
        .limit = UINT64_MAX,
        .windows = RANGE_ALL,
        .blocks = RANGE_ALL,
        .engine_class = threads == 0 ? &engine_lemire : &engine_cpu,
        .setup = {.emits = {2, {EMIT_MIN, EMIT_MAX}},
                  .nan = question->nan,
                  .channels = 1,
                  .chunk_frames = 1 << 18},
        .sink = &sink.sink,
    };
    window_init(&pipeline.setup.window, question->width, question->hop, question->align,
                EDGE_SHRINK);
    memset(&error, 0, sizeof error);
    CHECK(machine_open(&machine, threads == 0 ? 1 : threads, NULL, 0) == 0);
    result = pipeline_run(&pipeline, &error);
    machine_close(&machine);
    return result;
}

/* The same by pieces as in order by the reference, whatever goes wrong. */
static void check(const struct question *question, const struct sink_class *class)
{
    float *due = malloc(2 * FRAMES * sizeof *due);
    int due_result = run(question, class, 0);
    struct error due_error = error;
    size_t due_count = sink.count;

    CHECK(pipeline.pieces.workers == 0 && pipeline.pieces.why != NULL);
    memcpy(due, sink.frames, 2 * due_count * sizeof *due);
    CHECK(run(question, class, THREADS) == due_result);
    CHECK_THAT(strcmp(error.text, due_error.text) == 0, "'%s', not '%s'", error.text,
               due_error.text);
    CHECK_THAT(sink.count == due_count, "w %llu: %zu frames, not %zu",
               (unsigned long long)question->width, sink.count, due_count);
    CHECK(memcmp(due, sink.frames, 2 * due_count * sizeof *due) == 0);
    free(due);
}

static void reset(void)
{
    source.reader_fails_at = source.read_fails_at = source.nan_at = NEVER;
    sink.fails_at = NEVER;
}

static void check_good(void)
{
    static const uint64_t widths[] = {1, 2, 512, 100000, FRAMES - 1, FRAMES, FRAMES + 1};

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        for (unsigned align = 0; align < 3; align++) {
            const struct question dense = {widths[i], 1, (enum window_align)align, NAN_PROPAGATE};
            const struct question sparse = {widths[i], 37, (enum window_align)align, NAN_OMIT};

            reset();
            check(&dense, &placed);
            CHECK(pipeline.pieces.workers == THREADS && atomic_load(&source.readers) == THREADS);
            CHECK(pipeline.pieces.placed && sink.finished);
            check(&sparse, &ordered);
            CHECK(widths[i] > 100000 || pipeline.pieces.workers == THREADS);
            CHECK(!pipeline.pieces.placed && sink.finished);
        }
    }
}

static void check_faults(void)
{
    const struct question dense = {512, 1, ALIGN_CENTER, NAN_ERROR};
    const struct question sparse = {512, 37, ALIGN_CAUSAL, NAN_ERROR};

    for (size_t at = 0; at <= FRAMES; at += FRAMES / 8 + 77) {
        const struct question *const questions[] = {&dense, &sparse};
        const struct sink_class *const classes[] = {&placed, &ordered};

        for (int i = 0; i < 2; i++) {
            /* A reader finds less than there is: the source goes on alone. */
            reset();
            source.reader_fails_at = at;
            check(questions[i], classes[i]);
            CHECK(sink.finished && error.text[0] == '\0');

            /* The source finds less, too: that is what is told. */
            reset();
            source.reader_fails_at = source.read_fails_at = at;
            check(questions[i], classes[i]);
            CHECK(at > FRAMES - 1 || strcmp(error.text, "fake: read failed") == 0);

            reset();
            source.nan_at = at;
            check(questions[i], classes[i]);
            CHECK(at >= FRAMES || strstr(error.text, "NaN in frame") != NULL);
        }
    }
    /* The output fails: what was complete before that is there. */
    reset();
    sink.fails_at = 5000;
    CHECK(run(&sparse, &ordered, THREADS) == -1 && sink.count >= 5000 && !sink.finished);
    CHECK(strcmp(error.text, "fake: write failed") == 0);
    CHECK(run(&dense, &placed, THREADS) == -1);
    CHECK(strcmp(error.text, "fake: write failed") == 0);
}

/* What clips is counted when a piece is whole, and once. */
static void check_losses(void)
{
    const struct question dense = {512, 1, ALIGN_VALID, NAN_PROPAGATE};

    reset();
    CHECK(run(&dense, &placed, THREADS) == 0);
    /* Each frame that was placed counts once. */
    CHECK(sink.sink.losses.clipped > FRAMES / 2 && sink.sink.losses.clipped < FRAMES);
    reset();
    source.reader_fails_at = FRAMES / 2;
    CHECK(run(&dense, &placed, THREADS) == 0);
    CHECK(sink.sink.losses.clipped <= FRAMES / 2);
}

int main(void)
{
    sink.frames = malloc(2 * FRAMES * sizeof *sink.frames);
    if (sink.frames == NULL)
        return 1;
    check_good();
    check_faults();
    check_losses();
    free(sink.frames);
    return check_result();
}
