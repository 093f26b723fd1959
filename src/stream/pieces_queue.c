#include "stream/pieces_run.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pages.h"

/* ---- where pieces are */

uint64_t run_first_of(const struct run *run, uint64_t index)
{
    const struct pieces_plan *plan = &run->plan;
    uint64_t frame = index >= run->count ? plan->end : plan->begin + index * plan->piece;

    if (run->pipeline->stats != NULL && frame < plan->end)
        frame = share_border(&run->pipeline->stats_setup, frame, plan->piece);
    return frame < plan->end ? frame : plan->end;
}

struct slot *run_slot(const struct run *run, uint64_t index)
{
    return &run->slots[index % run->plan.slots];
}

struct slot *run_begin(const struct run *run, uint64_t index)
{
    uint64_t first = run_first_of(run, index);
    struct slot *slot = run_slot(run, index);

    slot->piece =
        piece_make(&run->pipeline->plan.setup.window, first, run_first_of(run, index + 1) - first);
    slot->out_frames = 0;
    slot->losses = (struct sample_losses){0, 0};
    return slot;
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
    return put_statistics(run, slot, error);
}

/* One worker commits at a time; the others only leave their pieces. */
void run_commit_due(struct run *run, double *busy)
{
    pthread_mutex_lock(&run->lock);
    while (!run->committing && run->committed < run->limit && run_slot(run, run->committed)->done) {
        struct slot *slot = run_slot(run, run->committed);
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
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- taking pieces */

void run_hand_over(struct run *run, struct slot *slot, double busy[RING_STAGES])
{
    pthread_mutex_lock(&run->lock);
    slot->done = true;
    run->done += slot->piece.count;
    for (int i = 0; i < RING_STAGES; i++) {
        run->busy[i] += busy[i];
        busy[i] = 0;
    }
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
    if (run->next < run->limit && run->next < run->committed + run->plan.slots) {
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

/* ---- taking ranges */

/* The number of pieces that a device may take now: fewer towards the end, so that all workers
 * finish at about the same time. Call with the lock held. */
static uint64_t count_free(const struct run *run)
{
    uint64_t room = run->committed + run->plan.slots - run->next;

    return run->next < run->limit
               ? least(least(room, DEVICE_PIECES), (run->limit - run->next) / 4 + 1)
               : 0;
}

bool run_take_range(struct device *device)
{
    struct run *run = device->worker.run;
    uint64_t count = 0;

    pthread_mutex_lock(&run->lock);
    while (!run->over && device_is_at_work(device) && !device->retires && run->next < run->limit) {
        count = count_free(run);
        if (count > 0)
            break;
        pthread_cond_wait(&run->changed, &run->lock);
    }
    /* A hung device keeps its range: cores may still have to take over its pieces. */
    if (count > 0) {
        device->held = device->next = run->next;
        run->next += count;
        device->end = run->next;
    } else if (device->retires && !run->over && device_is_at_work(device)) {
        device_end_work(device, DEVICE_RETIRED);
    }
    pthread_mutex_unlock(&run->lock);
    return count > 0;
}

bool run_next_of_range(struct device *device, uint64_t *index)
{
    struct run *run = device->worker.run;
    bool more;

    pthread_mutex_lock(&run->lock);
    if (device->next == device->end && device->end == run->next && !device->retires) {
        run->next += count_free(run);
        device->end = run->next;
    }
    more = device->next < device->end && device->next < run->limit;
    if (more)
        *index = device->next++;
    pthread_mutex_unlock(&run->lock);
    return more;
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
    for (unsigned i = 0; run->slots != NULL && i < run->plan.slots; i++) {
        pages_free(run->slots[i].out, run->plan.out_bytes);
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

    if (run->plan.placed && sink != NULL && chunk->out_frames > 0 &&
        sink->class->place(sink, slot->piece.output - run->first_output + slot->out_frames,
                           chunk->out, chunk->out_frames, &slot->losses, error) != 0)
        return -1;
    slot->out_frames += chunk->out_frames;
    return 0;
}
