/* SPDX-License-Identifier: MIT */
/* The pool of workers: which piece each of them takes, the work on it, and results in order. */
#include "job/pieces_priv.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "base/thread.h"
#include "job/steps_priv.h"

/* A piece, from when a worker takes it until it is committed. */
struct piece_slot {
    struct piece piece;
    bool done;
    void *out;         /* its output frames, if they are written in order */
    struct sink *part; /* takes the output frames, if the sink has parts; otherwise NULL */
    size_t out_frames;
    struct sample_losses losses;
    struct share_result share;
};

struct pool {
    const struct pipeline *pipeline;
    struct pieces_plan plan;
    uint64_t first_output; /* the first output frame of the stream */
    struct piece_slot *slots;
    struct memory_text text; /* only for the worker that commits */

    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* All under `lock`. */
    uint64_t next;      /* the next piece to take */
    uint64_t limit;     /* no piece from this one on is taken */
    uint64_t committed; /* pieces */
    bool committing;    /* a worker is committing */
    bool failed;        /* an output has failed */
    struct error error;
    double busy[STAGES];
};

/* A worker, which is one thread. */
struct piece_worker {
    struct pool *pool;
    struct engine_setup setup;
    struct engine *engine;
    struct chunk chunk;
    void *out; /* the chunk's own output buffer, for which slots may stand in */
    struct frame_reader *reader;
    struct stats *share; /* NULL without statistics */
    double busy[STAGES]; /* for the pieces that are not handed over yet */
};

/* ---- taking pieces */

static struct piece_slot *pool_slot(const struct pool *pool, uint64_t index)
{
    return &pool->slots[index % pool->plan.slots];
}

/* Takes the next piece. Waits for its slot. False if there are none left. */
static bool pool_take(struct pool *pool, uint64_t *index)
{
    bool taken;

    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->limit && pool->next == pool->committed + pool->plan.slots)
        pthread_cond_wait(&pool->changed, &pool->lock);
    taken = pool->next < pool->limit;
    if (taken)
        *index = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

/* ---- results in order */

static void close_part(struct piece_slot *slot)
{
    if (slot->part != NULL)
        slot->part->class->close(slot->part);
    slot->part = NULL;
}

/* Commits a piece, after all pieces before it. */
static int commit(struct pool *pool, struct piece_slot *slot, struct error *error)
{
    const struct pipeline *pipeline = pool->pipeline;
    struct sink *sink = pipeline->sink;

    if (slot->part != NULL && sink->class->join(sink, slot->part, error) != 0)
        return -1;
    if (slot->out != NULL && slot->out_frames > 0 &&
        sink->class->write(sink, slot->out, slot->out_frames, NULL, true, error) != 0)
        return -1;
    if (sink != NULL) {
        close_part(slot);
        sink->losses.clipped += slot->losses.clipped;
        sink->losses.nan += slot->losses.nan;
    }
    atomic_fetch_add(&pipeline->progress->in_frames, slot->piece.count);
    atomic_fetch_add(&pipeline->progress->out_frames, slot->out_frames);
    atomic_fetch_add(&pipeline->progress->chunks, 1);
    if (pipeline->stats == NULL)
        return 0;
    if (share_take(pipeline->stats, &slot->share, &pool->text) != 0)
        return error_system(error, ERROR_RESOURCE, "--stats", ENOMEM);
    return pipeline_write_text(pipeline, &pool->text, error);
}

/* Commits the pieces that are due. One worker does so at a time; the others go on with their next
 * pieces. Call with the lock held. */
static void commit_due(struct pool *pool)
{
    while (!pool->committing && pool->committed < pool->limit &&
           pool_slot(pool, pool->committed)->done) {
        struct piece_slot *slot = pool_slot(pool, pool->committed);
        struct error error;
        double from = clock_seconds();
        int result;

        pool->committing = true;
        pthread_mutex_unlock(&pool->lock);
        result = commit(pool, slot, &error);
        pthread_mutex_lock(&pool->lock);
        pool->busy[STAGE_WRITER] += clock_seconds() - from;
        pool->committing = false;
        slot->done = false;
        if (result == 0) {
            pool->committed++;
        } else {
            pool->failed = true;
            pool->error = error;
            pool->limit = pool->committed;
        }
        /* There is a slot for one worker, or, after a fault, an end for all. */
        (result == 0 ? pthread_cond_signal : pthread_cond_broadcast)(&pool->changed);
    }
}

/* Call with the lock held. */
static void add_busy(struct pool *pool, struct piece_worker *worker)
{
    for (int i = 0; i < STAGES; i++) {
        pool->busy[i] += worker->busy[i];
        worker->busy[i] = 0;
    }
}

/* ---- the work on a piece */

