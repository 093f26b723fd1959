/* Who takes which piece, and results in order; and what devices may do meanwhile.
 *
 * A device beside the cores is checked once, half a second after it has joined: it retires if the
 * rate has not risen. If no CPU is idle, one worker sleeps so that the device has its CPU: a
 * start, or a copy to the device, that shares a CPU with a worker slows down both. */
#include "stream/pieces_run.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/pages.h"

/* Seconds from joining to the check. */
static const double CHECK_AFTER = 0.5;

/* ---- where pieces are */

uint64_t run_first_of(const struct run *run, uint64_t index)
{
    const struct pieces_plan *plan = &run->plan;
    uint64_t frame = index >= run->count ? plan->end : plan->begin + index * plan->piece;

    if (run->pipeline->stats != NULL && frame < plan->end)
        frame = share_border(run->pipeline->stats, frame, plan->piece);
    return frame < plan->end ? frame : plan->end;
}

static struct slot *run_slot(const struct run *run, uint64_t index)
{
    return &run->slots[index % run->plan.slots];
}

struct slot *run_begin(const struct run *run, uint64_t index)
{
    uint64_t first = run_first_of(run, index);
    struct slot *slot = run_slot(run, index);

    slot->piece =
        piece_make(&run->pipeline->plan->setup.window, first, run_first_of(run, index + 1) - first);
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

/* ---- devices, with the lock held */

void device_end_work(struct device *device, enum device_state state)
{
    struct run *run = device->worker.run;

    device->account.state = state;
    device->account.left = run_mark(run);
    pthread_cond_broadcast(&run->changed);
}

/* True if there is a piece to take, or a device may return one. */
static bool has_more(const struct run *run)
{
    bool more = run->next < run->limit;

    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        more = more || (device_is_at_work(device) && device->held < least(device->end, run->limit));
    }
    return more;
}

/* Retires a device beside the cores that has not raised the rate in time. */
static void check_rate(struct run *run)
{
    struct device *device = &run->devices[0];
    double seconds = run_now(run) - device->account.joined.seconds;

    if (!device_is_at_work(device) || device->checked || seconds < CHECK_AFTER)
        return;
    device->checked = true;
    device->retires =
        (double)(run->done - device->account.joined.frames) / seconds < run->rate_alone;
    pthread_cond_broadcast(&run->changed);
}

/* Counts the device at work as hung if its unfinished pieces hold up the run and it has been silent
 * for too long. Inside, it is busy with the stream itself. */
static void find_hung(struct run *run)
{
    struct device *device = &run->devices[0];
    double silent = run_now(run) - device->last_alive;
    char name[ERROR_DEVICE_NAME];

    if (device->inside || device->held >= device->next) {
        device->last_alive = run_now(run);
    } else if (silent >= run->request.estimate.patience) {
        device_end_work(device, DEVICE_HUNG);
        keep_note(run->keep, device->account.number, KEEP_DEAD);
        error_set(&device->account.error, ERROR_RESOURCE,
                  error_device(name, device->account.number), "no sign of life for %.1f seconds",
                  silent);
    }
}

/* Waits for a change in the run, and then looks whether the device at work hangs. */
static void wait_until(struct run *run, double seconds)
{
    double clock = run->started + seconds;
    struct timespec until = {.tv_sec = (time_t)clock};

    until.tv_nsec = (long)((clock - (double)until.tv_sec) * 1e9);
    (void)pthread_cond_timedwait(&run->changed, &run->lock, &until);
    if (device_is_at_work(&run->devices[0]))
        find_hung(run);
}

/* The time until which it has a worker's CPU, in seconds of the run; 0: it needs none. */
static double lent_until(const struct device *device)
{
    if (device->account.state == DEVICE_STARTING)
        return device->lent_until;
    if (device_is_at_work(device) && !device->retires)
        return device->last_alive + device->worker.run->request.estimate.patience;
    return 0;
}

