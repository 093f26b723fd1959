/* Whether and when a device starts, and its thread, which starts it beside the cores and then takes
 * ranges of neighbouring pieces.
 *
 * The stream's own data is touched only between worker_enter() and worker_leave() ("inside"), and
 * no engine call is made there. So an engine call that hangs blocks no other thread: after a while
 * the device counts as hung, other workers do its pieces, and it can no longer enter. Its buffers
 * stay allocated, because it may still write to them. */
#include "stream/devices.h"

#include <math.h>

#include "base/thread.h"
#include "stream/pieces_run.h"

/* The expected time must be less than this part of the time of the cores alone. */
static const double MARGIN = 0.85;

/* Starts may take longer than estimated, and the rate of the first pieces is uncertain. */
static const double START_FACTOR = 1.5;

/* Bytes. One core reads and filters so much before other threads have woken up. */
static const uint64_t INPUT_LEAST = UINT64_C(1) << 20;

static const uint64_t HELPED_LEAST = UINT64_C(16) << 20;

/* A worker lends its CPU to a start for this many times the expected seconds. A warm start is so
 * short that it can take many times as long on a busy machine. */
static const double STARTS_LENT = 3;
static const double LENT_LEAST = 0.1;

bool devices_may_help(uint64_t bytes)
{
    return bytes >= HELPED_LEAST;
}

bool devices_input_is_small(const struct engine_setup *setup, uint64_t frames)
{
    return frames < INPUT_LEAST / engine_in_bytes(setup);
}

/* Frames per second. The limit is the CPU that feeds the device, or the bus. */
static double device_rate(const struct engine_estimate *estimate,
                          const struct device_outlook *outlook)
{
    double feed = fmax(outlook->reading, estimate->feed * outlook->in_bytes) + outlook->writing +
                  estimate->copy * outlook->copied;
    double bus = fmax(outlook->in_bytes, outlook->out_bytes) / estimate->bus;

    return 1 / fmax(feed, bus);
}

bool device_pays(const struct engine_estimate *estimate, const struct device_outlook *outlook)
{
    double start = START_FACTOR * estimate->start;
    double alone = outlook->workers / outlook->cost;
    double beside = outlook->lends ? (outlook->workers - 1) / outlook->cost : alone;
    double left = fmax(0, outlook->left - beside * start);
    double seconds = start + left / (beside + device_rate(estimate, outlook));

    return seconds < MARGIN * outlook->left / alone;
}

/* ---- its thread */

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
        device->account.joined = run_mark(run);
        device->worker.class->describe(device->worker.engine, device->account.words,
                                       sizeof device->account.words);
    }
    pthread_mutex_unlock(&run->lock);
    worker_leave(&device->worker);
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

/* All devices of the run, each on its own thread. Call with the lock held. */
static void start_devices(struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];
        int number;

        device->account.began = run_mark(run);
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

/* ---- when it starts */

void devices_start_first(struct run *run)
{
    const struct device_request *request = &run->request;

    pthread_mutex_lock(&run->lock);
    run->decided = request->count == 0 || request->alone || request->estimate.start < 0;
    if (run->decided && request->count > 0 &&
        (request->alone || keep_claim(run->keep, request->number[0], &run->devices[0].found)))
        start_devices(run);
    pthread_mutex_unlock(&run->lock);
}

static struct device_outlook outlook_of(const struct run *run, uint64_t ahead)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_setup *setup = &pipeline->plan->setup;
    const double *busy = run->busy;
    double frames = (double)run->done;
    double in_bytes = (double)engine_in_bytes(setup);
    double out_bytes = (double)engine_out_bytes(setup) / (double)setup->window.hop;
    unsigned workers = run->plan.workers;

    /* In a batch, only the threads that are free work on this stream. */
    if (pipeline->beside > 0)
        workers = ahead > 0 ? pipeline->machine->threads : run->cores;
    return (struct device_outlook){
        .left = (double)(run->plan.end - run->plan.begin - run->done) + (double)ahead / in_bytes,
        .cost = (busy[STAGE_READER] + busy[STAGE_ENGINE] + busy[STAGE_WRITER]) / frames,
        .reading = busy[STAGE_READER] / frames,
        .writing = busy[STAGE_WRITER] / frames,
        .in_bytes = in_bytes,
        .out_bytes = out_bytes,
        .copied = run->plan.placed ? 0 : out_bytes,
        .workers = workers,
        .lends = run->lends,
    };
}

/* The first start in a process counts for the files to come, too. */
static void decide(struct run *run)
{
    struct device *device = &run->devices[0];
    struct engine_estimate *estimate = &run->request.estimate;
    struct device_outlook outlook;
    bool claimed = keep_claim(run->keep, device->account.number, &device->found);

    if (device->found == KEEP_STARTING)
        return; /* another stream starts it: decide again when that is over */
    run->decided = true;
    if (!claimed)
        return;
    if (device->found == KEEP_WARM)
        estimate->start = estimate->warm_start;
    outlook = outlook_of(run, device->found == KEEP_COLD ? run->request.ahead : 0);
    run->has_place = device_pays(estimate, &outlook) &&
                     (run->request.places == NULL || sem_trywait(run->request.places) == 0);
    if (!run->has_place) {
        keep_note(run->keep, device->account.number, device->found);
        return;
    }
    outlook = outlook_of(run, 0);
    run->rate_alone = outlook.workers / outlook.cost;
    device->lent_until = run_now(run) + fmin(fmax(STARTS_LENT * estimate->start, LENT_LEAST),
                                             outlook.left / run->rate_alone);
    start_devices(run);
}

void devices_consider(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    if (!run->decided && run->done > 0 && run_now(run) >= DEVICES_DECISION)
        decide(run);
    pthread_mutex_unlock(&run->lock);
}
