#include "stream/pieces_run.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pages.h"

/* ---- where pieces are */

uint64_t run_first_of(const struct run *run, uint64_t index)
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
    const struct pipeline *pipeline = run->pipeline;

    if (pipeline->stats == NULL)
        return 0;
    if (share_take(pipeline->stats, &slot->share, &run->text) != 0)
        return error_system(error, ERROR_STATS, NULL, ENOMEM);
    return pipeline_write_text(pipeline, &run->text, error);
}

/* What remains to do for a piece once all before it are done. */
static int commit(struct run *run, struct slot *slot, struct error *error)
{
    const struct pipeline *pipeline = run->pipeline;
    struct sink *sink = pipeline->sink;
    size_t frames = slot->out_frames - run->written;

    if (sink != NULL && !run->plan->placed && frames > 0 &&
        sink->class->write(sink, slot_frame(run, slot, run->written), frames, true, error) != 0)
        return -1;
    if (sink != NULL) {
        sink->losses.clipped += slot->losses.clipped;
        sink->losses.nan += slot->losses.nan;
    }
    atomic_fetch_add(&pipeline->progress->in_frames, slot->piece.count);
    atomic_fetch_add(&pipeline->progress->out_frames, frames);
    atomic_fetch_add(&pipeline->progress->chunks, 1);
    return put_statistics(run, slot, error);
}

/* One worker commits at a time; the others only leave their pieces. */
void run_commit_due(struct run *run, double *busy)
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
        *busy += clock_seconds() - from;
        pthread_mutex_lock(&run->lock);
        run->committing = false;
        slot->done = false;
        if (result == 0)
            run->committed++;
        else
            fail(run, &error);
        run->written = 0;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
}

bool run_write_through(struct run *run, uint64_t index, const struct slot *slot,
                       const struct chunk *chunk)
{
    const struct pipeline *pipeline = run->pipeline;
    struct sink *sink = pipeline->sink;
    struct error error;
    bool due;
    int result;

    if (sink->output->pipe)
        return false; /* a pipe takes the waiting pages without a copy */
    pthread_mutex_lock(&run->lock);
    due = !run->committing && index == run->committed && index < run->limit &&
          slot->out_frames == run->written && chunk->out_frames > 0;
    run->committing = run->committing || due;
    pthread_mutex_unlock(&run->lock);
    if (!due)
        return false;
    result = sink->class->write(sink, chunk->out, chunk->out_frames, chunk->out_is_ours, &error);
    pthread_mutex_lock(&run->lock);
    run->committing = false;
    if (result == 0) {
        run->written += chunk->out_frames;
        run->written_to = chunk->stream_frames;
        atomic_fetch_add(&pipeline->progress->out_frames, chunk->out_frames);
    } else {
        fail(run, &error);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return true;
}

/* ---- taking pieces */

void run_hand_over(struct run *run, struct slot *slot, const double busy[RING_STAGES])
{
    pthread_mutex_lock(&run->lock);
    slot->done = true;
    run->done += slot->piece.count;
    for (int i = 0; i < RING_STAGES; i++)
        run->busy[i] += busy[i];
    devices_check(run);
    pthread_mutex_unlock(&run->lock);
}

void run_give_up(struct run *run, uint64_t index)
{
    pthread_mutex_lock(&run->lock);
    if (index < run->limit)
        run->limit = index;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* With the lock held. */
static bool take_now(struct run *run, uint64_t *index)
{
    if (devices_give_back(run, index))
        return true;
    if (run->next < run->limit && run->next < run->committed + run->slot_count) {
        *index = run->next++;
        return true;
    }
    return devices_share(run, index);
}

bool run_come(struct run *run)
{
    bool more;

    pthread_mutex_lock(&run->lock);
    more = run_has_more(run);
    run->cores += more;
    pthread_mutex_unlock(&run->lock);
    return more;
}

bool run_take(struct run *run, uint64_t *index)
{
    bool taken;

    pthread_mutex_lock(&run->lock);
    devices_lend(run);
    taken = take_now(run, index);
    while (!taken && run_has_more(run)) {
        devices_wait_for_change(run);
        taken = take_now(run, index);
    }
    pthread_mutex_unlock(&run->lock);
    return taken;
}

/* ---- the end */

void run_drop(struct run *run)
{
    bool last;

    pthread_mutex_lock(&run->lock);
    last = --run->holders == 0;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    if (!last)
        return;
    for (unsigned i = 0; run->slots != NULL && i < run->slot_count; i++) {
        pages_free(run->slots[i].out, run->out_bytes);
        share_free(&run->slots[i].share);
    }
    free(run->slots);
    keep_drop(run->keep);
    stats_text_free(&run->text);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
    free(run);
}

/* ---- shared by workers of both kinds */

int run_put(struct run *run, struct slot *slot, const struct chunk *chunk, struct error *error)
{
    struct sink *sink = run->pipeline->sink;

    if (run->plan->placed && sink != NULL && chunk->out_frames > 0 &&
        sink->class->place(sink, slot->piece.output - run->first_output + slot->out_frames,
                           chunk->out, chunk->out_frames, &slot->losses, error) != 0)
        return -1;
    slot->out_frames += chunk->out_frames;
    return 0;
}
