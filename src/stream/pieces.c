#include "stream/pieces.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pages.h"
#include "stats/share.h"

/* A piece, from the worker that takes it to the moment when its turn has come. */
struct slot {
    struct piece piece;
    bool done;
    float *out; /* its frames, where they are written in order */
    size_t out_frames;
    struct sample_losses losses;
    struct share_result share;
};

struct run {
    struct pipeline *pipeline;
    const struct pieces_plan *plan;
    uint64_t begin;        /* the frame that the first piece begins with */
    uint64_t first_output; /* the output frame that it begins with */
    uint64_t count;        /* pieces */
    size_t out_bytes;      /* of a slot's frames */
    unsigned slot_count;
    struct slot *slots;
    struct stats_text text; /* the committer's */

    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* All under `lock`. */
    uint64_t next;      /* the piece that nobody has taken */
    uint64_t limit;     /* no piece from this one on is to be taken */
    uint64_t committed; /* pieces */
    bool committing;    /* somebody is at it */
    bool failed;        /* an output has */
    struct error error;
    double busy[RING_STAGES];
};

struct worker {
    struct run *run;
    struct frame_reader *reader;
    struct engine *engine;
    struct chunk chunk;
    struct share *share;
    double busy[RING_STAGES];
};

/* ---- where pieces lie */

static uint64_t first_of(const struct run *run, uint64_t index)
{
    const struct pieces_plan *plan = run->plan;
    uint64_t frame = index >= run->count ? plan->end : run->begin + index * plan->piece;

    if (run->pipeline->stats != NULL && frame < plan->end)
        frame = share_border(&run->pipeline->stats_setup, frame, plan->piece);
    return frame < plan->end ? frame : plan->end;
}

/* ---- in order */

static void fail(struct run *run, const struct error *error)
{
    run->failed = true;
    run->error = *error;
    run->limit = run->committed;
}

static int put_statistics(struct run *run, const struct slot *slot, struct error *error)
{
    struct pipeline *pipeline = run->pipeline;
    size_t used;

    if (pipeline->stats == NULL)
        return 0;
    if (share_take(pipeline->stats, &slot->share, &run->text) != 0)
        return error_system(error, "--stats", ENOMEM);
    used = run->text.used;
    run->text.used = 0;
    return used == 0 ? 0 : output_write(pipeline->stats_output, run->text.bytes, used, error);
}

/* What is left to do with a piece when all before it are done. */
static int commit(struct run *run, struct slot *slot, struct error *error)
{
    struct pipeline *pipeline = run->pipeline;
    struct sink *sink = pipeline->sink;

    if (sink != NULL && !run->plan->placed && slot->out_frames > 0 &&
        sink->class->write(sink, slot->out, slot->out_frames, true, error) != 0)
        return -1;
    if (sink != NULL) {
        sink->losses.clipped += slot->losses.clipped;
        sink->losses.nan += slot->losses.nan;
    }
    atomic_fetch_add(&pipeline->progress.in_frames, slot->piece.count);
    atomic_fetch_add(&pipeline->progress.out_frames, slot->out_frames);
    atomic_fetch_add(&pipeline->progress.chunks, 1);
    return put_statistics(run, slot, error);
}

