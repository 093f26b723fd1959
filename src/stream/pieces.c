#include "stream/pieces.h"

#include <stdlib.h>
#include <time.h>

#include "base/pages.h"
#include "stream/pieces_run.h"

/* A worker has one thread. */
static struct worker make_worker(struct run *run, const struct engine_class *class,
                                 size_t chunk_frames)
{
    struct worker worker = {
        .run = run,
        .class = class,
        .machine = *run->pipeline->machine,
        .setup = run->pipeline->plan.setup,
    };

    worker.machine.threads = 1;
    worker.machine.threads_given = true;
    worker.setup.chunk_frames = chunk_frames;
    return worker;
}

/* ---- a core */

static int core_open(struct worker *worker, struct run *run)
{
    const struct pipeline *pipeline = run->pipeline;
    struct source *source = pipeline->source;
    struct error error;

    *worker = make_worker(run, pipeline->plan.engine_class, run->plan.block);
    if (worker_open(worker, &error) != 0 ||
        source->class->reader(source, &worker->reader, &error) != 0)
        return -1;
    if (pipeline->stats == NULL)
        return 0;
    worker->share = share_open(&pipeline->stats_setup, pipeline->machine->isa, pipeline->skipped);
    return worker->share == NULL ? -1 : 0;
}

static void core_close(struct worker *worker)
{
    struct run *run = worker->run;

    share_close(worker->share);
    if (worker->reader != NULL) {
        pthread_mutex_lock(&run->lock);
        run->pipeline->source->input->bytes += worker->reader->bytes;
        for (int i = 0; i < RING_STAGES; i++)
            run->busy[i] += worker->busy[i];
        pthread_mutex_unlock(&run->lock);
        worker->reader->class->close(worker->reader);
    }
    worker_close(worker);
}

static void core_main(void *context, unsigned number)
{
    struct run *run = context;
    struct worker worker;
    struct error error;
    uint64_t index;

    (void)number;
    /* For little work, a thread may arrive when the others have done it already. */
    if (!run_come(run))
        return;
    if (core_open(&worker, run) == 0) {
        void *out = worker.chunks[0].out; /* slots take its place */

        while (run_take(run, &index)) {
            if (worker_do(&worker, index, &error) != 0)
                run_give_up(run, index);
            devices_consider(run);
        }
        worker.chunks[0].out = out;
    }
    core_close(&worker);
}

/* ---- the run */

/* The device gets its own copy of everything: it may outlive the stream. */
static void prepare_device(struct run *run, unsigned i)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct device_request *request = &pipeline->devices;
    struct device *device = &run->devices[i];
    struct worker *worker = &device->worker;

    *worker = make_worker(run, request->engine_class, request->chunk_frames);
    worker->device = device;
    worker->machine.device = request->number[i];
    worker->setup.stats_every = 0;
    worker->setup.gives_pages = false; /* files and slots get copies */
    device->account.number = request->number[i];
}

/* Timed waits use the monotonic clock. */
static void init_changed(pthread_cond_t *changed)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* NULL if memory runs out. */
static struct run *run_open(const struct pipeline *pipeline, const struct pieces_plan *plan,
                            double began)
{
    struct run *run = calloc(1, sizeof *run);

    if (run == NULL)
        return NULL;
    run->pipeline = pipeline;
    run->plan = *plan;
    run->first_output = piece_make(&pipeline->plan.setup.window, plan->begin, 0).output;
    run->count = (plan->end - plan->begin + plan->piece - 1) / plan->piece;
    run->limit = run->count;
    run->started = began;
    run->holders = 1;
    run->keep = keep_hold(pipeline->machine->keep);
    pthread_mutex_init(&run->lock, NULL);
    init_changed(&run->changed);
    run->request = pipeline->devices;
    /* The cores compute the statistics, so they need all frames. */
    if (pipeline->stats != NULL)
        run->request.count = 0;
    for (unsigned i = 0; i < run->request.count; i++)
        prepare_device(run, i);
    /* The cores of the other streams are busy, too. */
    run->lends = machine_cpus(pipeline->machine) <=
                 (pipeline->beside > 0 ? pipeline->machine->threads : plan->workers);
    run->slots = calloc(plan->slots, sizeof *run->slots);
    for (unsigned i = 0; run->slots != NULL && plan->out_bytes > 0 && i < plan->slots; i++) {
        run->slots[i].out = pages_alloc(plan->out_bytes);
        if (run->slots[i].out == NULL)
            break;
    }
    if (run->slots != NULL && (plan->out_bytes == 0 || run->slots[plan->slots - 1].out != NULL))
        return run;
    run_drop(run);
    return NULL;
}

/* Continues the stream after the last complete piece: moves the source so that the windows and
 * statistics from there on are done in order. */
static int go_on(const struct run *run, struct pieces_rest *rest, struct error *error)
{
    const struct pipeline *pipeline = run->pipeline;
    struct sink *sink = pipeline->sink;
    struct source *source = pipeline->source;
    struct extent *extent = &rest->extent;
    uint64_t frame = run_first_of(run, run->committed);

    rest->brief = run->committed == run->count;
    if (run->plan.placed && sink != NULL &&
        sink->class->placed(sink, atomic_load(&pipeline->progress->out_frames), error) != 0)
        return -1;
    extent->windows.from = most(frame, extent->windows.from);
    extent->blocks.from = most(frame, extent->blocks.from);
    extent->own = frame;
    extent->start = frame;
    if (sink != NULL)
        extent->start -= piece_make(&pipeline->plan.setup.window, frame, 0).halo;
    return source->class->go(source, pipeline->skipped + extent->start, !rest->brief, error);
}

int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan, double began,
               struct account *account, struct pieces_rest *rest, struct error *error)
{
    struct sink *sink = pipeline->sink;
    struct run *run;
    int result = 0;

    /* As many threads will write, except for those busy with other streams. */
    if (plan->placed && sink != NULL)
        sink->class->reserve(sink, plan->outputs,
                             (unsigned)most(plan->workers / (1 + pipeline->beside), 1));
    run = run_open(pipeline, plan, began);
    if (run == NULL) {
        account->why = "memory is short";
        return 0;
    }
    account->workers = plan->workers;
    account->way = "pieces";
    devices_start_first(run);
    if (run->request.alone)
        devices_wait(run);
    else
        crew_run(pipeline->machine->crew, plan->workers, core_main, run);
    devices_leave(run, account->devices);
    for (int i = 0; i < RING_STAGES; i++)
        account->busy[i] = run->busy[i] / plan->workers;
    if (run->failed) {
        *error = run->error;
        result = -1;
    } else {
        result = go_on(run, rest, error);
    }
    run_drop(run);
    return result;
}
