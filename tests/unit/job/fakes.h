/* SPDX-License-Identifier: MIT */
/* A source with random access to its frames, and sinks that can place frames or not. Each can be
 * made to fail. Include check.h first. */
#ifndef GPUENV_TESTS_STREAM_FAKES_H
#define GPUENV_TESTS_STREAM_FAKES_H

#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/min_max.h"
#include "job/stream.h"

enum { FRAMES = 1 << 20, NEVER = 1 << 30 };

struct fake_source {
    struct source source;
    struct input input;
    size_t next;
    size_t end;
    size_t piece;           /* the most frames of a read; 0: random */
    size_t block_at;        /* a read waits here until it is stopped */
    size_t reader_fails_at; /* readers give fewer frames from here on */
    size_t read_fails_at;   /* and so does the source */
    size_t nan_at;
    atomic_uint readers;
    unsigned readers_awaited; /* readers wait until there are this many, or until a timeout */
};

static struct fake_source source;
static struct stream_plan planned; /* of the stream: a test may change it */
static struct pipeline_progress progress;
__attribute__((unused)) static struct run_result result; /* for pipeline_run() */

static float values[FRAMES];

/* The frames of the source from this one on. By memcpy(), which ThreadSanitizer checks in one
 * step. */
static void copy_values(float *samples, size_t frame, size_t count)
{
    memcpy(samples, values + frame, count * sizeof *samples);
    if (source.nan_at >= frame && source.nan_at - frame < count)
        samples[source.nan_at - frame] = NAN;
}

/* From `frame` up to `end`, or none. */
static size_t count_up_to(size_t end, size_t frame)
{
    return frame < end ? end - frame : 0;
}

static int fake_read(struct source *unused, void *frames, size_t capacity, size_t *got,
                     struct error *error)
{
    (void)unused;
    *got = 0;
    if (source.next == source.read_fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "read failed");
    if (source.next == source.block_at) {
        struct pollfd stop = {.fd = source.input.stop_fd, .events = POLLIN};

        CHECK(poll(&stop, 1, 60000) == 1);
        return 0;
    }
    *got = min_u64(capacity, source.piece > 0 ? source.piece : (size_t)rand() % 100 + 1);
    *got = min_u64(*got, count_up_to(source.end, source.next));
    if (source.next < source.read_fails_at)
        *got = min_u64(*got, source.read_fails_at - source.next);
    if (source.next < source.block_at)
        *got = min_u64(*got, source.block_at - source.next);
    copy_values(frames, source.next, *got);
    source.next += *got;
    return 0;
}

static bool fake_ready(struct source *unused, unsigned microseconds)
{
    (void)unused;
    (void)microseconds;
    return source.piece > 0 || rand() % 2 != 0;
}

static size_t read_anywhere(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    size_t got =
        min_u64(count, count_up_to(min_u64(source.reader_fails_at, FRAMES), (size_t)frame));

    for (int i = 0; i < 10000 && atomic_load(&source.readers) < source.readers_awaited; i++)
        usleep(1000);
    copy_values(frames, (size_t)frame, got);
    reader->bytes += got * sizeof(float);
    return got;
}

static void close_reader(struct frame_reader *reader)
{
    free(reader);
}

static int open_reader(struct source *unused, struct frame_reader **reader, struct error *error)
{
    static const struct frame_reader_class class = {read_anywhere, close_reader};

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
    .read = fake_read, .reader = open_reader, .go = go, .ready = fake_ready};

struct fake_sink {
    struct sink sink;
    struct output output;
    float *frames;
    size_t width; /* of a frame */
    size_t count;
    size_t fails_at;  /* write() fails once it has this many */
    unsigned threads; /* that will place frames, as announced to reserve() */
    bool spoils;      /* write() overwrites the frames, as if it gave their pages away */
    bool finished;
};

static struct fake_sink sink;

/* The frames of one run, with which later ones are compared. */
static float *due;
static size_t due_count;

/* Allocates the memory for these and for the sink. Returns false if there is none. */
static inline bool due_open(void)
{
    sink.frames = malloc(2 * FRAMES * sizeof *sink.frames);
    due = malloc(2 * FRAMES * sizeof *due);
    return sink.frames != NULL && due != NULL;
}

static inline void due_close(void)
{
    free(due);
    free(sink.frames);
}

/* Records what the sink has received. */
static inline void due_note(void)
{
    due_count = sink.count;
    memcpy(due, sink.frames, 2 * due_count * sizeof *due);
}

static inline void due_check(const char *words)
{
    CHECK_THAT(sink.count == due_count, "%s: %zu frames, not %zu", words, sink.count, due_count);
    CHECK_THAT(memcmp(due, sink.frames, 2 * due_count * sizeof *due) == 0, "%s", words);
}

static int fake_write(struct sink *unused, void *frames, size_t count, const struct sink_rows *rows,
                      bool gift, struct error *error)
{
    (void)rows;
    (void)unused;
    (void)gift;
    if (sink.count >= sink.fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "write failed");
    memcpy(sink.frames + sink.width * sink.count, frames, sink.width * count * sizeof(float));
    if (sink.spoils)
        memset(frames, 0xa5, sink.width * count * sizeof(float));
    sink.count += count;
    return 0;
}

