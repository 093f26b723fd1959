/* Watches over the devices of a run: which pieces are theirs, when they begin, and when they are
 * sent home or given up. */
#include "base/clock.h"
#include "base/thread.h"
#include "stream/pieces.h"
#include "stream/pieces_run.h"

enum {
    LOOKS_IN_VAIN = 2,
    STARTS_WAITED = 3, /* cores wait for a start so many times as long as it should take */
};

/* Seconds between two looks at the rate. */
static const double LOOK = 0.25;

/* A device that shows no sign of life for so long does without the CPU of a core. */
static const double LIVELY = 0.1;

/* ---- under the lock */

bool device_is_at_work(const struct device *device)
{
    return device->account.state == DEVICE_AT_WORK;
}

double run_now(const struct run *run)
{
    return clock_seconds() - run->started;
}

bool devices_hold(const struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        if (device_is_at_work(device) && device->held < least(device->end, run->limit))
            return true;
    }
    return false;
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

/* From the end of its run, so that it goes on without a gap. */
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

/* It is waited for only while it holds pieces and is not inside. */
static bool is_waited_for(const struct device *device)
{
    return device_is_at_work(device) && !device->inside && device->held < device->next;
}

/* By the run's seconds. A warm start is so short that any moment in which the machine is busy makes
 * it many times as long. */
static double start_deadline(const struct device *device)
{
    double start = STARTS_WAITED * device->run->request.estimate.start;

    return device->account.began + (start > LIVELY ? start : LIVELY);
}

/* One that should have started long ago hangs, more likely than not: the cores go on. */
static bool is_late(const struct device *device)
{
    return run_now(device->run) >= start_deadline(device);
}

/* One that takes even longer is not waited for by a stream that has paused for it. */
static bool is_hopeless(const struct device *device)
{
    const struct run *run = device->run;

    return is_late(device) &&
           run_now(run) >= device->account.began + run->request.estimate.patience;
}

static bool is_fed(const struct device *device)
{
    const struct run *run = device->run;

    return device_is_at_work(device) && run->want_core && !device->go_home &&
           run_now(run) < device->last_alive + LIVELY;
}

static bool needs_cpu(const struct device *device)
{
    return is_fed(device) || (device->account.state == DEVICE_STARTING && !is_late(device));
}

/* A start is work for a CPU. A core that shares its own with it does little meanwhile, and makes
 * the start as much longer: both lose. So it is where a core does less than it would bring to a
 * device. The cores of other streams have their CPUs, or have left them to devices of theirs. */
bool devices_have_room(const struct run *run)
{
    unsigned devices = 0;
    unsigned all;

    for (unsigned i = 0; i < run->request.count; i++)
        devices += needs_cpu(&run->devices[i]);
    if (devices == 0)
        return true;
    all = keep_add_cores(run->keep, 0);
    if (all < run->cores)
        all = run->cores; /* nobody counts those of a stream that is the only one */
    return all - run->waiting + devices <= machine_cpus(run->pipeline->machine);
}

double devices_deadline(const struct run *run)
{
    double first = 0;

    for (unsigned i = 0; i < run->request.count && !run->request.alone; i++) {
        const struct device *device = &run->devices[i];
        double deadline;

        if (is_fed(device))
            deadline = run->started + device->last_alive + LIVELY;
        else if (device_is_at_work(device))
            deadline = run->started + device->last_alive + run->request.estimate.patience;
        else if (needs_cpu(device))
            deadline = run->started + start_deadline(device);
        else
            continue;
        if (first <= 0 || deadline < first)
            first = deadline;
    }
    return first;
}

void device_end_work(struct device *device, enum device_state state)
{
    struct run *run = device->run;

    device->account.state = state;
    device->account.left = run_now(run);
    device->account.left_at = run->done;
    pthread_cond_broadcast(&run->changed);
}

