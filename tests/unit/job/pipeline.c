/* SPDX-License-Identifier: MIT */
/* job/pipeline with a source, an engine and a sink that misbehave on purpose. */
#include "check.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "job/fake_engine.h"

enum { COUNT = 5000 };

static struct error error;
static bool in_stages; /* not in turns: the reader must wait while the writer fails */
static const struct source_class *later; /* replaces that of the source, if not NULL */
static struct threads *threads;
static int file;

/* Maximum over 3 frames, centered: output k is k+1, the last COUNT-1. */
static int run(const struct engine_class *class, size_t chunk_frames, uint64_t limit)
{
    struct machine machine;
    struct pipeline pipeline = fake_stream(&ordered, &machine, class);
    int failed;

    source.source.class = later != NULL ? later : source.source.class;
    planned.brief = !in_stages && rand() % 3 == 0;
    planned.frames = SOURCE_FRAMES_UNKNOWN;
    planned.limit = limit;
    planned.setup.emits = (struct emit_list){1, {EMIT_MAX}};
    planned.setup.chunk_frames = chunk_frames;
    planned.setup.nan = source.nan_at < COUNT ? NAN_ERROR : NAN_PROPAGATE;
    window_init(&planned.setup.window, 3, 1, ALIGN_CENTER, EDGE_SHRINK);
    memset(&error, 0, sizeof error);
    CHECK(machine_open(&machine, 1, NULL, 0) == 0);
    failed = pipeline_run(&pipeline, &result, &error);
    machine_close(&machine);
    if (failed == 0)
        CHECK(result.out_frames == sink.count);
    for (size_t i = 0; i + 1 < sink.count; i++)
        CHECK(sink.frames[i] == (float)(i + 1));
    return failed;
}

static void reset(void)
{
    reset_engine(&engine_lemire);
    source.end = COUNT;
    source.piece = 0;
    sink.width = 1;
    sink.spoils = true;
    in_stages = false;
}

static void good_runs(void)
{
    static const size_t chunks[] = {1, 2, 7, 100, 10000};

    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        for (int flying = 0; flying < 2; flying++) {
            reset();
            CHECK(run(flying != 0 ? &fake_engine : &engine_cpu, chunks[i], UINT64_MAX) == 0);
            CHECK(sink.count == COUNT && sink.frames[COUNT - 1] == (float)(COUNT - 1));
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
    source.read_fails_at = 1000;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK_WORDS(&error, "fake: read failed");
    CHECK(sink.count == 1000 && sink.finished);

    /* Before a NaN: every window that does not contain it. */
    reset();
    source.nan_at = 777;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK_WORDS(&error, "fake: NaN in frame 777, ch1 (--nan error)");
    CHECK(sink.count == 776 && sink.finished);

    /* The writer fails while the reader waits for input that does not come. */
    reset();
    source.piece = 64;
    source.block_at = 64;
    sink.fails_at = 0;
    in_stages = true;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK_WORDS(&error, "fake: write failed");
    CHECK(!sink.finished);

    /* The reader takes no more of an input that does not wait. */
    reset();
    source.piece = 64;
    sink.fails_at = 0;
    in_stages = true;
    CHECK(run(&engine_cpu, 64, UINT64_MAX) != 0);
    CHECK(source.next < COUNT);

    /* The engine fails: what it had done before is written. */
    reset();
    fake.submit_fails_at = 6;
    CHECK(run(&fake_engine, 64, UINT64_MAX) != 0);
    CHECK_WORDS(&error, "fake: submit failed");
    CHECK(sink.count > 0 && sink.finished);
    reset();
    fake.collect_fails_at = 3;
    CHECK(run(&fake_engine, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "fake: collect failed") == 0 && sink.finished);
    reset();
    fake.open_fails = true;
    CHECK(run(&fake_engine, 64, UINT64_MAX) != 0);
    CHECK(strcmp(words_of(&error), "--device fake: open failed") == 0 && sink.count == 0);
}

/* Reads all values, though the file has no more than 1234 of them. */
static int read_later(struct source *unused, void *frames, size_t capacity, size_t *got,
                      struct error *of_read)
{
    (void)unused;
    (void)of_read;
    *got = min_u64(capacity, COUNT - source.next);
    if (*got > 0)
        shared_read_begin(source.input.reading, threads, 3, file, frames, *got * sizeof(float),
                          source.next * sizeof(float));
    source.next += *got;
    return 0;
}

/* A file becomes shorter while other chunks are read. */
static void shrinking_file(void)
{
    static const struct source_class class = {
        .read = read_later, .ready = fake_ready, .passes = true};

    threads = threads_open(3);
    file = memfd_create("values", MFD_CLOEXEC);
    CHECK(write(file, values, 1234 * sizeof(float) + 1) == 1234 * sizeof(float) + 1);
    for (size_t chunk = 100; chunk < 2000; chunk += 567) {
        reset();
        later = &class;
        source.input.idle = in_stages = true;
        CHECK(run(&fake_engine, chunk, UINT64_MAX) != 0);
        CHECK_WORDS(&error, "fake: became shorter while it was read");
        CHECK(sink.count == 1233 && sink.finished);
        later = NULL;
    }
    close(file);
    threads_close(threads);
    source.input.idle = false;
}

int main(void)
{
    if (!due_open())
        return 1;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (float)i;
    srand(2);
    for (int i = 0; i < (CHECK_FEW ? 8 : 20); i++) {
        good_runs();
        failing_runs();
    }
    shrinking_file();
    due_close();
    return check_result();
}
