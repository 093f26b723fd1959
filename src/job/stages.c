/* SPDX-License-Identifier: MIT */
/* The schedulers of steps. stages_run(): one thread per stage, so that reader, engine and writer
 * work at the same time; the calling thread is the writer. turns_run(): one thread for all stages,
 * in turn.
 *
 * The threads share a bounded ring of slots. The reader fills a slot, the engine works on it, the
 * writer empties it, and it returns to the reader. The contents of a slot belong to the stage that
 * has taken it. A stage takes the next slot that the stage before has passed on. It may take
 * several before it passes on the first (an engine with chunks in flight), but takes and passes in
 * order. */
#include <errno.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/thread.h"
#include "job/steps_priv.h"

/* Slots are counted from the start; number n lies at index n % slot_count. */
struct ring_stage {
    pthread_cond_t changed; /* the stage may have something to do */
    uint64_t taken;
    uint64_t passed;
    bool ended;    /* it will pass on no more slots */
    bool stopped;  /* a later stage has ended */
    double waited; /* seconds */
};

struct ring {
    struct steps *steps;
    pthread_mutex_t lock; /* guards what follows; only a stage itself changes its counts */
    struct flag stop;     /* is raised when the reader should stop waiting for input */
    struct ring_stage stage[STAGES];
};

/* ---- the ring */

/* How many slots the stage may have taken in all so far. */
static uint64_t takeable(const struct ring *ring, enum stage stage)
{
    return stage == STAGE_READER ? ring->stage[STAGE_WRITER].passed + ring->steps->slot_count
                                 : ring->stage[stage - 1].passed;
}

/* Is there a slot to take without waiting? Call with the lock held. */
static bool can_take(const struct ring *ring, enum stage stage)
{
    const struct ring_stage *own = &ring->stage[stage];

    return !own->stopped && own->taken < takeable(ring, stage);
}

/* Will there be no more slots? Call with the lock held. */
static bool is_over(const struct ring *ring, enum stage stage)
{
    return ring->stage[stage].stopped || (stage != STAGE_READER && ring->stage[stage - 1].ended);
}

/* Waits for the stage's next slot and takes it. Returns NULL if there will be none. Several threads
 * share a chunk in the engine only if the next one is there already, and the writer keeps up:
 * otherwise they take CPUs from these stages, and from other programs of a pipe. */
static struct slot *take(struct ring *ring, enum stage stage)
{
    struct ring_stage *own = &ring->stage[stage];
    struct steps *steps = ring->steps;
    struct slot *slot = NULL;

    pthread_mutex_lock(&ring->lock);
    if (!can_take(ring, stage) && !is_over(ring, stage)) {
        const double from = clock_seconds();

        if (stage == STAGE_ENGINE)
            atomic_store(&steps->engine_waits, true);
        while (!can_take(ring, stage) && !is_over(ring, stage))
            pthread_cond_wait(&own->changed, &ring->lock);
        own->waited += clock_seconds() - from;
    }
    if (can_take(ring, stage)) {
        slot = &steps->slots[own->taken++ % steps->slot_count];
        slot->chunk.alone = ring->stage[STAGE_READER].passed <= own->taken ||
                            ring->stage[STAGE_WRITER].passed + 1 < ring->stage[STAGE_ENGINE].passed;
    }
    pthread_mutex_unlock(&ring->lock);
    return slot;
}

static bool has_next(struct ring *ring, enum stage stage)
{
    bool can;

    pthread_mutex_lock(&ring->lock);
    can = can_take(ring, stage);
    pthread_mutex_unlock(&ring->lock);
    return can;
}

/* The oldest slot that the stage holds. */
static struct slot *oldest(struct ring *ring, enum stage stage)
{
    return &ring->steps->slots[ring->stage[stage].passed % ring->steps->slot_count];
}

/* Passes the oldest slot that the stage holds on to the next stage. */
static void pass(struct ring *ring, enum stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->stage[stage].passed++;
    if (stage == STAGE_READER)
        atomic_store(&ring->steps->engine_waits, false);
    pthread_cond_signal(&ring->stage[(stage + 1) % STAGES].changed);
    pthread_mutex_unlock(&ring->lock);
}

/* The stage will pass on no more slots, and the stages before it stop: they get no more slots, and
 * the reader waits no longer for input. The stages after it still get what was passed on. */