/* Lends the CPU of the calling core to a device that needs one, and sleeps meanwhile. */
static void lend(struct run *run)
{
    const struct device *device = &run->devices[0];

    if (!run->lends || run->is_lent)
        return;
    run->is_lent = true;
    while (has_more(run) && run_now(run) < lent_until(device))
        wait_until(run, lent_until(device));
    run->is_lent = false;
}

/* ---- taking pieces */

void run_hand_over(struct worker *worker, uint64_t index)
{
    struct run *run = worker->run;
    struct slot *slot = run_slot(run, index);

    pthread_mutex_lock(&run->lock);
    if (worker->device != NULL) {
        worker->device->held = index + 1;
        worker->device->account.frames += slot->piece.count;
    }
    slot->done = true;
    run->done += slot->piece.count;
    for (int i = 0; i < STAGES; i++) {
        run->busy[i] += worker->busy[i];
        worker->busy[i] = 0;
    }
    check_rate(run);
    commit_due(run);
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

/* One that the device beside the cores left unfinished, one that is free, or one that the device
 * has not started: from the end of its range, so that it continues without a gap. With the lock
 * held. */
static bool take_now(struct run *run, uint64_t *index)
{
    struct device *device = &run->devices[0];

    if (!device_is_at_work(device) && device->held < least(device->end, run->limit)) {
        *index = device->held++;
        return true;
    }
    if (run->next < run->limit && run->next < run->committed + run->plan.slots) {
        *index = run->next++;
        return true;
    }
    while (device_is_at_work(device) && device->next < device->end) {
        *index = --device->end;
        if (*index < run->limit)
            return true;
    }
    return false;
}

bool run_come(struct run *run)
{
    bool more;

    pthread_mutex_lock(&run->lock);
    more = has_more(run);
    run->cores += more;
    pthread_mutex_unlock(&run->lock);
    return more;
}

bool run_take(struct run *run, uint64_t *index)
{
    const struct device *device = &run->devices[0];
    bool taken;

    pthread_mutex_lock(&run->lock);
    lend(run);
    while (!(taken = take_now(run, index)) && has_more(run)) {
        if (device_is_at_work(device))
            wait_until(run, device->last_alive + run->request.estimate.patience);
        else
            pthread_cond_wait(&run->changed, &run->lock);
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

/* ---- devices, without the lock */

bool worker_enter(struct worker *worker)
{
    struct run *run = worker->run;
    struct device *device = worker->device;

    if (device == NULL)
        return true;
    pthread_mutex_lock(&run->lock);
    device->inside = !run->over && device_is_at_work(device);
    device->last_alive = run_now(run);
    pthread_mutex_unlock(&run->lock);
    return device->inside;
}

void worker_leave(struct worker *worker)
{
    struct run *run = worker->run;

    if (worker->device == NULL)
        return;
    pthread_mutex_lock(&run->lock);
    worker->device->inside = false;
    worker->device->last_alive = run_now(run);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

void devices_leave(struct run *run, struct device_account accounts[DEVICES_MOST])
{
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; run->request.alone && i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        while (device->account.state == DEVICE_STARTING ||
               (device_is_at_work(device) && has_more(run)))
            pthread_cond_wait(&run->changed, &run->lock);
    }
    run->over = true;
    pthread_cond_broadcast(&run->changed);
    /* The rest of the stream needs the memory of a device that works alone. */
    while (run->request.alone && run->holders > 1)
        pthread_cond_wait(&run->changed, &run->lock);
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        while (device->inside)
            pthread_cond_wait(&run->changed, &run->lock);
        if (device->worker.reader != NULL) {
            run->pipeline->source->input->bytes += device->worker.reader->bytes;
            device->worker.reader->class->close(device->worker.reader);
        }
        if (device->account.state == DEVICE_STARTING)
            device->account.left = run_mark(run);
        accounts[i] = device->account;
    }
    if (run->has_place && run->request.places != NULL)
        sem_post(run->request.places);
    pthread_mutex_unlock(&run->lock);
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