/* Reads the next frames of the stream. */
static int read_chunk(struct piece_worker *worker, uint64_t at, size_t count)
{
    const struct pipeline *pipeline = worker->pool->pipeline;
    struct frame_reader *reader = worker->reader;
    struct chunk *chunk = &worker->chunk;
    double from = clock_seconds();
    struct error error;

    chunk->in_frames = reader->class->read(reader, pipeline->skipped + at, chunk->in, count);
    worker->busy[STAGE_READER] += clock_seconds() - from;
    return chunk->in_frames < count || input_is_ended(pipeline->source->input) ||
                   pipeline_look(pipeline, chunk->in, count, at, &error) < count || reader->failed
               ? -1
               : 0;
}

/* Computes the windows of a chunk of the piece, or of its halo. */
static int compute_chunk(struct piece_worker *worker, const struct piece_slot *slot, uint64_t at)
{
    const struct engine_class *class = worker->pool->pipeline->plan->engine_class;
    struct chunk *chunk = &worker->chunk;
    double from = clock_seconds();
    struct error error;

    chunk_place(chunk, &worker->setup, at);
    if (at < slot->piece.first)
        chunk_mute(chunk);
    if (slot->out != NULL)
        chunk->out =
            (unsigned char *)slot->out + slot->out_frames * engine_out_bytes(&worker->setup);
    if (class->submit(worker->engine, chunk, &error) != 0 ||
        class->collect(worker->engine, chunk, &error) != 0)
        return -1;
    worker->busy[STAGE_ENGINE] += clock_seconds() - from;
    return 0;
}

/* Delivers the results of a chunk. */
static int put_chunk(struct piece_worker *worker, struct piece_slot *slot)
{
    const struct pool *pool = worker->pool;
    const struct chunk *chunk = &worker->chunk;
    struct sink *sink = pool->pipeline->sink;
    double from = clock_seconds();
    struct error error;
    int failed = 0;

    if (worker->share != NULL) {
        if (share_add(worker->share, chunk->in, chunk->in_frames) != 0)
            return -1;
        worker->busy[STAGE_ENGINE] += clock_lap(&from);
    }
    if (slot->part != NULL)
        failed = slot->part->class->write(slot->part, chunk->out, chunk->out_frames, NULL, false,
                                          &error);
    else if (pool->plan.placed && sink != NULL && chunk->out_frames > 0)
        failed =
            sink->class->place(sink, slot->piece.output - pool->first_output + slot->out_frames,
                               chunk->out, chunk->out_frames, &slot->losses, &error);
    slot->out_frames += chunk->out_frames;
    worker->busy[STAGE_WRITER] += clock_seconds() - from;
    return failed;
}

/* Prepares a piece, whose frames end before `end`. */
static int begin_piece(const struct piece_worker *worker, struct piece_slot *slot, uint64_t end)
{
    const struct pool *pool = worker->pool;
    const struct pipeline *pipeline = pool->pipeline;
    const struct sink *sink = pipeline->sink;
    const uint64_t first = slot->piece.first;

    if (sink != NULL && sink->class->part != NULL) {
        slot->part = sink->class->part(sink, slot->piece.output - pool->first_output,
                                       (end - first) / worker->setup.window.hop + 1);
        if (slot->part == NULL)
            return -1;
    }
    return worker->share == NULL ? 0
                                 : share_begin(worker->share, pipeline->skipped + first,
                                               end - first, pool->plan.piece, &slot->share);
}

/* Returns -1 if the piece has to be given up. */
static int do_piece(struct piece_worker *worker, uint64_t index)
{
    const struct pool *pool = worker->pool;
    const struct pipeline *pipeline = pool->pipeline;
    const uint64_t first = pieces_first(pipeline, &pool->plan, index);
    const uint64_t end = pieces_first(pipeline, &pool->plan, index + 1);
    struct piece_slot *slot = pool_slot(pool, index);
    uint64_t at;
    size_t count;

    slot->piece = piece_make(&worker->setup.window, first, end - first);
    slot->out_frames = 0;
    slot->losses = (struct sample_losses){0, 0};
    at = first - (pipeline->sink == NULL ? 0 : slot->piece.halo);
    pipeline->plan->engine_class->restart(worker->engine, at);
    if (begin_piece(worker, slot, end) != 0)
        return -1;
    for (; at < end; at += count) {
        count = (size_t)min_u64((at < first ? first : end) - at, worker->setup.chunk_frames);
        if (read_chunk(worker, at, count) != 0 || compute_chunk(worker, slot, at) != 0 ||
            (at >= first && put_chunk(worker, slot) != 0))
            return -1;
    }
    pthread_mutex_lock(&worker->pool->lock);
    slot->done = true;
    add_busy(worker->pool, worker);
    commit_due(worker->pool);
    pthread_mutex_unlock(&worker->pool->lock);
    return 0;
}

/* ---- a worker */

