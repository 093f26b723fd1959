#include "stream/pieces.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/pages.h"
#include "lib/engines.h"
#include "stream/pieces_run.h"

struct worker {
    struct run *run;
    struct frame_reader *reader;
    struct engine *engine;
    struct chunk chunk;
    struct share *share;
    double busy[RING_STAGES];
};

/* ---- a worker */

static int worker_open(struct worker *worker, struct run *run)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_class *class = pipeline->plan.engine_class;
    struct engine_setup setup = pipeline->plan.setup;
    struct machine machine = *pipeline->machine;
    struct error error;

    *worker = (struct worker){.run = run};
    setup.chunk_frames = run->plan.block;
    machine.threads = 1;
    machine.threads_given = true;
    if (engines_open(class, &machine, &setup, run->plan.begin, &worker->engine, &error) != 0 ||
        class->attach(worker->engine, &worker->chunk, &error) != 0 ||
        pipeline->source->class->reader(pipeline->source, &worker->reader, &error) != 0)
        return -1;
    if (pipeline->stats == NULL)
        return 0;
    worker->share =
        engines_open_share(pipeline->machine, &pipeline->stats_setup, pipeline->skipped);
    return worker->share == NULL ? -1 : 0;
}

static void worker_close(struct worker *worker)
{
    struct run *run = worker->run;
    const struct pipeline *pipeline = run->pipeline;

    share_close(worker->share);
    if (worker->reader != NULL) {
        pthread_mutex_lock(&run->lock);
        run_count_read(run, worker->reader);
        for (int i = 0; i < RING_STAGES; i++)
            run->busy[i] += worker->busy[i];
        pthread_mutex_unlock(&run->lock);
        worker->reader->class->close(worker->reader);
    }
    if (worker->chunk.in != NULL)
        pipeline->plan.engine_class->detach(worker->engine, &worker->chunk);
    if (worker->engine != NULL)
        pipeline->plan.engine_class->close(worker->engine);
}

/* The frames at..at+count-1, which lie either all before the piece or all in it. */
static int do_block(struct worker *worker, struct slot *slot, uint64_t at, size_t count)
{
    const struct run *run = worker->run;
    const struct pipeline *pipeline = run->pipeline;
    const struct engine_setup *setup = &pipeline->plan.setup;
    const struct engine_class *class = pipeline->plan.engine_class;
    struct chunk *chunk = &worker->chunk;
    bool is_halo = at < slot->piece.first;
    double from = clock_seconds();
    struct error error;

    chunk->in_frames =
        worker->reader->class->read(worker->reader, pipeline->skipped + at, chunk->in, count);
    worker->busy[RING_READER] += clock_lap(&from);
    if (chunk->in_frames < count ||
        pipeline_before_nan(pipeline, chunk->in, count, at, &error) < count)
        return -1;
    chunk_place(chunk, setup, at);
    if (is_halo)
        chunk_mute(chunk);
    if (slot->out != NULL)
        chunk->out = slot_frame(run, slot);
    if (class->submit(worker->engine, chunk, &error) != 0 ||
        class->collect(worker->engine, chunk, &error) != 0)
        return -1;
    if (worker->share != NULL && !is_halo && share_add(worker->share, chunk->in, count) != 0)
        return -1;
    worker->busy[RING_ENGINE] += clock_lap(&from);
    if (run_put(worker->run, slot, chunk, &error) != 0)
        return -1;
    worker->busy[RING_WRITER] += clock_lap(&from);
    return 0;
}

static int do_piece(struct worker *worker, struct slot *slot)
{
    const struct run *run = worker->run;
    const struct pipeline *pipeline = run->pipeline;
    const struct piece *piece = &slot->piece;
    uint64_t end = piece->first + piece->count;
    uint64_t at = piece->first - (pipeline->sink == NULL ? 0 : piece->halo);

    if (worker->share != NULL &&
        share_begin(worker->share, piece->first, piece->count, run->plan.piece, &slot->share) != 0)
        return -1;
    pipeline->plan.engine_class->restart(worker->engine, at);
    while (at < end) {
        uint64_t left = (at < piece->first ? piece->first : end) - at;
        size_t count = left < run->plan.block ? (size_t)left : run->plan.block;

        if (do_block(worker, slot, at, count) != 0)
            return -1;
        at += count;
    }
    return worker->reader->failed ? -1 : 0;
}

