#include "stream/pipeline.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sample/sample_type.h"

enum { SLOTS_MOST = 16 };

/* One run. The reader, the engine and the writer each touch only the chunk that they have taken
 * from the ring, and what is named as theirs here. */
struct run {
    struct pipeline *pipeline;
    struct ring *ring;
    struct engine *engine;
    unsigned slots;
    struct chunk chunks[SLOTS_MOST];

    /* the reader's */
    uint64_t frames; /* read so far */
    bool input_over;

    /* the engine's */
    uint64_t submitted_frames;

    double seconds[RING_STAGES]; /* each stage's own, from its start to its end */
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Fills the chunk: with one read, and with more as long as the engine has other work and data is
 * there. An error still leaves the frames before it in the chunk. */
static int fill_chunk(struct run *run, struct chunk *chunk, struct error *error)
{
    struct pipeline *pipeline = run->pipeline;
    struct source *source = pipeline->source;
    size_t frame_bytes = engine_in_bytes(&pipeline->setup);
    uint64_t left = pipeline->limit - run->frames;
    size_t room = pipeline->setup.chunk_frames;

    if (room > left)
        room = (size_t)left;
    while (chunk->in_frames < room) {
        size_t got;

        if (source->class->read(source, chunk->in + chunk->in_frames * frame_bytes,
                                room - chunk->in_frames, &got, error) != 0) {
            run->input_over = true;
            return -1;
        }
        if (got == 0) {
            run->input_over = true;
            break;
        }
        chunk->in_frames += got;
        run->frames += got;
        if (ring_is_hungry(run->ring, RING_READER) || !source->class->ready(source))
            break;
    }
    if (run->frames == pipeline->limit)
        run->input_over = true;
    return 0;
}

static void *reader_main(void *context)
{
    struct run *run = context;
    struct pipeline *pipeline = run->pipeline;
    struct error error;
    bool failed = false;
    uint64_t tail = 0;
    double from = now();
    int slot;

    run->input_over = pipeline->limit == 0;
    while ((slot = ring_take(run->ring, RING_READER)) >= 0) {
        struct chunk *chunk = &run->chunks[slot];

        chunk->in_frames = 0;
        chunk->tail = 0;
        if (!run->input_over) {
            failed = fill_chunk(run, chunk, &error) != 0;
            atomic_store(&pipeline->progress.in_frames, run->frames);
            if (run->input_over)
                tail = window_tail(&pipeline->setup.window, run->frames);
        }
        if (chunk->in_frames == 0) {
            /* The stream is over: what is left are the windows past its end. */
            if (tail == 0)
                break;
            chunk->tail = pipeline->setup.chunk_frames;
            if (chunk->tail > tail)
                chunk->tail = (size_t)tail;
            tail -= chunk->tail;
        }
        ring_pass(run->ring, RING_READER);
    }
    if (failed)
        ring_fail(run->ring, RING_READER, &error);
    ring_end(run->ring, RING_READER);
    run->seconds[RING_READER] = now() - from;
    return NULL;
}

/* With `--nan error`: shortens the chunk to the frames before its first NaN, if it has one. */
static int check_nan(const struct run *run, struct chunk *chunk, struct error *error)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_setup *setup = &pipeline->setup;
    size_t index;
    uint64_t frame;

    if (setup->nan != NAN_ERROR || !sample_type_has_nan(setup->sample))
        return 0;
    if (!sample_find_nan(setup->sample, chunk->in, chunk->in_frames * setup->channels, &index))
        return 0;
    chunk->in_frames = index / setup->channels;
    frame = pipeline->skipped + run->submitted_frames + chunk->in_frames;
    return error_set(error, STATUS_FAILED, "%s: NaN in frame %llu, channel %zu (--nan error)",
                     pipeline->source->input->name, (unsigned long long)frame,
                     index % setup->channels);
}

