#include "job/pipeline.h"

#include "base/clock.h"
#include "base/thread.h"
#include "base/thread_program.h"
#include "job/pieces_priv.h"
#include "job/steps_priv.h"
#include "lib/engines.h"

/* Shared by the working thread and the one that watches it. */
struct watched_run {
    const struct pipeline *pipeline;
    struct run_result *result;
    double began; /* by the clock */
    struct steps steps;
    int failed;
    struct error error;
};

static int work_in_order(struct watched_run *run, const struct extent *extent, bool brief)
{
    struct run_result *result = run->result;
    const struct stream_fault *fault;
    int number = 0; /* an errno value: why a thread could not be started */
    int failed = 0;

    if (steps_open(&run->steps, run->pipeline, extent, brief, &run->error) != 0)
        return -1;
    run->pipeline->plan->engine_class->describe(run->steps.engine, result->engine_words,
                                                sizeof result->engine_words);
    if (result->workers == 0)
        result->way = run->steps.in_turn ? "turns" : "stages";
    if (run->steps.in_turn)
        turns_run(&run->steps);
    else
        number = stages_run(&run->steps);
    for (int i = 0; i < STAGES; i++)
        result->busy[i] += run->steps.busy[i];
    result->lost_intervals = by_times_lost(run->steps.by_times);
    fault = steps_fault(&run->steps);
    if (number != 0) {
        failed = thread_error(&run->error, number);
    } else if (fault != NULL) {
        run->error = fault->error;
        failed = -1;
    }
    steps_close(&run->steps);
    return failed;
}

/* First the pieces, as far as possible; then the rest, in order. */
static int run_stream(struct watched_run *run)
{
    const struct pipeline *pipeline = run->pipeline;
    struct pieces_rest rest = {.extent = pipeline->plan->extent, .brief = pipeline->plan->brief};
    struct pieces_plan plan = {.workers = 0};

    if (!stream_goes_by_times(pipeline->plan))
        pieces_plan(pipeline, &plan);
    run->result->why = plan.why;
    if (plan.workers > 0 &&
        pieces_run(pipeline, &plan, run->began, run->result, &rest, &run->error) != 0)
        return -1;
    return work_in_order(run, &rest.extent, rest.brief);
}

static void work_main(void *context)
{
    struct watched_run *run = context;

    run->failed = run_stream(run);
}

static void tick(void *context)
{
    const struct pipeline *pipeline = ((const struct watched_run *)context)->pipeline;

    pipeline->watch(pipeline->progress);
}

int pipeline_run(const struct pipeline *pipeline, struct run_result *result, struct error *error)
{
    const struct input *input = pipeline->source->input;
    const struct extent *extent = &pipeline->plan->extent;
    const struct engine_class *class = pipeline->plan->engine_class;
    const bool by_times = stream_goes_by_times(pipeline->plan);
    struct pipeline_progress *progress = pipeline->progress;
    struct watched_run run = {.pipeline = pipeline, .result = result, .began = clock_seconds()};
    double waited = input->waited;

    *result = (struct run_result){
        .engine = by_times ? "clock" : class->name,
        .on_device = !by_times && class == engines_class(ENGINE_CUDA),
        .way = "stages",
        .device.number = pipeline->machine->device,
    };
    /* The first halo is read before the first frame that counts, so it counts at once. */
    atomic_store(&progress->in_frames, extent->own - extent->start);
    atomic_store(&progress->frame_bytes, engine_in_bytes(&pipeline->plan->setup));
    if (pipeline->plan->brief || pipeline->watch == NULL)
        work_main(&run);
    else if (thread_watch(work_main, tick, &run, &run.error) != 0)
        run.failed = -1;
    if (run.failed != 0)
        *error = run.error;
    /* Waiting for a slow input is not work. */
    result->busy[STAGE_READER] -= input->waited - waited;
    result->seconds = clock_seconds() - run.began;
    result->in_frames = atomic_load(&progress->in_frames);
    result->out_frames = atomic_load(&progress->out_frames);
    result->chunks = atomic_load(&progress->chunks);
    result->in_bytes = input->bytes;
    result->out_bytes = pipeline->sink == NULL ? 0 : pipeline->sink->output->bytes;
    return run.failed;
}
