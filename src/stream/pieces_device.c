/* The thread of a device: it starts the device beside the cores and then takes ranges of
 * neighbouring pieces.
 *
 * The stream's own data is touched only between device_enter() and device_leave() ("inside"), and
 * no engine call is made there. So an engine call that hangs blocks no other thread: after a while
 * the device counts as hung, other workers do its pieces, and it can no longer enter. Its buffers
 * stay allocated, because it may still write to them. */
#include "stream/pieces_run.h"

#include "base/thread.h"

static void fail(struct device *device, enum device_state state, const struct error *error)
{
    struct run *run = device->worker.run;

    pthread_mutex_lock(&run->lock);
    if (!run->over && device->account.state != DEVICE_HUNG) {
        device->account.error = *error;
        device_end_work(device, state);
        if (run->request.alone && !run->failed) {
            run->failed = true;
            run->error = *error;
            run->limit = run->committed;
        }
    }
    pthread_mutex_unlock(&run->lock);
}

/* False if the stream has ended already. */
static bool join(struct device *device)
{
    struct run *run = device->worker.run;
    struct source *source;
    struct error error;
    bool joined;

    pthread_mutex_lock(&run->lock);
    keep_note(run->keep, device->account.number, KEEP_WARM);
    joined = !run->over;
    device->inside = joined;
    pthread_mutex_unlock(&run->lock);
    if (!joined)
        return false;
    source = run->pipeline->source;
    joined = source->class->reader(source, &device->worker.reader, &error) == 0;
    pthread_mutex_lock(&run->lock);
    if (joined) {
        device->account.state = DEVICE_AT_WORK;
        device->account.joined = run_now(run);
        device->account.joined_at = run->done;
        device->worker.class->describe(device->worker.engine, device->account.words,
                                       sizeof device->account.words);
    }
    pthread_mutex_unlock(&run->lock);
    device_leave(device);
    if (!joined)
        fail(device, DEVICE_NEVER, &error);
    return joined;
}

/* `context` is the device. The thread holds a reference to the run. */
static void *device_main(void *context)
{
    struct device *device = context;
    struct run *run = device->worker.run;
    struct error error = {.status = STATUS_FAILED};

    if (worker_open(&device->worker, &error) != 0) {
        keep_note(run->keep, device->account.number,
                  error.status == STATUS_NO_DEVICE ? KEEP_DEAD : device->found);
        fail(device, DEVICE_NEVER, &error);
    } else if (join(device)) {
        while (run_take_range(device)) {
            if (worker_do(&device->worker, 0, &error) != 0) {
                keep_note(run->keep, device->account.number, KEEP_DEAD);
                fail(device, DEVICE_FAILED, &error);
                break;
            }
        }
    }
    worker_close(&device->worker);
    run_drop(run);
    return NULL;
}

void devices_start(struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];
        int number;

        device->account.began = run_now(run);
        device->account.began_at = run->done;
        device->account.state = DEVICE_STARTING;
        run->holders++;
        number = thread_start_alone(device_main, device);
        if (number != 0) {
            run->holders--;
            device->account.state = DEVICE_NEVER;
            keep_note(run->keep, device->account.number, device->found);
            thread_error(&device->account.error, number);
        }
    }
}