static void end_stage(struct ring *ring, enum stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->stage[stage].ended = true;
    pthread_cond_signal(&ring->stage[(stage + 1) % STAGES].changed);
    for (int before = (int)stage - 1; before >= 0; before--) {
        ring->stage[before].stopped = true;
        pthread_cond_signal(&ring->stage[before].changed);
    }
    if (!ring->stage[STAGE_READER].ended)
        flag_raise(&ring->stop);
    pthread_mutex_unlock(&ring->lock);
}

/* ---- the threads */

/* `from`: when the stage's thread began. */
static void end_thread(struct ring *ring, enum stage stage, double from)
{
    ring->steps->busy[stage] = clock_seconds() - from - ring->stage[stage].waited;
    end_stage(ring, stage);
}

static void *reader_main(void *context)
{
    struct ring *ring = context;
    const double from = clock_seconds();
    struct slot *slot;

    while ((slot = take(ring, STAGE_READER)) != NULL && steps_read(ring->steps, slot))
        pass(ring, STAGE_READER);
    end_thread(ring, STAGE_READER, from);
    return NULL;
}

static void *engine_main(void *context)
{
    struct ring *ring = context;
    struct steps *steps = ring->steps;
    const unsigned most = steps->pipeline->plan->engine_class->in_flight;
    const double from = clock_seconds();
    unsigned flying = 0;

    for (;;) {
        if (!steps->engine_over && flying < most && (flying == 0 || has_next(ring, STAGE_ENGINE))) {
            struct slot *slot = take(ring, STAGE_ENGINE);

            if (slot == NULL)
                steps->engine_over = true;
            else if (steps_submit(steps, slot))
                flying++;
        } else if (flying > 0 && steps_collect(steps, oldest(ring, STAGE_ENGINE))) {
            pass(ring, STAGE_ENGINE);
            flying--;
        } else {
            break;
        }
    }
    steps_finish_engine(steps);
    end_thread(ring, STAGE_ENGINE, from);
    return NULL;
}

/* After a fault of its own the writer still takes the remaining slots: they may contain
 * statistics. */
static void run_writer(struct ring *ring)
{
    const double from = clock_seconds();
    struct slot *slot;

    while ((slot = take(ring, STAGE_WRITER)) != NULL) {
        if (!steps_write(ring->steps, slot))
            end_stage(ring, STAGE_WRITER);
        pass(ring, STAGE_WRITER);
    }
    steps_finish_output(ring->steps);
    end_thread(ring, STAGE_WRITER, from);
}

static int start_threads(struct ring *ring)
{
    pthread_t reader;
    pthread_t engine;
    int number = thread_start(&engine, engine_main, ring);

    if (number != 0)
        return number;
    number = thread_start(&reader, reader_main, ring);
    if (number == 0) {
        run_writer(ring);
        pthread_join(reader, NULL);
    } else {
        end_stage(ring, STAGE_READER); /* the engine gets no slots */
    }
    pthread_join(engine, NULL);
    return number;
}

int stages_run(struct steps *steps)
{
    struct input *input = steps->pipeline->source->input;
    struct ring ring = {.steps = steps};
    int number;

    if (flag_open(&ring.stop) != 0)
        return errno;
    pthread_mutex_init(&ring.lock, NULL);
    for (int i = 0; i < STAGES; i++)
        pthread_cond_init(&ring.stage[i].changed, NULL);
    input->stop_fd = ring.stop.wait;
    number = start_threads(&ring);
    input->stop_fd = -1;
    for (int i = 0; i < STAGES; i++)
        pthread_cond_destroy(&ring.stage[i].changed);
    pthread_mutex_destroy(&ring.lock);
    flag_close(&ring.stop);
    return number;
}

/* With a single CPU more threads would not be faster: one thread saves context switches, and each
 * chunk is still in the cache for the next stage. For a short input it saves starting threads. So
 * it does with two CPUs that other programs keep busy; but with two idle ones stages are as fast,
 * or faster. Nothing tells beforehand which a run gets. */
void turns_run(struct steps *steps)
{
    struct slot *slot = &steps->slots[0];
    bool more = true;
    double from = clock_seconds();

    while (more && !steps->engine_over && steps_read(steps, slot)) {
        steps->busy[STAGE_READER] += clock_lap(&from);
        more = steps_submit(steps, slot) && steps_collect(steps, slot);
        steps->busy[STAGE_ENGINE] += clock_lap(&from);
        more = more && steps_write(steps, slot);
        steps->busy[STAGE_WRITER] += clock_lap(&from);
    }
    steps_finish_engine(steps);
    steps_finish_output(steps);
}