void devices_find_hung(struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];
        double silent = run_now(run) - device->last_alive;
        char name[ERROR_DEVICE_NAME];

        if (!is_waited_for(device)) {
            device->last_alive = run_now(run);
        } else if (silent >= run->request.estimate.patience) {
            device_end_work(device, DEVICE_HUNG);
            keep_give_up(run->keep, device->account.number);
            error_set(&device->account.error, ERROR_RESOURCE,
                      error_device(name, device->account.number),
                      "no sign of life for %.1f seconds", silent);
        }
    }
}

/* A warm start is expected to take what warm starts have taken so far. */
void devices_expect(struct run *run)
{
    struct engine_estimate *estimate = &run->request.estimate;

    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        device->warm = keep_find_start(run->keep, device->account.number, &estimate->warm_start);
        if (device->warm && estimate->start > estimate->warm_start)
            estimate->start = estimate->warm_start;
    }
}

void devices_begin(struct run *run)
{
    run->begun = true;
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
            keep_end_start(run->keep, device->account.number);
            thread_error(&device->account.error, number);
        }
    }
}

/* Among the streams that start it, or have it at work. */
static bool take_place(struct run *run)
{
    unsigned number = run->devices[0].account.number;

    if (!keep_begin_start(run->keep, number))
        return false;
    run->has_place = run->request.places == NULL || sem_trywait(run->request.places) == 0;
    if (!run->has_place)
        keep_end_start(run->keep, number);
    return run->has_place;
}

/* What cores make goes into a pipe from where it lies; what a device brings is copied first. */
struct device_outlook pieces_outlook(const struct pipeline *pipeline, unsigned workers)
{
    const struct engine_setup *setup = &pipeline->setup;
    bool is_piped = pipeline->sink != NULL && pipeline->sink->output->pipe;
    double out_bytes = (double)engine_out_bytes(setup) / (double)setup->window.hop;

    return (struct device_outlook){
        .in_bytes = (double)engine_in_bytes(setup),
        .out_bytes = out_bytes,
        .copied = is_piped ? out_bytes : 0,
        .workers = workers,
        .cpus = machine_cpus(pipeline->machine),
    };
}

/* The first start is for the streams to come, too; a warm one is for this stream alone. */
static struct device_outlook outlook_of(const struct run *run, const struct keep_cost *cost)
{
    struct device_outlook outlook = pieces_outlook(run->pipeline, run->plan->workers);
    double in = outlook.in_bytes;
    double ahead = run->devices[0].warm ? 0 : (double)run->request.ahead / in;

    outlook.left = (double)(run->plan->end - run->begin - run->done) + ahead;
    outlook.cost = cost->all * in;
    outlook.reading = cost->reading * in;
    outlook.writing = cost->writing * in;
    return outlook;
}

static bool begin_in_place(struct run *run, const struct device_outlook *outlook)
{
    if (!take_place(run))
        return false;
    run->rate_alone = devices_rate(outlook);
    run->want_core = devices_want_core(&run->request.estimate, outlook);
    devices_begin(run);
    return true;
}

static void begin_if_it_pays(struct run *run, const struct keep_cost *cost)
{
    const struct device_outlook outlook = outlook_of(run, cost);

    if (devices_pay(&run->request.estimate, &outlook) && begin_in_place(run, &outlook))
        run->cost = *cost;
}

/* That it pays has been found in order; without a device there are no pieces. */
void devices_begin_recalled(struct run *run)
{
    if (run->request.count == 0 || !begin_in_place(run, &run->pipeline->outlook))
        run->limit = 0;
}

static void look_whether_to_begin(struct run *run)
{
    double bytes = (double)run->done * (double)engine_in_bytes(&run->pipeline->setup);
    const double *busy = run->busy;
    const struct keep_cost cost = {
        .kind = (int)run->pipeline->setup.sample.kind,
        .channels = run->pipeline->setup.channels,
        .all = (busy[RING_READER] + busy[RING_ENGINE] + busy[RING_WRITER]) / bytes,
        .reading = busy[RING_READER] / bytes,
        .writing = busy[RING_WRITER] / bytes,
    };

    if (run_now(run) < DEVICES_FIRST_LOOK)
        return;
    devices_expect(run); /* another stream may have started it meanwhile */
    begin_if_it_pays(run, &cost);
}

