#include "stream/pipeline.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/thread.h"
#include "stream/steps.h"

/* What the working thread and the one that watches it share. */
struct run {
    struct steps steps;
    int done; /* a flag */
    int number; /* errno of threads that could not be started */
};

static void work(struct run *run)
{
    if (run->steps.pipeline->in_turn)
        turns_run(&run->steps);
    else
        run->number = stages_run(&run->steps);
}

static void *work_main(void *context)
{
    struct run *run = context;

    work(run);
    flag_raise(run->done);
    return NULL;
}

/* Sleeps until all is done, and looks up now and then. Signals come to this thread: they end the
 * sleep early. */
static void watch(const struct run *run)
{
    const struct pipeline *pipeline = run->steps.pipeline;
    struct pollfd done = {.fd = run->done, .events = POLLIN};
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
static int work_watched(struct run *run, struct error *error)
{
    pthread_t worker;

    run->done = flag_open();
    if (run->done < 0)
        return error_system(error, "the ring of buffers", errno);
    run->number = thread_start(&worker, work_main, run);
    if (run->number == 0) {
        watch(run);
        pthread_join(worker, NULL);
    }
    flag_close(run->done);
    return run->number == 0 ? 0 : error_system(error, "threads", run->number);
}

int pipeline_run(struct pipeline *pipeline, struct error *error)
{
    struct input *input = pipeline->source->input;
    struct run run = {.done = -1};
    const struct fault *fault;
    double from = clock_seconds();
    double waited = input->waited;
    int result = 0;

    if (steps_open(&run.steps, pipeline, error) != 0)
        return -1;
    if (pipeline->brief && pipeline->in_turn)
        work(&run);
    else
        result = work_watched(&run, error);
    fault = steps_fault(&run.steps);
    if (fault != NULL) {
        *error = fault->error;
        result = -1;
    }
    memcpy(pipeline->busy, run.steps.busy, sizeof pipeline->busy);
    /* Waiting for a slow input is no work. */
    pipeline->busy[RING_READER] -= input->waited - waited;
    steps_close(&run.steps);
    pipeline->seconds = clock_seconds() - from;
    return result;
}
