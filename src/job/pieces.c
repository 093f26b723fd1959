#include "job/pieces_priv.h"

#include <stdlib.h>

#include "base/pages.h"
#include "base/thread.h"
#include "job/pieces_pool_priv.h"

/* A worker has one thread. */
static struct piece_worker make_worker(struct pool *pool, const struct engine_class *class,
                                       size_t chunk_frames)
{
    struct piece_worker worker = {
        .pool = pool,
        .class = class,
        .machine = *pool->pipeline->machine,
        .setup = pool->pipeline->plan->setup,
    };

    worker.machine.threads_most = 1;
    worker.machine.threads_given = true;
    worker.setup.chunk_frames = chunk_frames;
    return worker;
}

/* ---- a core */

static int core_open(struct piece_worker *worker, struct error *error)
{
    const struct stats *stats = worker->pool->pipeline->stats;

    if (worker_open(worker, error) != 0)
        return -1;
    worker->share = stats != NULL ? share_of(stats) : NULL;
    return stats != NULL && worker->share == NULL ? -1 : 0;
}

static void core_main(void *context, unsigned number)
{
    struct pool *pool = context;
    struct piece_worker worker =
        make_worker(pool, pool->pipeline->plan->engine_class, pool->plan.block);
    struct error error;
    uint64_t index;

    (void)number;
    /* For little work, a thread may arrive when the others have done it already: it opens nothing.
     */
    if (!pool_take(pool, &index))
        return;
    if (core_open(&worker, &error) != 0)
        pool_give_up(pool, index);
    else
        (void)worker_do(&worker, index, &error);
    stats_close(worker.share);
    worker_close(&worker);
}

/* ---- a device */

/* The device cannot start, or has failed: the pieces that are not committed are free again. No
 * other thread works on pieces meanwhile. */
static void fail_device(struct pool *pool, struct device_result *device, enum device_state state,
                        double seconds)
{
    device->state = state;
    device->failed = seconds;
    pool->next = pool->committed;
    pool->limit = pool->plan.cut.tasks;
}

static void work_by_device(struct pool *pool, double began, struct device_result *device)
{
    const struct device_request *request = &pool->pipeline->device;
    struct piece_worker worker = make_worker(pool, request->engine_class, request->chunk_frames);
    uint64_t index;

    device->number = worker.machine.device;
    worker.device = device;
    worker.setup.stats_every = 0;
    worker.setup.gives_pages = false; /* files and slots get copies */
    if (worker_open(&worker, &device->error) != 0) {
        fail_device(pool, device, DEVICE_NEVER, clock_seconds() - began);
    } else {
        device->state = DEVICE_AT_WORK;
        device->started = clock_seconds() - began;
        worker.class->describe(worker.engine, device->words, sizeof device->words);
        if (pool_take(pool, &index) && worker_do(&worker, index, &device->error) != 0)
            fail_device(pool, device, DEVICE_FAILED, clock_seconds() - began);
    }
    worker_close(&worker);
}

/* ---- the pool */

static void pool_close(struct pool *pool)
{
    for (unsigned i = 0; pool->slots != NULL && i < pool->plan.slots; i++) {
        pages_free(pool->slots[i].out, pool->plan.out_bytes);
        share_free(&pool->slots[i].share);
    }
    free(pool->slots);
    memory_text_free(&pool->text);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* NULL if memory runs out. */
static struct pool *pool_open(const struct pipeline *pipeline, const struct pieces_plan *plan)
{
    struct pool *pool = calloc(1, sizeof *pool);

    if (pool == NULL)
        return NULL;
    pool->pipeline = pipeline;
    pool->plan = *plan;
    pool->first_output = piece_make(&pipeline->plan->setup.window, plan->begin, 0).output;
    pool->limit = plan->cut.tasks;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->slots = calloc(plan->slots, sizeof *pool->slots);
    for (unsigned i = 0; pool->slots != NULL && plan->out_bytes > 0 && i < plan->slots; i++) {
        pool->slots[i].out = pages_alloc(plan->out_bytes);
        if (pool->slots[i].out == NULL)
            break;
    }
    if (pool->slots != NULL && (plan->out_bytes == 0 || pool->slots[plan->slots - 1].out != NULL))
        return pool;
    pool_close(pool);
    return NULL;
}

/* Continues the stream after the last complete piece: moves the source so that the windows and
 * statistics from there on are done in order. */
static int go_on(const struct pool *pool, struct pieces_rest *rest, struct error *error)
{
    const struct pipeline *pipeline = pool->pipeline;
    struct sink *sink = pipeline->sink;
    struct source *source = pipeline->source;
    struct extent *extent = &rest->extent;
    uint64_t frame = pieces_first(pipeline, &pool->plan, pool->committed);

    rest->brief = pool->committed == pool->plan.cut.tasks;
    if (pool->plan.placed && sink != NULL &&
        sink->class->placed(sink, atomic_load(&pipeline->progress->out_frames), error) != 0)
        return -1;
    extent->windows.from = max_u64(frame, extent->windows.from);
    extent->blocks.from = max_u64(frame, extent->blocks.from);
    extent->own = frame;
    extent->start = frame;
    if (sink != NULL)
        extent->start -= piece_make(&pipeline->plan->setup.window, frame, 0).halo;
    return source->class->go(source, pipeline->skipped + extent->start, !rest->brief, error);
}

int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan, double began,
               struct run_result *result, struct pieces_rest *rest, struct error *error)
{
    struct sink *sink = pipeline->sink;
    struct pool *pool;
    int failed = 0;

    /* As many threads will write, except for those busy with other streams. */
    if (plan->placed && sink != NULL)
        sink->class->reserve(sink, plan->outputs,
                             (unsigned)max_u64(plan->workers / (1 + pipeline->beside), 1));
    pool = pool_open(pipeline, plan);
    if (pool == NULL) {
        result->why = "memory is short";
        return 0;
    }
    result->way = "pieces";
    result->workers = 1;
    if (pipeline->device.engine_class != NULL)
        work_by_device(pool, began, &result->device);
    if (result->device.state != DEVICE_AT_WORK) {
        result->workers = plan->workers;
        threads_run(pipeline->machine->threads, plan->workers, plan->workers, core_main, pool);
    }
    for (int i = 0; i < STAGES; i++)
        result->busy[i] = pool->busy[i] / result->workers;
    if (pool->failed) {
        *error = pool->error;
        failed = -1;
    } else {
        failed = go_on(pool, rest, error);
    }
    pool_close(pool);
    return failed;
}
