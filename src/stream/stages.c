/* One thread per stage, over one ring of slots: reader, engine and writer work at the same time.
 * The calling thread is the writer. */
#include <errno.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/thread.h"
#include "stream/ring.h"
#include "stream/steps.h"

struct stages {
    struct steps *steps;
    struct ring *ring;
};

static bool engine_is_hungry(void *scheduler)
{
    const struct stages *stages = scheduler;

    return ring_is_hungry(stages->ring, RING_READER);
}

static void end_stage(const struct stages *stages, enum ring_stage stage, double from)
{
    stages->steps->busy[stage] = clock_seconds() - from - ring_waited(stages->ring, stage);
    if (stages->steps->faults[stage].failed)
        ring_stop(stages->ring, stage);
    ring_end(stages->ring, stage);
}

static void *reader_main(void *context)
{
    const struct stages *stages = context;
    struct steps *steps = stages->steps;
    double from = clock_seconds();
    int slot;

    while ((slot = ring_take(stages->ring, RING_READER)) >= 0 &&
           steps_read(steps, &steps->slots[slot]))
        ring_pass(stages->ring, RING_READER);
    end_stage(stages, RING_READER, from);
    return NULL;
}

static void *engine_main(void *context)
{
    const struct stages *stages = context;
    struct steps *steps = stages->steps;
    unsigned most = steps->pipeline->engine_class->chunks_in_flight(steps->engine);
    int flying[SLOTS_MOST];
    unsigned first = 0;
    unsigned count = 0;
    double from = clock_seconds();

    for (;;) {
        if (!steps->engine_over && count < most &&
            (count == 0 || ring_can_take(stages->ring, RING_ENGINE))) {
            int slot = ring_take(stages->ring, RING_ENGINE);

            if (slot < 0)
                steps->engine_over = true;
            else if (steps_submit(steps, &steps->slots[slot]))
                flying[(first + count++) % SLOTS_MOST] = slot;
        } else if (count > 0 && steps_collect(steps, &steps->slots[flying[first]])) {
            ring_pass(stages->ring, RING_ENGINE);
            first = (first + 1) % SLOTS_MOST;
            count--;
        } else {
            break;
        }
    }
    steps_finish_engine(steps);
    end_stage(stages, RING_ENGINE, from);
    return NULL;
}

/* After a fault of its own it still takes the remaining slots: they may contain statistics. */
static void run_writer(const struct stages *stages)
{
    struct steps *steps = stages->steps;
    double from = clock_seconds();
    int slot;

    while ((slot = ring_take(stages->ring, RING_WRITER)) >= 0) {
        if (!steps_write(steps, &steps->slots[slot]))
            ring_stop(stages->ring, RING_WRITER);
        ring_pass(stages->ring, RING_WRITER);
    }
    steps_finish_output(steps);
    end_stage(stages, RING_WRITER, from);
}

int stages_run(struct steps *steps)
{
    struct stages stages = {.steps = steps, .ring = ring_open(steps->slot_count)};
    struct input *input = steps->pipeline->source->input;
    pthread_t reader;
    pthread_t engine;
    int number;

    if (stages.ring == NULL)
        return errno;
    steps->is_hungry = engine_is_hungry;
    steps->scheduler = &stages;
    input->stop_fd = ring_stop_fd(stages.ring);
    number = thread_start(&engine, engine_main, &stages);
    if (number != 0)
        goto error;
    number = thread_start(&reader, reader_main, &stages);
    if (number != 0) {
        ring_end(stages.ring, RING_READER); /* the engine gets no slots */
        pthread_join(engine, NULL);
        goto error;
    }
    run_writer(&stages);
    pthread_join(reader, NULL);
    pthread_join(engine, NULL);

error:
    input->stop_fd = -1;
    steps->is_hungry = NULL;
    ring_close(stages.ring);
    return number;
}