static void worker_main(void *context, unsigned number)
{
    struct run *run = context;
    struct worker worker;
    void *out = NULL;
    uint64_t index;

    (void)number;
    /* For little work, a thread may arrive when the others have done it already. */
    if (!run_come(run))
        return;
    if (worker_open(&worker, run) == 0) {
        out = worker.chunk.out;
        while (run_take(run, &index)) {
            struct slot *slot = run_begin(run, index);

            if (do_piece(&worker, slot) == 0) {
                run_hand_over(run, slot, worker.busy);
                run_commit_due(run, &worker.busy[RING_WRITER]);
                devices_consider(run);
            } else {
                run_give_up(run, index);
            }
        }
        worker.chunk.out = out;
    }
    worker_close(&worker);
}

/* ---- the run */

/* The device gets its own copy of everything: it may outlive the stream. */
static void prepare_device(struct run *run, unsigned i)
{
    const struct pipeline *pipeline = run->pipeline;
    const struct device_request *request = &pipeline->devices;
    struct device *device = &run->devices[i];

    device->run = run;
    device->class = request->engine_class;
    device->setup = pipeline->plan.setup;
    device->setup.chunk_frames = request->chunk_frames;
    device->setup.stats_every = 0;
    device->setup.gives_pages = false; /* files and slots get copies */
    device->machine = *pipeline->machine;
    device->machine.device = request->number[i];
    device->machine.threads = 1;
    device->machine.threads_given = true;
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

/* Moves the source so that the windows and statistics from this frame on are done in order. */
static int move_to(const struct pipeline *pipeline, uint64_t frame, bool doubt, struct extent *rest,
                   struct error *error)
{
    const struct window *window = &pipeline->plan.setup.window;
    uint64_t halo = pipeline->sink == NULL ? 0 : piece_make(window, frame, 0).halo;

    if (frame > rest->windows.from)
        rest->windows.from = frame;
    if (frame > rest->blocks.from)
        rest->blocks.from = frame;
    rest->own = frame;
    rest->start = frame - halo;
    return pipeline->source->class->go(pipeline->source, pipeline->skipped + rest->start, doubt,
                                       error);
}

/* Continues the stream after the last complete piece. */
static int go_on(const struct run *run, struct pieces_rest *rest, struct error *error)
{
    const struct pipeline *pipeline = run->pipeline;
    struct pipeline_progress *progress = pipeline->progress;

    rest->brief = run->committed == run->count;
    if (run->plan.placed && pipeline->sink != NULL &&
        pipeline->sink->class->placed(pipeline->sink, atomic_load(&progress->out_frames), error) !=
            0)
        return -1;
    return move_to(pipeline, run_first_of(run, run->committed), run->committed < run->count,
                   &rest->extent, error);
}

static void do_all(struct run *run, struct device_account accounts[DEVICES_MOST])
{
    const struct device_request *request = &run->request;

    devices_start_first(run);
    if (request->alone)
        devices_wait(run);
    else
        crew_run(run->pipeline->machine->crew, run->plan.workers, worker_main, run);
    devices_leave(run, accounts);
}

/* Tells the output how many threads will write to it, except for those busy with other streams. */
static void reserve(const struct pipeline *pipeline, const struct pieces_plan *plan)
{
    unsigned threads = plan->workers / (1 + pipeline->beside);

    if (plan->placed && pipeline->sink != NULL)
        pipeline->sink->class->reserve(pipeline->sink, plan->outputs, threads > 0 ? threads : 1);
}

int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan, double began,
               struct account *account, struct pieces_rest *rest, struct error *error)
{
    struct run *run;
    int result = 0;

    reserve(pipeline, plan);
    run = run_open(pipeline, plan, began);
    if (run == NULL) {
        account->why = "memory is short";
        return 0;
    }
    account->workers = plan->workers;
    account->way = "pieces";
    do_all(run, account->devices);
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
