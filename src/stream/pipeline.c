#include "stream/pipeline.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "sample/sample_type.h"

enum {
    SLOTS_MOST = 16,
    LARGE_BYTES = 64 * 1024,
    PATIENCE_MICROSECONDS = 500,
};

/* What went wrong in a stage. An error of the input, or a NaN that must not be, does not stop what
 * came before it; it is told when that is done. */
struct fault {
    bool failed;
    struct error error;
};

/* One run. Each stage touches only the chunks that it has taken from the ring, and what is
 * named as its own here. */
struct run {
    struct pipeline *pipeline;
    struct ring *ring;
    struct engine *engine;
    bool in_turn; /* one thread does all stages */
    bool reduces; /* the engine gives statistics */
    unsigned slots;
    struct chunk chunks[SLOTS_MOST];

    /* the reader's */
    uint64_t frames; /* read so far */
    uint64_t tail;   /* windows past the end that are still to be asked for */
    bool input_over;

    /* the engine's */
    uint64_t submitted_frames;
    bool engine_over;  /* nothing more is to be submitted */
    bool stats_failed; /* their output has */

    /* each stage's own */
    struct fault faults[RING_STAGES];
    double busy[RING_STAGES]; /* seconds */
};

/* ---- what each stage does with a chunk ---- */

/* Should the chunk go on its way, although it is not full? Not while more is there to read. Else,
 * if the engine has nothing to do, at once; but a chunk that is large already shows a fast
 * stream, and is worth a moment of waiting. */
static bool goes_now(struct run *run, const struct chunk *chunk)
{
    struct source *source = run->pipeline->source;
    bool large = chunk->in_frames * engine_in_bytes(&run->pipeline->setup) >= LARGE_BYTES;

    if (!run->in_turn && ring_is_hungry(run->ring, RING_READER) && !large)
        return true;
    return !source->class->ready(source, large ? PATIENCE_MICROSECONDS : 0);
}

/* Fills the chunk with one read or more, to the end of the input or of what is wanted of it. An
 * error leaves the frames before it in the chunk. */
static void fill_chunk(struct run *run, struct chunk *chunk)
{
    struct pipeline *pipeline = run->pipeline;
    struct source *source = pipeline->source;
    struct fault *fault = &run->faults[RING_READER];
    size_t frame_bytes = engine_in_bytes(&pipeline->setup);
    uint64_t left = pipeline->limit - run->frames;
    size_t room = pipeline->setup.chunk_frames;

    if (room > left)
        room = (size_t)left;
    while (chunk->in_frames < room && !run->input_over) {
        size_t got;

        fault->failed = source->class->read(source, chunk->in + chunk->in_frames * frame_bytes,
                                            room - chunk->in_frames, &got, &fault->error) != 0;
        run->input_over = fault->failed || got == 0;
        if (run->input_over)
            break;
        chunk->in_frames += got;
        run->frames += got;
        if (chunk->in_frames < room && goes_now(run, chunk))
            break;
    }
    if (run->frames == pipeline->limit)
        run->input_over = true;
}

/* The next chunk of the stream, or of the windows past its end. False when there is none. */
static bool read_chunk(struct run *run, struct chunk *chunk)
{
    struct pipeline *pipeline = run->pipeline;

    chunk->in_frames = 0;
    chunk->tail = 0;
    if (!run->input_over) {
        fill_chunk(run, chunk);
        atomic_store(&pipeline->progress.in_frames, run->frames);
        if (run->input_over)
            run->tail = window_tail(&pipeline->setup.window, run->frames);
    }
    if (chunk->in_frames > 0)
        return true;
    chunk->tail = pipeline->setup.chunk_frames;
    if (chunk->tail > run->tail)
        chunk->tail = (size_t)run->tail;
    run->tail -= chunk->tail;
    return chunk->tail > 0;
}

/* With `--nan error`: shortens the chunk to the frames before its first NaN, if it has one. What is
 * left of it is the last that is worked on. */
static void check_nan(struct run *run, struct chunk *chunk)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_setup *setup = &pipeline->setup;
    struct fault *fault = &run->faults[RING_ENGINE];
    size_t index;
    uint64_t frame;

    if (setup->nan != NAN_ERROR || !sample_type_has_nan(setup->sample))
        return;
    if (!sample_find_nan(setup->sample, chunk->in, chunk->in_frames * setup->channels, &index))
        return;
    chunk->in_frames = index / setup->channels;
    frame = pipeline->skipped + run->submitted_frames + chunk->in_frames;
    fault->failed = true;
    error_set(&fault->error, STATUS_FAILED, "%s: NaN in frame %llu, channel %zu (--nan error)",
              pipeline->source->input->name, (unsigned long long)frame, index % setup->channels);
    run->engine_over = true;
}

/* The statistics see the frames that the engine has taken: at once, so that they are worked out
 * while the engine has the chunk; but where it gives them in parts, when it is through with it. */