static int worker_open(struct piece_worker *worker)
{
    const struct pipeline *pipeline = worker->pool->pipeline;
    const struct engine_class *class = pipeline->plan->engine_class;
    struct source *source = pipeline->source;
    struct machine machine = *pipeline->machine;
    struct error error;

    machine.threads_most = 1;
    if (class->open(&machine, &worker->setup, 0, &worker->engine, &error) != 0 ||
        class->attach(worker->engine, &worker->chunk, &error) != 0)
        return -1;
    worker->out = worker->chunk.out;
    if (source->class->reader(source, &worker->reader, &error) != 0)
        return -1;
    worker->share = pipeline->stats != NULL ? share_of(pipeline->stats) : NULL;
    return pipeline->stats != NULL && worker->share == NULL ? -1 : 0;
}

static void worker_close(struct piece_worker *worker)
{
    struct pool *pool = worker->pool;
    const struct engine_class *class = pool->pipeline->plan->engine_class;

    if (worker->reader != NULL) {
        pthread_mutex_lock(&pool->lock);
        pool->pipeline->source->input->bytes += worker->reader->bytes;
        add_busy(pool, worker);
        pthread_mutex_unlock(&pool->lock);
        worker->reader->class->close(worker->reader);
    }
    stats_close(worker->share);
    if (worker->engine == NULL)
        return;
    worker->chunk.out = worker->out;
    class->detach(worker->engine, &worker->chunk);
    class->close(worker->engine);
}

/* A thread that arrives after all pieces have been taken opens nothing. */
static void worker_main(void *context, unsigned number)
{
    struct pool *pool = context;
    struct piece_worker worker = {.pool = pool, .setup = pool->pipeline->plan->setup};
    uint64_t index;

    (void)number;
    worker.setup.chunk_frames = pool->plan.block;
    while (pool_take(pool, &index)) {
        if ((worker.engine == NULL && worker_open(&worker) != 0) || do_piece(&worker, index) != 0) {
            /* This piece and all later ones are given up: the stream goes on in order, and meets
             * the fault there. */
            pthread_mutex_lock(&pool->lock);
            pool->limit = min_u64(pool->limit, index);
            pthread_cond_broadcast(&pool->changed);
            pthread_mutex_unlock(&pool->lock);
            break;
        }
    }
    worker_close(&worker);
}

/* ---- the pool */

static void pool_close(struct pool *pool)
{
    for (unsigned i = 0; pool->slots != NULL && i < pool->plan.slots; i++) {
        pages_free(pool->slots[i].out, pool->plan.out_bytes);
        share_free(&pool->slots[i].share);
        close_part(&pool->slots[i]);
    }
    free(pool->slots);
    memory_text_free(&pool->text);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* Returns NULL if memory runs out. */
static struct pool *pool_open(const struct pipeline *pipeline, const struct pieces_plan *plan)
{
    const struct stream_plan *stream = pipeline->plan;
    const bool waits = !plan->placed && pipeline->sink->class->part == NULL;
    struct pool *pool = calloc(1, sizeof *pool);

    if (pool == NULL)
        return NULL;
    pool->pipeline = pipeline;
    pool->plan = *plan;
    pool->first_output = piece_make(&stream->setup.window, stream->extent.windows.from, 0).output;
    pool->limit = plan->cut.tasks;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->slots = calloc(plan->slots, sizeof *pool->slots);
    for (unsigned i = 0; pool->slots != NULL && waits && i < plan->slots; i++) {
        pool->slots[i].out = pages_alloc(plan->out_bytes);
        if (pool->slots[i].out == NULL)
            break;
    }
    if (pool->slots != NULL && (!waits || pool->slots[plan->slots - 1].out != NULL))
        return pool;
    pool_close(pool);
    return NULL;
}

int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan,
               struct run_result *result, uint64_t *done, struct error *error)
{
    struct sink *sink = pipeline->sink;
    struct pool *pool;
    int failed = 0;

    *done = plan->begin;
    /* As many threads as workers will write, except for those busy with other streams. */
    if (plan->placed && sink != NULL)
        sink->class->reserve(sink, plan->outputs,
                             (unsigned)max_u64(plan->workers / (1 + pipeline->beside), 1));
    pool = pool_open(pipeline, plan);
    if (pool == NULL) {
        result->why = "memory is short";
        return 0;
    }
    result->way = "pieces";
    result->workers = plan->workers;
    threads_run(pipeline->machine->threads, plan->workers, plan->workers, worker_main, pool);
    for (int i = 0; i < STAGES; i++)
        result->busy[i] += pool->busy[i] / plan->workers;
    *done = pieces_first(pipeline, plan, pool->committed);
    if (pool->failed)
        *error = pool->error;
    if (pool->failed ||
        (plan->placed && sink != NULL && sink->class->placed != NULL &&
         sink->class->placed(sink, atomic_load(&pipeline->progress->out_frames), error) != 0))
        failed = -1;
    pool_close(pool);
    return failed;
}