static void *engine_main(void *context)
{
    struct run *run = context;
    struct pipeline *pipeline = run->pipeline;
    const struct engine_class *class = pipeline->engine_class;
    unsigned most = class->chunks_in_flight(run->engine);
    int flying[SLOTS_MOST];
    unsigned first = 0;
    unsigned count = 0;
    bool over = false;
    struct error error;
    bool failed = false;
    double from = now();

    for (;;) {
        if (!over && count < most && (count == 0 || ring_can_take(run->ring, RING_ENGINE))) {
            int slot = ring_take(run->ring, RING_ENGINE);
            struct chunk *chunk = &run->chunks[slot < 0 ? 0 : slot];

            if (slot < 0) {
                over = true;
                continue;
            }
            /* After a NaN what came before it still goes its way. */
            failed = check_nan(run, chunk, &error) != 0;
            if (class->submit(run->engine, chunk, &error) != 0) {
                failed = true;
                over = true;
                continue;
            }
            over = failed;
            run->submitted_frames += chunk->in_frames;
            flying[(first + count++) % SLOTS_MOST] = slot;
        } else if (count > 0) {
            struct chunk *chunk = &run->chunks[flying[first]];

            if (class->collect(run->engine, chunk, &error) != 0) {
                failed = true;
                break;
            }
            atomic_fetch_add(&pipeline->progress.chunks, 1);
            ring_pass(run->ring, RING_ENGINE);
            first = (first + 1) % SLOTS_MOST;
            count--;
        } else {
            break;
        }
    }
    if (failed)
        ring_fail(run->ring, RING_ENGINE, &error);
    ring_end(run->ring, RING_ENGINE);
    run->seconds[RING_ENGINE] = now() - from;
    return NULL;
}

static void *writer_main(void *context)
{
    struct run *run = context;
    struct pipeline *pipeline = run->pipeline;
    struct sink *sink = pipeline->sink;
    struct error error;
    bool failed = false;
    double from = now();
    int slot;

    while (!failed && (slot = ring_take(run->ring, RING_WRITER)) >= 0) {
        struct chunk *chunk = &run->chunks[slot];

        if (chunk->out_frames > 0)
            failed = sink->class->write(sink, chunk->out, chunk->out_frames, chunk->out_is_ours,
                                        &error) != 0;
        if (!failed) {
            atomic_fetch_add(&pipeline->progress.out_frames, chunk->out_frames);
            ring_pass(run->ring, RING_WRITER);
        }
    }
    /* Also after an error upstream: what was complete is written. */
    if (!failed)
        failed = sink->class->finish(sink, &error) != 0;
    if (failed)
        ring_fail(run->ring, RING_WRITER, &error);
    run->seconds[RING_WRITER] = now() - from;
    ring_end(run->ring, RING_WRITER);
    return NULL;
}

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
    static void *(*const stage_main[RING_STAGES])(void *) = {reader_main, engine_main, writer_main};
    pthread_t threads[RING_STAGES];
    bool started[RING_STAGES] = {false};
    struct error error;
    sigset_t all;
    sigset_t old;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    /* Last stage first: a stage that is missing stops those before it. */
    for (int stage = RING_WRITER; stage >= 0; stage--) {
        int number = pthread_create(&threads[stage], NULL, stage_main[stage], run);

        started[stage] = number == 0;
        if (number != 0) {
            error_system(&error, "threads", number);
            ring_fail(run->ring, (enum ring_stage)stage, &error);
            ring_end(run->ring, (enum ring_stage)stage);
            break;
        }
    }
    for (int stage = 0; stage < RING_STAGES; stage++) {
        if (!started[stage])
            ring_end(run->ring, (enum ring_stage)stage);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    watch(run);
    for (int stage = 0; stage < RING_STAGES; stage++) {
        if (started[stage])
            pthread_join(threads[stage], NULL);
    }
    return ring_error(run->ring) == NULL ? 0 : -1;
}

int pipeline_run(struct pipeline *pipeline, struct error *error)
{
    const struct engine_class *class = pipeline->engine_class;
    struct run run = {.pipeline = pipeline};
    double from = now();
    int result = -1;

    if (class->open(&pipeline->setup, &run.engine, error) != 0)
        return -1;
    class->describe(run.engine, pipeline->engine_words, sizeof pipeline->engine_words);
    run.slots = class->chunks_in_flight(run.engine) + 2; /* one being read, one being written */
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
    pipeline->source->input->stop_fd = ring_stop_fd(run.ring);
    result = run_stages(&run);
    pipeline->source->input->stop_fd = -1;
    if (result != 0)
        *error = *ring_error(run.ring);
    for (unsigned i = 0; i < RING_STAGES; i++)
        pipeline->busy[i] = run.seconds[i] - ring_waited(run.ring, (enum ring_stage)i);

done:
    for (unsigned i = 0; i < run.slots; i++) {
        if (run.chunks[i].in != NULL)
            class->detach(run.engine, &run.chunks[i]);
    }
    ring_close(run.ring);
    class->close(run.engine);
    pipeline->seconds = now() - from;
    return result;
}
