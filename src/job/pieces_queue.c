/* Who takes which piece, and results in order. */
#include "job/pieces_pool_priv.h"

#include <errno.h>

#include "job/steps_priv.h"

/* ---- where pieces are */

static struct piece_slot *pool_slot(const struct pool *pool, uint64_t index)
{
    return &pool->slots[index % pool->plan.slots];
}

struct piece_slot *pool_begin(const struct pool *pool, uint64_t index)
{
    const struct pipeline *pipeline = pool->pipeline;
    uint64_t first = pieces_first(pipeline, &pool->plan, index);
    uint64_t end = pieces_first(pipeline, &pool->plan, index + 1);
    struct piece_slot *slot = pool_slot(pool, index);

    slot->piece = piece_make(&pipeline->plan->setup.window, first, end - first);
    slot->out_frames = 0;
    slot->losses = (struct sample_losses){0, 0};
    return slot;
}

/* ---- in order */

/* What remains to do for a piece once all before it are done. */
static int commit(struct pool *pool, struct piece_slot *slot, struct error *error)
{
    const struct pipeline *pipeline = pool->pipeline;
    struct sink *sink = pipeline->sink;

    if (sink != NULL && !pool->plan.placed && slot->out_frames > 0 &&
        sink->class->write(sink, slot->out, slot->out_frames, NULL, true, error) != 0)
        return -1;
    if (sink != NULL) {
        sink->losses.clipped += slot->losses.clipped;
        sink->losses.nan += slot->losses.nan;
    }
    atomic_fetch_add(&pipeline->progress->in_frames, slot->piece.count);
    atomic_fetch_add(&pipeline->progress->out_frames, slot->out_frames);
    atomic_fetch_add(&pipeline->progress->chunks, 1);
    if (pipeline->stats == NULL)
        return 0;
    if (share_take(pipeline->stats, &slot->share, &pool->text) != 0)
        return error_system(error, ERROR_STATS, NULL, ENOMEM);
    return pipeline_write_text(pipeline, &pool->text, error);
}

/* Commits the pieces that are due. One worker does so at a time; the others only leave their
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
        pthread_cond_broadcast(&pool->changed);
    }
}

/* ---- taking pieces */

bool pool_take(struct pool *pool, uint64_t *index)
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

void pool_hand_over(struct piece_worker *worker, uint64_t index)
{
    struct pool *pool = worker->pool;
    struct piece_slot *slot = pool_slot(pool, index);

    pthread_mutex_lock(&pool->lock);
    if (worker->device != NULL)
        worker->device->frames += slot->piece.count;
    slot->done = true;
    for (int i = 0; i < STAGES; i++) {
        pool->busy[i] += worker->busy[i];
        worker->busy[i] = 0;
    }
    commit_due(pool);
    pthread_mutex_unlock(&pool->lock);
}

void pool_give_up(struct pool *pool, uint64_t index)
{
    pthread_mutex_lock(&pool->lock);
    pool->limit = min_u64(pool->limit, index);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}