static void fake_reserve(struct sink *unused, uint64_t frames, unsigned threads)
{
    (void)unused;
    (void)frames;
    sink.threads = threads;
}

static int fake_place(struct sink *unused, uint64_t frame, const void *frames, size_t count,
                      struct sample_losses *losses, struct error *error)
{
    (void)unused;
    losses->clipped += count;
    if (frame + count > sink.fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "write failed");
    memcpy(sink.frames + 2 * frame, frames, 2 * count * sizeof(float));
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

static const struct sink_class ordered = {.write = fake_write, .finish = fake_finish};
static const struct sink_class placed = {.write = fake_write,
                                         .reserve = fake_reserve,
                                         .place = fake_place,
                                         .placed = fake_placed,
                                         .finish = fake_finish};

/* A part is its frames. */
struct fake_part {
    struct sink sink;
    uint64_t frame;
    uint64_t most;
    uint64_t count;
    float frames[];
};

/* Several threads call it, and CHECK() is for one: fake_join() finds a part with too many frames.
 */
static int write_to_part(struct sink *of_part, void *frames, size_t count,
                         const struct sink_rows *rows, bool gift, struct error *error)
{
    struct fake_part *part = (struct fake_part *)of_part;

    (void)rows;
    (void)gift;
    (void)error;
    if (part->count + count <= part->most)
        memcpy(part->frames + 2 * part->count, frames, 2 * count * sizeof(float));
    part->count += count;
    return 0;
}

static void close_part(struct sink *part)
{
    free(part);
}

static struct sink *open_part(const struct sink *unused, uint64_t frame, uint64_t count)
{
    static const struct sink_class class = {.write = write_to_part, .close = close_part};
    struct fake_part *part = malloc(sizeof *part + 2 * count * sizeof *part->frames);

    (void)unused;
    if (part == NULL)
        return NULL;
    *part = (struct fake_part){.sink = {.class = &class}, .frame = frame, .most = count};
    return &part->sink;
}

static int fake_join(struct sink *unused, struct sink *of_part, struct error *error)
{
    const struct fake_part *part = (const struct fake_part *)of_part;

    (void)unused;
    CHECK(part->frame == sink.count && part->count <= part->most);
    if (sink.count >= sink.fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "write failed");
    if (part->count <= part->most)
        memcpy(sink.frames + 2 * sink.count, part->frames, 2 * part->count * sizeof(float));
    sink.count += part->count;
    return 0;
}

static const struct sink_class in_parts = {.write = fake_write,
                                           .reserve = fake_reserve,
                                           .part = open_part,
                                           .join = fake_join,
                                           .finish = fake_finish};
static const struct sink_class in_parts_that_wait = {.write = fake_write,
                                                     .part = open_part,
                                                     .join = fake_join,
                                                     .parts_wait = true,
                                                     .finish = fake_finish};

static void make_values(void)
{
    for (size_t i = 0; i < FRAMES; i++)
        values[i] = (float)(i * 7919 % 10007);
}

static void reset_fakes(void)
{
    if (values[1] == 0)
        make_values();
    source.reader_fails_at = source.read_fails_at = source.nan_at = source.block_at = NEVER;
    source.end = FRAMES;
    source.piece = 5000;
    sink.fails_at = NEVER;
    sink.width = 2;
    source.readers_awaited = 0;
}

/* Resets the fakes before a run. */
static void renew_fakes(const struct sink_class *class)
{
    source.source = (struct source){
        .class = &source_class,
        .input = &source.input,
        .table = &source_no_table,
        .anywhere = true,
        .left_over = 100,
    };
    source.input.name = "fake";
    source.input.end_fd = -1;
    source.next = 0;
    atomic_store(&source.readers, 0);
    sink.sink = (struct sink){.class = class, .output = &sink.output};
    sink.output = (struct output){.fd = -1, .path = "fake", .patchable = true};
    sink.count = 0;
    sink.finished = false;
    sink.threads = 0;
    memset(sink.frames, 0, 2 * source.end * sizeof *sink.frames);
}

/* A stream of the whole source to a new sink of this class; all values, mono. The caller opens the
 * machine and chooses the window. */
static struct pipeline fake_stream(const struct sink_class *class, struct machine *machine,
                                   const struct engine_class *engine)
{
    renew_fakes(class);
    progress = (struct pipeline_progress){.chunks = 0};
    planned = (struct stream_plan){
        .frames = FRAMES,
        .limit = UINT64_MAX,
        .extent = {.windows = RANGE_ALL, .blocks = RANGE_ALL},
        .engine_class = engine,
        .setup = {.emits = {2, {EMIT_MIN, EMIT_MAX}}, .channels = 1, .chunk_frames = 1 << 18},
    };
    return (struct pipeline){
        .plan = &planned,
        .machine = machine,
        .source = &source.source,
        .sink = &sink.sink,
        .progress = &progress,
    };
}

#endif
