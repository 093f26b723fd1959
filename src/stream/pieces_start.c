#include "stream/pieces_run.h"

#include "stream/devices.h"

/* A worker lends its CPU to a start for this many times the expected seconds. A warm start is so
 * short that it can take many times as long on a busy machine. */
static const double STARTS_LENT = 3;
static const double LENT_LEAST = 0.1;

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
        return run->plan->workers;
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
        .left = (double)(run->plan->end - run->begin - run->done) + (double)ahead / in_bytes,
        .cost = (busy[RING_READER] + busy[RING_ENGINE] + busy[RING_WRITER]) / frames,
        .reading = busy[RING_READER] / frames,
        .writing = busy[RING_WRITER] / frames,
        .in_bytes = in_bytes,
        .out_bytes = out_bytes,
        .copied = run->plan->placed ? 0 : out_bytes,
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
    device->lent_until = STARTS_LENT * estimate->start;
    if (device->lent_until < LENT_LEAST)
        device->lent_until = LENT_LEAST;
    if (device->lent_until > outlook.left / run->rate_alone)
        device->lent_until = outlook.left / run->rate_alone;
    device->lent_until += run_now(run);
    devices_start(run);
}

void devices_consider(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    if (!run->decided && run->done > 0 && run_now(run) >= DEVICES_DECISION)
        decide(run);
    pthread_mutex_unlock(&run->lock);
}
