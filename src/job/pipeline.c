/* SPDX-License-Identifier: MIT */
#include "job/stream.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/min_max.h"
#include "base/thread.h"
#include "base/thread_program.h"
#include "job/pieces_priv.h"
#include "job/series_priv.h"
#include "job/steps_priv.h"
#include "lib/engines.h"

/* Shared by the working thread and the thread that watches it. */
struct watched_run {
    const struct pipeline *pipeline;
    struct run_result *result;
    double began; /* seconds, by the clock */
    struct steps steps;
    int failed;
    struct error error;
};

/* Tells the source where the run has ended early: after a row that is an error or ended a range, or
 * after the last wanted row. */
static void set_end(const struct steps *steps, const struct stream_fault *fault)
{
    struct source *source = steps->pipeline->source;
    const uint64_t skipped = steps->pipeline->skipped;

    if (fault != NULL)
        source_set_end(source, skipped + min_u64(fault->frame, steps->frames) + 1);
    else if (source->input->enough || steps->frames == steps->pipeline->plan->limit)
        source_set_end(source, skipped + steps->frames + source->input->enough);
}

/* Runs steps that are open. */
static int run_steps(struct watched_run *run)
{
    struct steps *steps = &run->steps;
    const struct stream_plan *plan = steps->pipeline->plan;
    struct run_result *result = run->result;
    const struct stream_fault *fault;
    int number = 0; /* an errno value: why a thread could not be started */
    int failed = 0;

    plan->engine_class->describe(steps->engine, result->engine_words, sizeof result->engine_words);
    if (result->workers == 0)
        result->way = steps->in_turn ? "turns" : "stages";
    if (steps->in_turn)
        turns_run(steps);
    else
        number = stages_run(steps);
    for (int i = 0; i < STAGES; i++)
        result->busy[i] += steps->busy[i];
    result->lost_intervals = by_times_lost(steps->by_times);
    fault = steps_fault(steps);
    set_end(steps, fault);
    if (number != 0) {
        failed = thread_error(&run->error, number);
    } else if (fault != NULL) {
        run->error = fault->error;
        failed = -1;
    }
    steps_close(steps);
    return failed;
}

/* Moves the source and the extent so that the run goes on at `end`: the windows that end before it,
 * and the statistics of the frames before it, are done. `doubt`: something unexpected has ended the
 * work before. */
static int go_on(const struct pipeline *pipeline, struct extent *extent, uint64_t end, bool doubt,
                 struct error *error)
{
    struct source *source = pipeline->source;
    const uint64_t frame = min_u64(end, pipeline->plan->frames);

    extent->windows.from = max_u64(end, extent->windows.from);
    extent->blocks.from = max_u64(frame, extent->blocks.from);
    extent->own = frame;
    extent->start = frame;
    if (pipeline->sink != NULL)
        extent->start -= piece_make(&pipeline->plan->setup.window, frame, 0).halo;
    return source->class->go(source, pipeline->skipped + extent->start, doubt, error);
}

/* Does the stream by a device, in order. If that fails, `*goes_on` is set, and the rest of the
 * extent is left to the cores. */
static int run_by_device(struct watched_run *run, struct extent *extent, bool *goes_on)
{
    struct pipeline pipeline = *run->pipeline;
    struct run_result *result = run->result;
    struct device_result *device = &result->device;
    _Atomic uint64_t *in_frames = &pipeline.progress->in_frames;
    int failed;

    pipeline.plan = pipeline.device;
    input_share_idle(pipeline.source->input);
    *device = (struct device_result){.number = pipeline.machine->device, .state = DEVICE_NEVER};
    *goes_on = steps_open(&run->steps, &pipeline, extent, false, &device->error) != 0;
    if (*goes_on) {
        device->failed = clock_seconds() - run->began;
        return 0;
    }
    device->state = DEVICE_AT_WORK;
    device->started = clock_seconds() - run->began;
    result->why = "the engine works only in order";
    failed = run_steps(run);
    snprintf(device->words, sizeof device->words, "%s", result->engine_words);
    *goes_on = failed != 0 && steps_give_up_device(&run->steps);
    if (*goes_on) {
        device->state = DEVICE_FAILED;
        device->failed = clock_seconds() - run->began;
        device->error = run->error;
        failed =
            go_on(&pipeline, extent, max_u64(run->steps.ended, extent->own), true, &run->error);
        atomic_store(in_frames, extent->own - pipeline.plan->extent.start);
    }
    device->frames = atomic_load(in_frames);
    if (!*goes_on) {
        result->engine = pipeline.plan->engine_class->name;
        result->on_device = true;
    }
    return failed;
}

/* Does the stream by the cores: first the pieces, as far as possible, then the rest in order. */
static int run_by_cores(struct watched_run *run, struct extent *extent)
{
    const struct pipeline *pipeline = run->pipeline;
    bool brief = pipeline->plan->brief;
    struct pieces_plan plan = {.workers = 0};
    uint64_t done;

    if (!stream_goes_by_times(pipeline->plan))
        pieces_plan(pipeline, extent, &plan);
    run->result->why = plan.why;
    if (plan.workers > 0) {
        if (pieces_run(pipeline, &plan, run->result, &done, &run->error) != 0)
            return -1;
        brief = done == plan.end;
        if (go_on(pipeline, extent, done, !brief, &run->error) != 0)
            return -1;
    }
    return steps_open(&run->steps, pipeline, extent, brief, &run->error) == 0 ? run_steps(run) : -1;
}

static int run_extent(struct watched_run *run)
{
    struct extent extent = run->pipeline->plan->extent;
    bool goes_on = true;
    int failed = 0;

    if (run->pipeline->device != NULL)
        failed = run_by_device(run, &extent, &goes_on);
    return failed == 0 && goes_on ? run_by_cores(run, &extent) : failed;
}

static void work_main(void *context)
{
    struct watched_run *run = context;

    run->failed = run_extent(run);
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