void devices_begin_known(struct run *run)
{
    const struct engine_setup *setup = &run->pipeline->setup;
    struct keep_cost cost;

    if (run->request.count > 0 &&
        keep_find_cost(run->keep, run->devices[0].account.number, &cost) &&
        cost.kind == (int)setup->sample.kind && cost.channels == setup->channels)
        begin_if_it_pays(run, &cost);
}

static unsigned count_at_work(const struct run *run)
{
    unsigned count = 0;

    for (unsigned i = 0; i < run->request.count; i++)
        count += device_is_at_work(&run->devices[i]);
    return count;
}

/* Twice in a row, for one look may be at an unlucky moment. */
static void look_whether_to_end(struct run *run)
{
    double seconds = run_now(run) - run->marked;

    if (seconds < LOOK || count_at_work(run) == 0)
        return;
    if ((double)(run->done - run->marked_at) / seconds < run->rate_alone)
        run->weak++;
    else
        run->weak = 0;
    run->marked += seconds;
    run->marked_at = run->done;
    for (unsigned i = 0; i < run->request.count && run->weak >= LOOKS_IN_VAIN; i++)
        run->devices[i].go_home = true;
}

/* Is there one at work, or will there be? */
static bool devices_may_come(const struct run *run)
{
    bool may = false;

    for (unsigned i = 0; i < run->request.count; i++) {
        enum device_state state = run->devices[i].account.state;

        may = may || state == DEVICE_AT_WORK ||
              (state == DEVICE_STARTING && !is_hopeless(&run->devices[i]));
    }
    return may;
}

void devices_look(struct run *run)
{
    if (run->request.count == 0 || run->request.alone || run->over)
        return;
    if (!run->begun)
        look_whether_to_begin(run);
    else
        look_whether_to_end(run);
    /* Pieces that the cores do alone are better done in order. */
    if (run->pipeline->recall != NULL && !devices_may_come(run))
        run->limit = least(run->limit, run->next);
}

/* ---- from outside */

void devices_wait(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        while (device->account.state == DEVICE_STARTING ||
               (device_is_at_work(device) && devices_hold(run)) ||
               (device_is_at_work(device) && run->next < run->limit))
            pthread_cond_wait(&run->changed, &run->lock);
    }
    pthread_mutex_unlock(&run->lock);
}

/* One that was not ready in time says nothing of the next stream. */
static void note_help(const struct run *run, const struct device *device)
{
    enum device_state state = device->account.state;

    if (run->has_place && state != DEVICE_STARTING && run->pipeline->recall == NULL)
        keep_note_cost(run->keep, device->account.number,
                       state == DEVICE_AT_WORK ? &run->cost : NULL);
}

void devices_leave(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    run->over = true;
    pthread_cond_broadcast(&run->changed);
    /* What comes behind the pieces needs the memory of a device that works alone. */
    while (run->request.alone && run->holders > 1)
        pthread_cond_wait(&run->changed, &run->lock);
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        while (device->inside)
            pthread_cond_wait(&run->changed, &run->lock);
        if (device->reader != NULL) {
            run_count_read(run, device->reader);
            device->reader->class->close(device->reader);
        }
        note_help(run, device);
        if (device->account.state == DEVICE_STARTING) {
            device->account.left = run_now(run);
            device->account.left_at = run->done;
            device->account.hopeless = is_hopeless(device);
            if (is_late(device))
                keep_give_up(run->keep, device->account.number);
        }
        if (run->begun)
            run->pipeline->device_accounts[i] = device->account;
    }
    if (run->has_place && run->request.places != NULL)
        sem_post(run->request.places);
    pthread_mutex_unlock(&run->lock);
}