/* Commits what is due. One at a time is at it; the others only leave their pieces. */
static void commit_due(struct run *run, struct worker *worker)
{
    pthread_mutex_lock(&run->lock);
    while (!run->committing && run->committed < run->limit &&
           run->slots[run->committed % run->slot_count].done) {
        struct slot *slot = &run->slots[run->committed % run->slot_count];
        struct error error;
        double from = clock_seconds();
        int result;

        run->committing = true;
        pthread_mutex_unlock(&run->lock);
        result = commit(run, slot, &error);
        worker->busy[RING_WRITER] += clock_seconds() - from;
        pthread_mutex_lock(&run->lock);
        run->committing = false;
        slot->done = false;
        if (result == 0)
            run->committed++;
        else
            fail(run, &error);
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- a worker */

/* Gives the piece up. */
static void give_up(struct run *run, uint64_t index)
{
    pthread_mutex_lock(&run->lock);
    if (index < run->limit)
        run->limit = index;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* The next piece, when there is a slot for it. False when there is none left. */
static bool take(struct run *run, uint64_t *index)
{
    bool taken;

    pthread_mutex_lock(&run->lock);
    while (run->next < run->limit && run->next >= run->committed + run->slot_count)
        pthread_cond_wait(&run->changed, &run->lock);
    taken = run->next < run->limit;
    if (taken)
        *index = run->next++;
    pthread_mutex_unlock(&run->lock);
    return taken;
}

static int worker_open(struct worker *worker, struct run *run)
{
    struct pipeline *pipeline = run->pipeline;
    const struct engine_class *class = pipeline->engine_class;
    struct engine_setup setup = pipeline->setup;
    struct machine machine = *pipeline->machine;
    struct error error;

    *worker = (struct worker){.run = run};
    setup.chunk_frames = run->plan->block;
    machine.threads = 1;
    machine.threads_given = true;
    if (class->open(&machine, &setup, run->begin, &worker->engine, &error) != 0 ||
        class->attach(worker->engine, &worker->chunk, &error) != 0 ||
        pipeline->source->class->reader(pipeline->source, &worker->reader, &error) != 0)
        return -1;
    if (pipeline->stats == NULL)
        return 0;
    worker->share = share_open(&pipeline->stats_setup, pipeline->skipped);
    return worker->share == NULL ? -1 : 0;
}

static void worker_close(struct worker *worker)
{
    struct run *run = worker->run;
    struct pipeline *pipeline = run->pipeline;

    share_close(worker->share);
    if (worker->reader != NULL) {
        pthread_mutex_lock(&run->lock);
        pipeline->source->input->bytes += worker->reader->bytes;
        for (int i = 0; i < RING_STAGES; i++)
            run->busy[i] += worker->busy[i];
        pthread_mutex_unlock(&run->lock);
        worker->reader->class->close(worker->reader);
    }
    if (worker->chunk.in != NULL)
        pipeline->engine_class->detach(worker->engine, &worker->chunk);
    if (worker->engine != NULL)
        pipeline->engine_class->close(worker->engine);
}

static void count_time(struct worker *worker, enum ring_stage stage, double *from)
{
    double to = clock_seconds();

    worker->busy[stage] += to - *from;
    *from = to;
}

static bool has_forbidden_nan(const struct engine_setup *setup, const struct chunk *chunk)
{
    size_t index;

    return setup->nan == NAN_ERROR && sample_type_has_nan(setup->sample) &&
           sample_find_nan(setup->sample, chunk->in, chunk->in_frames * setup->channels, &index);
}

/* The chunk's output frames to where they belong. */
static int put(struct worker *worker, struct slot *slot, struct error *error)
{
    struct run *run = worker->run;
    struct chunk *chunk = &worker->chunk;
    struct sink *sink = run->pipeline->sink;

    if (run->plan->placed && sink != NULL && chunk->out_frames > 0 &&
        sink->class->place(sink, slot->piece.output - run->first_output + slot->out_frames,
                           chunk->out, chunk->out_frames, &slot->losses, error) != 0)
        return -1;
    slot->out_frames += chunk->out_frames;
    return 0;
}

/* The frames at..at+count-1, which are all before the piece or all in it. */
static int do_block(struct worker *worker, struct slot *slot, uint64_t at, size_t count)
{
    const struct run *run = worker->run;
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_setup *setup = &pipeline->setup;
    const struct engine_class *class = pipeline->engine_class;
    struct chunk *chunk = &worker->chunk;
    bool is_halo = at < slot->piece.first;
    double from = clock_seconds();
    struct error error;

    chunk->in_frames =
        worker->reader->class->read(worker->reader, pipeline->skipped + at, chunk->in, count);
    count_time(worker, RING_READER, &from);
    if (chunk->in_frames < count || has_forbidden_nan(setup, chunk))
        return -1;
    chunk_place(chunk, setup, at);
    if (is_halo)
        chunk_mute(chunk);
    if (slot->out != NULL)
        chunk->out = slot->out + slot->out_frames * setup->emits.count * setup->channels;
    if (class->submit(worker->engine, chunk, &error) != 0 ||
        class->collect(worker->engine, chunk, &error) != 0)
        return -1;
    if (worker->share != NULL && !is_halo && share_add(worker->share, chunk->in, count) != 0)
        return -1;
    count_time(worker, RING_ENGINE, &from);
    if (put(worker, slot, &error) != 0)
        return -1;
    count_time(worker, RING_WRITER, &from);
    return 0;
}

static int do_piece(struct worker *worker, struct slot *slot, uint64_t index)
{
    const struct run *run = worker->run;
    const struct pipeline *pipeline = run->pipeline;
    uint64_t first = first_of(run, index);
    uint64_t end = first_of(run, index + 1);
    uint64_t at;

    slot->piece = piece_make(&pipeline->setup.window, first, end - first);
    slot->out_frames = 0;
    slot->losses = (struct sample_losses){0, 0};
    if (worker->share != NULL &&
        share_begin(worker->share, first, end - first, run->plan->piece, &slot->share) != 0)
        return -1;
    at = first - (pipeline->sink == NULL ? 0 : slot->piece.halo);
    pipeline->engine_class->restart(worker->engine, at);
    while (at < end) {
        uint64_t left = (at < first ? first : end) - at;
        size_t count = left < run->plan->block ? (size_t)left : run->plan->block;

        if (do_block(worker, slot, at, count) != 0)
            return -1;
        at += count;
    }
    return worker->reader->class->is_well(worker->reader) ? 0 : -1;
}

static void worker_main(void *context, unsigned number)
{
    struct run *run = context;
    struct worker worker;
    float *out = NULL;
    uint64_t index;

    (void)number;
    if (worker_open(&worker, run) == 0) {
        out = worker.chunk.out;
        while (take(run, &index)) {
            struct slot *slot = &run->slots[index % run->slot_count];

            if (do_piece(&worker, slot, index) == 0) {
                pthread_mutex_lock(&run->lock);
                slot->done = true;
                pthread_mutex_unlock(&run->lock);
                commit_due(run, &worker);
            } else {
                give_up(run, index);
            }
        }
        worker.chunk.out = out;
    }
    worker_close(&worker);
}

/* ---- the run */

static int run_open(struct run *run, struct pipeline *pipeline, const struct pieces_plan *plan)
{
    const struct engine_setup *setup = &pipeline->setup;

    *run = (struct run){.pipeline = pipeline, .plan = plan, .begin = plan->begin};
    run->first_output = piece_make(&setup->window, plan->begin, 0).output;
    run->count = (plan->end - plan->begin + plan->piece - 1) / plan->piece;
    run->limit = run->count;
    run->slot_count = (plan->placed ? 8 : 2) * plan->workers;
    run->slots = calloc(run->slot_count, sizeof *run->slots);
    if (run->slots == NULL)
        return -1;
    /* A border of the statistics may lie a little behind the end of an even piece. */
    run->out_bytes = plan->out_bytes;
    for (unsigned i = 0; run->out_bytes > 0 && i < run->slot_count; i++) {
        run->slots[i].out = pages_alloc(run->out_bytes);
        if (run->slots[i].out == NULL)
            return -1;
    }
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    return 0;
}

static void run_close(struct run *run)
{
    for (unsigned i = 0; run->slots != NULL && i < run->slot_count; i++) {
        pages_free(run->slots[i].out, run->out_bytes);
        share_free(&run->slots[i].share);
    }
    free(run->slots);
    stats_text_free(&run->text);
}

/* The pipeline goes on behind what is done. */
static int go_on(struct pipeline *pipeline, const struct run *run, struct error *error)
{
    const struct window *window = &pipeline->setup.window;
    uint64_t done = first_of(run, run->committed);
    uint64_t start = done - (pipeline->sink == NULL ? 0 : piece_make(window, done, 0).halo);

    if (done > pipeline->windows.from)
        pipeline->windows.from = done;
    if (done > pipeline->blocks.from)
        pipeline->blocks.from = done;
    pipeline->counted = done;
    pipeline->start = start;
    pipeline->brief = run->committed == run->count;
    if (run->plan->placed && pipeline->sink != NULL &&
        pipeline->sink->class->placed(pipeline->sink, atomic_load(&pipeline->progress.out_frames),
                                      error) != 0)
        return -1;
    return pipeline->source->class->go(pipeline->source, pipeline->skipped + start,
                                       run->committed < run->count, error);
}

int pieces_run(struct pipeline *pipeline, const struct pieces_plan *plan, struct error *error)
{
    struct run run;
    int result = 0;

    if (plan->placed && pipeline->sink != NULL &&
        pipeline->sink->class->reserve(pipeline->sink, plan->outputs, plan->workers, error) != 0)
        return -1;
    if (run_open(&run, pipeline, plan) != 0) {
        run_close(&run);
        pipeline->pieces.workers = 0; /* without pieces, then */
        pipeline->pieces.why = "memory is short";
        return 0;
    }
    crew_run(pipeline->machine->crew, plan->workers, worker_main, &run);
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    for (int i = 0; i < RING_STAGES; i++)
        pipeline->busy[i] += run.busy[i] / plan->workers;
    if (run.failed) {
        *error = run.error;
        result = -1;
    } else {
        result = go_on(pipeline, &run, error);
    }
    run_close(&run);
    return result;
}
