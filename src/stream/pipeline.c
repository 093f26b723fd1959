#include "stream/pipeline.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/thread.h"
#include "stream/pause.h"
#include "stream/pieces.h"
#include "stream/steps.h"

/* What the working thread and the one that watches it share. */
struct run {
    struct pipeline *pipeline;
    struct pause pause;
    struct steps steps;
    struct flag done;
    int result;
    struct error error;
};

/* To the end, or to a pause. */
static int work_in_order(struct run *run)
{
    struct pipeline *pipeline = run->pipeline;
    const struct fault *fault;
    int number = 0; /* why there are no threads: an errno value */
    int result = 0;

    if (steps_open(&run->steps, pipeline, &run->error) != 0)
        return -1;
    pause_begin(&run->pause);
    run->steps.pause = run->pause.workers > 0 ? &run->pause : NULL;
    if (pipeline->in_turn)
        turns_run(&run->steps);
    else
        number = stages_run(&run->steps);
    for (int i = 0; i < RING_STAGES; i++)
        pipeline->busy[i] += run->steps.busy[i];
    fault = steps_fault(&run->steps);
    if (number != 0) {
        result = thread_error(&run->error, number);
    } else if (fault != NULL) {
        run->error = fault->error;
        result = -1;
    }
    steps_close(&run->steps);
    return result;
}

/* Pieces first, as far as they go; then the rest, in order. */
static int work(struct run *run)
{
    struct pipeline *pipeline = run->pipeline;
    int result = 0;

    pieces_plan(pipeline, &pipeline->pieces);
    if (pipeline->pieces.workers > 0 && pieces_run(pipeline, &pipeline->pieces, &run->error) != 0)
        return -1;
    pause_open(&run->pause, pipeline);
    do {
        result = work_in_order(run);
        if (result == 0 && run->steps.paused)
            result = pause_run(&run->pause, run->steps.frames, &run->error);
    } while (result == 0 && run->steps.paused);
    pause_close(&run->pause);
    return result;
}

static void *work_main(void *context)
{
    struct run *run = context;

    run->result = work(run);
    flag_raise(&run->done);
    return NULL;
}

/* Sleeps until all is done, and looks up now and then. Signals come to this thread: they end the
 * sleep early. */
static void watch(const struct run *run)
{
    const struct pipeline *pipeline = run->pipeline;
    struct pollfd done = {.fd = run->done.wait, .events = POLLIN};
    int milliseconds = pipeline->watch == NULL ? -1 : (int)(pipeline->watch_seconds * 1e3);

    for (;;) {
        int ready = poll(&done, 1, milliseconds);

        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        if (pipeline->watch != NULL)
            pipeline->watch(pipeline->watch_context, &pipeline->progress);
    }
}

/* The work on a thread of its own, with this one to watch it. */
static int work_watched(struct run *run)
{
    pthread_t worker;
    int number;

    if (flag_open(&run->done) != 0)
        return error_system(&run->error, ERROR_RESOURCE, "a pipe between threads", errno);
    number = thread_start(&worker, work_main, run);
    if (number == 0) {
        watch(run);
        pthread_join(worker, NULL);
    }
    flag_close(&run->done);
    return number == 0 ? run->result : thread_error(&run->error, number);
}

int pipeline_run(struct pipeline *pipeline, struct error *error)
{
    struct input *input = pipeline->source->input;
    struct run run = {.pipeline = pipeline};
    double waited = input->waited;
    int result;

    pipeline->began = clock_seconds();
    result = pipeline->brief ? work(&run) : work_watched(&run);
    if (result != 0)
        *error = run.error;
    /* Waiting for a slow input is no work. */
    pipeline->busy[RING_READER] -= input->waited - waited;
    pipeline->seconds = clock_seconds() - pipeline->began;
    return result;
}
