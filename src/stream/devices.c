#include "stream/devices.h"

#include <math.h>

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

/* ---- in a run */

void devices_start_first(struct run *run)
{
    const struct device_request *request = &run->request;

    pthread_mutex_lock(&run->lock);
    run->decided = request->count == 0 || request->alone || request->estimate.start < 0;
    if (run->decided && request->count > 0 &&
        (request->alone || keep_claim(run->keep, request->number[0])))
        devices_start(run);
    pthread_mutex_unlock(&run->lock);
}

/* In a batch, only the threads that are free work on this stream. */
static unsigned count_workers(const struct run *run, uint64_t ahead)
{
    if (run->pipeline->beside == 0)
        return run->plan.workers;
    return ahead > 0 ? run->pipeline->machine->threads : run->cores;
}

static struct device_outlook outlook_of(const struct run *run, uint64_t ahead)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_setup *setup = &pipeline->plan.setup;
    const double *busy = run->busy;
    double frames = (double)run->done;
    double in_bytes = (double)engine_in_bytes(setup);
    double out_bytes = (double)engine_out_bytes(setup) / (double)setup->window.hop;

    return (struct device_outlook){
        .left = (double)(run->plan.end - run->plan.begin - run->done) + (double)ahead / in_bytes,
        .cost = (busy[RING_READER] + busy[RING_ENGINE] + busy[RING_WRITER]) / frames,
        .reading = busy[RING_READER] / frames,
        .writing = busy[RING_WRITER] / frames,
        .in_bytes = in_bytes,
        .out_bytes = out_bytes,
        .copied = run->plan.placed ? 0 : out_bytes,
        .workers = count_workers(run, ahead),
        .lends = run->lends,
    };
}

static bool take_place(struct run *run)
{
    struct device *device = &run->devices[0];

    run->has_place = run->request.places == NULL || sem_trywait(run->request.places) == 0;
    return run->has_place && keep_claim(run->keep, device->account.number);
}

/* The first start in a process counts for the files to come, too. */
static void decide(struct run *run)
{
    struct device *device = &run->devices[0];
    struct engine_estimate *estimate = &run->request.estimate;
    struct device_outlook outlook;

    device->found = keep_state_of(run->keep, device->account.number);
    if (device->found == KEEP_STARTING)
        return; /* another stream starts it: decide again when that is over */
    run->decided = true;
    if (device->found == KEEP_WARM)
        estimate->start = estimate->warm_start;
    outlook = outlook_of(run, device->found == KEEP_COLD ? run->request.ahead : 0);
    if (device->found == KEEP_DEAD || !device_pays(estimate, &outlook) || !take_place(run))
        return;
    outlook = outlook_of(run, 0);
    run->rate_alone = outlook.workers / outlook.cost;
    device->lent_until = run_now(run) + fmin(fmax(STARTS_LENT * estimate->start, LENT_LEAST),
                                             outlook.left / run->rate_alone);
    devices_start(run);
}

void devices_consider(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    if (!run->decided && run->done > 0 && run_now(run) >= DEVICES_DECISION)
        decide(run);
    pthread_mutex_unlock(&run->lock);
}