static void add_to_stats(struct run *run, const struct chunk *chunk)
{
    struct fault *fault = &run->faults[RING_ENGINE];
    struct stats *stats = run->pipeline->stats;

    if (stats == NULL || run->stats_failed)
        return;
    if (stats_add_chunk(stats, chunk->in, chunk->in_frames, &chunk->parts, &fault->error) != 0) {
        fault->failed = true;
        run->stats_failed = true;
        run->engine_over = true;
    }
}

/* The last block, also after an error upstream: the frames before it count. */
static void finish_stats(struct run *run)
{
    struct fault *fault = &run->faults[RING_ENGINE];
    struct error error;

    if (run->pipeline->stats == NULL || run->stats_failed)
        return;
    if (stats_end(run->pipeline->stats, &error) != 0 && !fault->failed) {
        fault->failed = true;
        fault->error = error;
    }
}

/* Starts the work on a chunk. False when the engine fails: then there is nothing to collect. */
static bool submit_chunk(struct run *run, struct chunk *chunk)
{
    struct fault *fault = &run->faults[RING_ENGINE];

    check_nan(run, chunk);
    if (run->pipeline->engine_class->submit(run->engine, chunk, &fault->error) != 0) {
        fault->failed = true;
        run->engine_over = true;
        return false;
    }
    run->submitted_frames += chunk->in_frames;
    if (!run->reduces)
        add_to_stats(run, chunk);
    return true;
}

static bool collect_chunk(struct run *run, struct chunk *chunk)
{
    struct fault *fault = &run->faults[RING_ENGINE];

    if (run->pipeline->engine_class->collect(run->engine, chunk, &fault->error) != 0) {
        fault->failed = true;
        return false;
    }
    if (run->reduces)
        add_to_stats(run, chunk);
    atomic_fetch_add(&run->pipeline->progress.chunks, 1);
    return true;
}

static bool write_chunk(struct run *run, struct chunk *chunk)
{
    struct sink *sink = run->pipeline->sink;
    struct fault *fault = &run->faults[RING_WRITER];

    if (chunk->out_frames > 0 && sink->class->write(sink, chunk->out, chunk->out_frames,
                                                    chunk->out_is_ours, &fault->error) != 0) {
        fault->failed = true;
        return false;
    }
    atomic_fetch_add(&run->pipeline->progress.out_frames, chunk->out_frames);
    return true;
}

/* Ends the output, also after an error upstream: what was complete is written. */
static void finish_output(struct run *run)
{
    struct sink *sink = run->pipeline->sink;
    struct fault *fault = &run->faults[RING_WRITER];

    if (sink != NULL && !fault->failed)
        fault->failed = sink->class->finish(sink, &fault->error) != 0;
}

static void end_stage(struct run *run, enum ring_stage stage)
{
    if (run->faults[stage].failed)
        ring_fail(run->ring, stage, &run->faults[stage].error);
    ring_end(run->ring, stage);
}

/* ---- a thread for each stage ---- */

static void *reader_main(void *context)
{
    struct run *run = context;
    double from = clock_seconds();
    int slot;

    while ((slot = ring_take(run->ring, RING_READER)) >= 0 && read_chunk(run, &run->chunks[slot]))
        ring_pass(run->ring, RING_READER);
    run->busy[RING_READER] = clock_seconds() - from - ring_waited(run->ring, RING_READER);
    end_stage(run, RING_READER);
    return NULL;
}

static void *engine_main(void *context)
{
    struct run *run = context;
    unsigned most = run->pipeline->engine_class->chunks_in_flight(run->engine);
    int flying[SLOTS_MOST];
    unsigned first = 0;
    unsigned count = 0;
    double from = clock_seconds();

    for (;;) {
        if (!run->engine_over && count < most &&
            (count == 0 || ring_can_take(run->ring, RING_ENGINE))) {
            int slot = ring_take(run->ring, RING_ENGINE);

            if (slot < 0)
                run->engine_over = true;
            else if (submit_chunk(run, &run->chunks[slot]))
                flying[(first + count++) % SLOTS_MOST] = slot;
        } else if (count > 0 && collect_chunk(run, &run->chunks[flying[first]])) {
            ring_pass(run->ring, RING_ENGINE);
            first = (first + 1) % SLOTS_MOST;
            count--;
        } else {
            break;
        }
    }
    finish_stats(run);
    run->busy[RING_ENGINE] = clock_seconds() - from - ring_waited(run->ring, RING_ENGINE);
    end_stage(run, RING_ENGINE);
    return NULL;
}

static void *writer_main(void *context)
{
    struct run *run = context;
    double from = clock_seconds();
    int slot;

    while ((slot = ring_take(run->ring, RING_WRITER)) >= 0 && write_chunk(run, &run->chunks[slot]))
        ring_pass(run->ring, RING_WRITER);
    finish_output(run);
    run->busy[RING_WRITER] = clock_seconds() - from - ring_waited(run->ring, RING_WRITER);
    end_stage(run, RING_WRITER);
    return NULL;
}

/* ---- one thread for all stages ---- */

