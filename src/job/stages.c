/* The schedulers of steps. stages_run(): one thread per stage, over one ring of slots, so that
 * reader, engine and writer work at the same time; the calling thread is the writer. turns_run():
 * one thread for all stages, in turn. */
#include <errno.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/thread.h"
#include "job/ring_priv.h"
#include "job/steps_priv.h"

static void end_stage(struct steps *steps, enum stage stage, double from)
{
    steps->busy[stage] = clock_seconds() - from - ring_waited(steps->ring, stage);
    ring_end(steps->ring, stage);
}

static void *reader_main(void *context)
{
    struct steps *steps = context;
    double from = clock_seconds();
    int slot;

    while ((slot = ring_take(steps->ring, STAGE_READER)) >= 0 &&
           steps_read(steps, &steps->slots[slot]))
        ring_pass(steps->ring, STAGE_READER);
    end_stage(steps, STAGE_READER, from);
    return NULL;
}

static void *engine_main(void *context)
{
    struct steps *steps = context;
    unsigned most = steps->pipeline->plan->engine_class->in_flight;
    int flying[SLOTS_MOST];
    unsigned first = 0;
    unsigned count = 0;
    double from = clock_seconds();

    for (;;) {
        if (!steps->engine_over && count < most &&
            (count == 0 || ring_can_take(steps->ring, STAGE_ENGINE))) {
            int slot = ring_take(steps->ring, STAGE_ENGINE);

            if (slot < 0)
                steps->engine_over = true;
            else if (steps_submit(steps, &steps->slots[slot]))
                flying[(first + count++) % SLOTS_MOST] = slot;
        } else if (count > 0 && steps_collect(steps, &steps->slots[flying[first]])) {
            ring_pass(steps->ring, STAGE_ENGINE);
            first = (first + 1) % SLOTS_MOST;
            count--;
        } else {
            break;
        }
    }
    steps_finish_engine(steps);
    end_stage(steps, STAGE_ENGINE, from);
    return NULL;
}

/* After a fault of its own it still takes the remaining slots: they may contain statistics. */
static void run_writer(struct steps *steps)
{
    double from = clock_seconds();
    int slot;

    while ((slot = ring_take(steps->ring, STAGE_WRITER)) >= 0) {
        if (!steps_write(steps, &steps->slots[slot]))
            ring_end(steps->ring, STAGE_WRITER);
        ring_pass(steps->ring, STAGE_WRITER);
    }
    steps_finish_output(steps);
    end_stage(steps, STAGE_WRITER, from);
}

int stages_run(struct steps *steps)
{
    struct input *input = steps->pipeline->source->input;
    pthread_t reader;
    pthread_t engine;
    int number;

    steps->ring = ring_open(steps->slot_count);
    if (steps->ring == NULL)
        return errno;
    input->stop_fd = ring_stop_fd(steps->ring);
    number = thread_start(&engine, engine_main, steps);
    if (number != 0)
        goto error;
    number = thread_start(&reader, reader_main, steps);
    if (number != 0) {
        ring_end(steps->ring, STAGE_READER); /* the engine gets no slots */
        pthread_join(engine, NULL);
        goto error;
    }
    run_writer(steps);
    pthread_join(reader, NULL);
    pthread_join(engine, NULL);

error:
    input->stop_fd = -1;
    ring_close(steps->ring);
    steps->ring = NULL;
    return number;
}

/* With a single CPU more threads would not be faster: one thread saves context switches, and each
 * chunk is still in the cache for the next stage. For a short input it saves starting threads. */
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
