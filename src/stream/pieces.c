#include "stream/pieces.h"

#include <stdlib.h>

#include "base/pages.h"
#include "base/thread.h"
#include "stream/pieces_run.h"

/* A worker has one thread. */
static struct worker make_worker(struct run *run, const struct engine_class *class,
                                 size_t chunk_frames)
{
    struct worker worker = {
        .run = run,
        .class = class,
        .machine = *run->pipeline->machine,
        .setup = run->pipeline->plan->setup,
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
    struct error error;

    *worker = make_worker(run, pipeline->plan->engine_class, run->plan.block);
    if (worker_open(worker, &error) != 0)
        return -1;
    if (pipeline->stats == NULL)
        return 0;
    worker->share = share_of(pipeline->stats);
    return worker->share == NULL ? -1 : 0;
}

static void core_main(void *context, unsigned number)
{
    struct run *run = context;
    struct worker worker;
    struct error error;

    (void)number;
    /* For little work, a thread may arrive when the others have done it already. */
    if (!run_has_more(run))
        return;
    if (core_open(&worker, run) == 0) {
        void *out = worker.chunks[0].out; /* slots take its place */

        while (run_take(&worker)) {
            if (worker_do(&worker, &error) != 0)
                run_give_up(run, worker.next - 1);
        }
        worker.chunks[0].out = out;
    }
    stats_close(worker.share);
    worker_close(&worker);
}

/* ---- a device */

static struct worker make_device(struct run *run, unsigned i)
{
    const struct device_request *request = &run->pipeline->devices;
    struct worker worker = make_worker(run, request->engine_class, request->chunk_frames);

    worker.device = &run->account->devices[i];
    worker.device->number = request->number[i];
    worker.device->began = run_mark(run);
    worker.machine.device = request->number[i];
    worker.setup.stats_every = 0;
    worker.setup.gives_pages = false; /* files and slots get copies */
    return worker;
}

/* `context` is the worker. */
static void *device_main(void *context)
{
    struct worker *worker = context;
    struct device_account *device = worker->device;
    struct error error = {.status = STATUS_FAILED};

    if (worker_open(worker, &error) != 0) {
        run_fail_device(worker, DEVICE_NEVER, &error);
    } else {
        device->state = DEVICE_AT_WORK;
        device->joined = run_mark(worker->run);
        worker->class->describe(worker->engine, device->words, sizeof device->words);
        while (device->state == DEVICE_AT_WORK && run_take(worker)) {
            if (worker_do(worker, &error) != 0)
                run_fail_device(worker, DEVICE_FAILED, &error);
        }
    }
    worker_close(worker);
    return NULL;
}

/* Each device has a thread of its own; the first one has this thread. */
static void run_devices(struct run *run)
{
    unsigned count = run->pipeline->devices.count;
    struct worker devices[DEVICES_MOST];
    pthread_t threads[DEVICES_MOST];
    unsigned started = 1;

    for (unsigned i = 0; i < count; i++)
        devices[i] = make_device(run, i);
    for (; started < count; started++) {
        int number = thread_start(&threads[started], device_main, &devices[started]);
        struct error error;

        if (number == 0)
            continue;
        thread_error(&error, number);
        run_fail_device(&devices[started], DEVICE_NEVER, &error);
        break;
    }
    device_main(&devices[0]);
    while (started-- > 1)
        pthread_join(threads[started], NULL);
}

/* ---- the run */

static void run_close(struct run *run)
{
    for (unsigned i = 0; run->slots != NULL && i < run->plan.slots; i++) {
        pages_free(run->slots[i].out, run->plan.out_bytes);
        share_free(&run->slots[i].share);
    }
    free(run->slots);
    memory_text_free(&run->text);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
    free(run);
}

/* NULL if memory runs out. */
static struct run *run_open(const struct pipeline *pipeline, const struct pieces_plan *plan,
                            double began, struct account *account)
{
    struct run *run = calloc(1, sizeof *run);

    if (run == NULL)
        return NULL;
    run->pipeline = pipeline;
    run->plan = *plan;
    run->account = account;
    run->first_output = piece_make(&pipeline->plan->setup.window, plan->begin, 0).output;
    run->limit = plan->count;
    run->started = began;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    run->slots = calloc(plan->slots, sizeof *run->slots);
    for (unsigned i = 0; run->slots != NULL && plan->out_bytes > 0 && i < plan->slots; i++) {
        run->slots[i].out = pages_alloc(plan->out_bytes);
        if (run->slots[i].out == NULL)
            break;
    }
    if (run->slots != NULL && (plan->out_bytes == 0 || run->slots[plan->slots - 1].out != NULL))
        return run;
    run_close(run);
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
    uint64_t frame = pieces_first(pipeline, &run->plan, run->committed);

    rest->brief = run->committed == run->plan.count;
    if (run->plan.placed && sink != NULL &&
        sink->class->placed(sink, atomic_load(&pipeline->progress->out_frames), error) != 0)
        return -1;
    extent->windows.from = most(frame, extent->windows.from);
    extent->blocks.from = most(frame, extent->blocks.from);
    extent->own = frame;
    extent->start = frame;
    if (sink != NULL)
        extent->start -= piece_make(&pipeline->plan->setup.window, frame, 0).halo;
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
    run = run_open(pipeline, plan, began, account);
    if (run == NULL) {
        account->why = "memory is short";
        return 0;
    }
    account->way = "pieces";
    account->workers = pipeline->devices.count;
    if (account->workers > 0)
        run_devices(run);
    if (run->device_failed)
        run_free_rest(run);
    if (account->workers == 0 || run->device_failed) {
        account->workers = plan->workers;
        crew_run(pipeline->machine->crew, plan->workers, core_main, run);
    }
    for (int i = 0; i < STAGES; i++)
        account->busy[i] = run->busy[i] / account->workers;
    if (run->failed) {
        *error = run->error;
        result = -1;
    } else {
        result = go_on(run, rest, error);
    }
    run_close(run);
    return result;
}