/* Adds the time since `*from` to the stage's, and starts anew. */
static void count_time(struct run *run, enum ring_stage stage, double *from)
{
    double to = clock_seconds();

    run->busy[stage] += to - *from;
    *from = to;
}

/* On a single CPU the stages can only take turns; doing so in one thread saves the changing
 * over, and each chunk is still in the cache for the next stage. Nothing is taken from the
 * ring: it holds the first error, and says when all is done. */
static void *turns_main(void *context)
{
    struct run *run = context;
    struct chunk *chunk = &run->chunks[0];
    bool more = true;
    double from = clock_seconds();

    while (more && !run->engine_over && read_chunk(run, chunk)) {
        count_time(run, RING_READER, &from);
        more = submit_chunk(run, chunk) && collect_chunk(run, chunk);
        count_time(run, RING_ENGINE, &from);
        more = more && write_chunk(run, chunk);
        count_time(run, RING_WRITER, &from);
    }
    finish_stats(run);
    finish_output(run);
    for (int stage = 0; stage < RING_STAGES; stage++)
        end_stage(run, (enum ring_stage)stage);
    return NULL;
}

/* ---- the run ---- */

/* Sleeps until the writer has ended, and looks up now and then. Signals come to this thread:
 * they end the sleep early. */
static void watch(struct run *run)
{
    const struct pipeline *pipeline = run->pipeline;
    struct pollfd done = {.fd = ring_done_fd(run->ring), .events = POLLIN};
    int milliseconds = pipeline->watch == NULL ? -1 : (int)(pipeline->watch_seconds * 1e3);

    for (;;) {
        int ready = poll(&done, 1, milliseconds);

        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        if (pipeline->watch != NULL)
            pipeline->watch(pipeline->watch_context, &pipeline->progress);
    }
}

/* Starts the stages and waits for them. A stage that cannot be started counts as failed. */
static int run_stages(struct run *run)
{
    static void *(*const in_parallel[])(void *) = {reader_main, engine_main, writer_main};
    static void *(*const in_turn[])(void *) = {turns_main};
    void *(*const *mains)(void *) = run->in_turn ? in_turn : in_parallel;
    int count = run->in_turn ? 1 : RING_STAGES;
    pthread_t threads[RING_STAGES];
    int missing = count; /* the stages before this one could not be started */
    sigset_t all;
    sigset_t old;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (missing > 0) {
        int number = pthread_create(&threads[missing - 1], NULL, mains[missing - 1], run);

        if (number != 0) {
            run->faults[missing - 1].failed = true;
            error_system(&run->faults[missing - 1].error, "threads", number);
            break;
        }
        missing--;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    for (int stage = 0; stage < missing; stage++)
        end_stage(run, (enum ring_stage)stage);
    if (missing == count) /* none could be started: nobody else says that all is done */
        end_stage(run, RING_WRITER);
    watch(run);
    for (int stage = missing; stage < count; stage++)
        pthread_join(threads[stage], NULL);
    return ring_error(run->ring) == NULL ? 0 : -1;
}

int pipeline_run(struct pipeline *pipeline, struct error *error)
{
    const struct engine_class *class = pipeline->engine_class;
    struct run run = {.pipeline = pipeline};
    double from = clock_seconds();
    double waited_before = 0;
    int result = -1;

    if (class->open(&pipeline->setup, &run.engine, error) != 0)
        return -1;
    run.reduces = class->reduces != NULL && class->reduces(run.engine);
    run.in_turn = class->chunks_in_flight(run.engine) == 1 && cpus_available() == 1;
    run.slots = class->chunks_in_flight(run.engine) + 2; /* one being read, one being written */
    if (run.in_turn)
        run.slots = 1;
    if (run.slots > SLOTS_MOST)
        run.slots = SLOTS_MOST;
    run.ring = ring_open(run.slots);
    if (run.ring == NULL) {
        error_system(error, "the ring of buffers", errno);
        goto done;
    }
    for (unsigned i = 0; i < run.slots; i++) {
        if (class->attach(run.engine, &run.chunks[i], error) != 0)
            goto done;
    }
    class->describe(run.engine, pipeline->engine_words, sizeof pipeline->engine_words);
    waited_before = pipeline->source->input->waited;
    pipeline->source->input->stop_fd = ring_stop_fd(run.ring);
    result = run_stages(&run);
    pipeline->source->input->stop_fd = -1;
    if (result != 0)
        *error = *ring_error(run.ring);
    memcpy(pipeline->busy, run.busy, sizeof pipeline->busy);
    /* Waiting for a slow input is no work. */
    pipeline->busy[RING_READER] -= pipeline->source->input->waited - waited_before;

done:
    for (unsigned i = 0; i < run.slots; i++) {
        if (run.chunks[i].in != NULL)
            class->detach(run.engine, &run.chunks[i]);
    }
    ring_close(run.ring);
    class->close(run.engine);
    pipeline->seconds = clock_seconds() - from;
    return result;
}
