/* A device beside the cores is checked once, half a second after it has joined: it retires if the
 * rate has not risen. If no CPU is idle, one worker sleeps so that the device has its CPU: a
 * start, or a copy to the device, that shares a CPU with a worker slows down both. */
#include "stream/pieces_run.h"

#include <time.h>

/* Seconds from joining to the check. */
static const double CHECK_AFTER = 0.5;

/* ---- with the lock held */

static bool devices_hold(const struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        if (device_is_at_work(device) && device->held < least(device->end, run->limit))
            return true;
    }
    return false;
}

bool run_has_more(const struct run *run)
{
    return run->next < run->limit || devices_hold(run);
}

bool devices_give_back(struct run *run, uint64_t *index)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        if (!device_is_at_work(device) && device->held < least(device->end, run->limit)) {
            *index = device->held++;
            return true;
        }
    }
    return false;
}

/* Takes from the end of its range, so that the device continues without a gap. */
bool devices_share(struct run *run, uint64_t *index)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        while (device_is_at_work(device) && device->next < device->end) {
            *index = --device->end;
            if (*index < run->limit)
                return true;
        }
    }
    return false;
}

void device_end_work(struct device *device, enum device_state state)
{
    struct run *run = device->worker.run;

    device->account.state = state;
    device->account.left = run_now(run);
    device->account.left_at = run->done;
    pthread_cond_broadcast(&run->changed);
}

/* ---- at work */

static bool is_beside_cores(const struct run *run)
{
    return run->request.count > 0 && !run->request.alone;
}

void devices_check(struct run *run)
{
    struct device *device = &run->devices[0];
    double seconds = run_now(run) - device->account.joined;

    if (!is_beside_cores(run) || !device_is_at_work(device) || device->checked ||
        seconds < CHECK_AFTER)
        return;
    device->checked = true;
    device->retires = (double)(run->done - device->account.joined_at) / seconds < run->rate_alone;
    pthread_cond_broadcast(&run->changed);
}

/* True if its unfinished pieces hold up the run. Inside, it is busy with the stream itself. */
static bool is_waited_for(const struct device *device)
{
    return device_is_at_work(device) && !device->inside && device->held < device->next;
}

static void find_hung(struct run *run)
{
    struct device *device = &run->devices[0];
    double silent = run_now(run) - device->last_alive;
    char name[ERROR_DEVICE_NAME];

    if (!is_waited_for(device)) {
        device->last_alive = run_now(run);
    } else if (silent >= run->request.estimate.patience) {
        device_end_work(device, DEVICE_HUNG);
        keep_note(run->keep, device->account.number, KEEP_DEAD);
        error_set(&device->account.error, ERROR_RESOURCE,
                  error_device(name, device->account.number), "no sign of life for %.1f seconds",
                  silent);
    }
}

/* Waits for a change in the run, and checks whether the device at work has been silent for too
 * long. */
static void wait_until(struct run *run, double seconds)
{
    double clock = run->started + seconds;
    struct timespec until = {.tv_sec = (time_t)clock};

    until.tv_nsec = (long)((clock - (double)until.tv_sec) * 1e9);
    (void)pthread_cond_timedwait(&run->changed, &run->lock, &until);
    if (device_is_at_work(&run->devices[0]))
        find_hung(run);
}

void devices_wait_for_change(struct run *run)
{
    const struct device *device = &run->devices[0];

    if (is_beside_cores(run) && device_is_at_work(device))
        wait_until(run, device->last_alive + run->request.estimate.patience);
    else
        pthread_cond_wait(&run->changed, &run->lock);
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

void devices_lend(struct run *run)
{
    const struct device *device = &run->devices[0];

    if (!is_beside_cores(run) || !run->lends || run->is_lent)
        return;
    run->is_lent = true;
    while (run_has_more(run) && run_now(run) < lent_until(device))
        wait_until(run, lent_until(device));
    run->is_lent = false;
}

/* ---- without the lock */

bool device_enter(struct device *device)
{
    struct run *run = device->worker.run;

    pthread_mutex_lock(&run->lock);
    device->inside = !run->over && device_is_at_work(device);
    device->last_alive = run_now(run);
    pthread_mutex_unlock(&run->lock);
    return device->inside;
}

void device_leave(struct device *device)
{
    struct run *run = device->worker.run;

    pthread_mutex_lock(&run->lock);
    device->inside = false;
    device->last_alive = run_now(run);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

void devices_wait(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        while (device->account.state == DEVICE_STARTING ||
               (device_is_at_work(device) && run_has_more(run)))
            pthread_cond_wait(&run->changed, &run->lock);
    }
    pthread_mutex_unlock(&run->lock);
}

void devices_leave(struct run *run, struct device_account accounts[DEVICES_MOST])
{
    pthread_mutex_lock(&run->lock);
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
            run_count_read(run, device->worker.reader);
            device->worker.reader->class->close(device->worker.reader);
        }
        if (device->account.state == DEVICE_STARTING) {
            device->account.left = run_now(run);
            device->account.left_at = run->done;
        }
        accounts[i] = device->account;
    }
    if (run->has_place && run->request.places != NULL)
        sem_post(run->request.places);
    pthread_mutex_unlock(&run->lock);
}
