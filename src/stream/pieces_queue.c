/* Who takes which piece, and results in order. */
#include "stream/pieces_run.h"

#include <errno.h>

/* ---- where pieces are */

static struct slot *run_slot(const struct run *run, uint64_t index)
{
    return &run->slots[index % run->plan.slots];
}

struct slot *run_begin(const struct run *run, uint64_t index)
{
    const struct pipeline *pipeline = run->pipeline;
    uint64_t first = pieces_first(pipeline, &run->plan, index);
    uint64_t end = pieces_first(pipeline, &run->plan, index + 1);
    struct slot *slot = run_slot(run, index);

    slot->piece = piece_make(&pipeline->plan->setup.window, first, end - first);
    slot->out_frames = 0;
    slot->losses = (struct sample_losses){0, 0};
    return slot;
}

/* ---- in order */

/* What remains to do for a piece once all before it are done. */
static int commit(struct run *run, struct slot *slot, struct error *error)
{
    const struct pipeline *pipeline = run->pipeline;
    struct sink *sink = pipeline->sink;

    if (sink != NULL && !run->plan.placed && slot->out_frames > 0 &&
        sink->class->write(sink, slot->out, slot->out_frames, true, error) != 0)
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
    if (share_take(pipeline->stats, &slot->share, &run->text) != 0)
        return error_system(error, ERROR_STATS, NULL, ENOMEM);
    return pipeline_write_text(pipeline, &run->text, error);
}

/* Commits the pieces that are due. One worker does so at a time; the others only leave their
 * pieces. Call with the lock held. */
static void commit_due(struct run *run)
{
    while (!run->committing && run->committed < run->limit && run_slot(run, run->committed)->done) {
        struct slot *slot = run_slot(run, run->committed);
        struct error error;
        double from = clock_seconds();
        int result;

        run->committing = true;
        pthread_mutex_unlock(&run->lock);
        result = commit(run, slot, &error);
        pthread_mutex_lock(&run->lock);
        run->busy[STAGE_WRITER] += clock_seconds() - from;
        run->committing = false;
        slot->done = false;
        if (result == 0) {
            run->committed++;
        } else {
            run->failed = true;
            run->error = error;
            run->limit = run->committed;
        }
        pthread_cond_broadcast(&run->changed);
    }
}

/* ---- taking pieces */

bool run_has_more(struct run *run)
{
    bool more;

    pthread_mutex_lock(&run->lock);
    more = run->next < run->limit;
    pthread_mutex_unlock(&run->lock);
    return more;
}

/* The number of pieces that a worker may take now. A device takes fewer towards the end, so that
 * several finish at about the same time. Call with the lock held. */
static uint64_t count_free(const struct worker *worker)
{
    const struct run *run = worker->run;
    uint64_t capacity = run->committed + run->plan.slots - run->next;

    if (run->next >= run->limit)
        return 0;
    return worker->device == NULL
               ? least(capacity, 1)
               : least(least(capacity, DEVICE_PIECES), (run->limit - run->next) / 4 + 1);
}

bool run_take(struct worker *worker)
{
    struct run *run = worker->run;
    uint64_t count = 0;

    pthread_mutex_lock(&run->lock);
    while (run->next < run->limit && (count = count_free(worker)) == 0)
        pthread_cond_wait(&run->changed, &run->lock);
    worker->next = run->next;
    run->next += count;
    worker->end = run->next;
    pthread_mutex_unlock(&run->lock);
    return count > 0;
}

bool run_next(struct worker *worker, uint64_t *index)
{
    struct run *run = worker->run;
    bool more;

    pthread_mutex_lock(&run->lock);
    if (worker->device != NULL && worker->next == worker->end && worker->end == run->next) {
        run->next += count_free(worker);
        worker->end = run->next;
    }
    more = worker->next < worker->end && worker->next < run->limit;
    if (more)
        *index = worker->next++;
    pthread_mutex_unlock(&run->lock);
    return more;
}

void run_hand_over(struct worker *worker, uint64_t index)
{
    struct run *run = worker->run;
    struct slot *slot = run_slot(run, index);

    pthread_mutex_lock(&run->lock);
    if (worker->device != NULL)
        worker->device->frames += slot->piece.count;
    slot->done = true;
    run->done += slot->piece.count;
    for (int i = 0; i < STAGES; i++) {
        run->busy[i] += worker->busy[i];
        worker->busy[i] = 0;
    }
    commit_due(run);
    pthread_mutex_unlock(&run->lock);
}

void run_give_up(struct run *run, uint64_t index)
{
    pthread_mutex_lock(&run->lock);
    run->limit = least(run->limit, index);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* ---- devices that fail */

struct run_mark run_mark(struct run *run)
{
    struct run_mark mark = {.seconds = clock_seconds() - run->started};

    pthread_mutex_lock(&run->lock);
    mark.frames = run->done;
    pthread_mutex_unlock(&run->lock);
    return mark;
}

void run_fail_device(struct worker *worker, enum device_state state, const struct error *error)
{
    struct run *run = worker->run;

    worker->device->left = run_mark(run);
    worker->device->state = state;
    worker->device->error = *error;
    pthread_mutex_lock(&run->lock);
    if (!run->pipeline->devices.by_name) {
        run->device_failed = true;
    } else if (!run->failed) {
        run->failed = true;
        run->error = *error;
    }
    run->limit = run->committed;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

void run_free_rest(struct run *run)
{
    for (unsigned i = 0; i < run->plan.slots; i++) {
        struct slot *slot = &run->slots[i];

        /* There is one device: only those requested by name may be several. */
        if (slot->done)
            run->account->devices[0].frames -= slot->piece.count;
        slot->done = false;
    }
    run->next = run->committed;
    run->limit = run->plan.count;
}
