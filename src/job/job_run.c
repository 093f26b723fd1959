/* SPDX-License-Identifier: MIT */
#include "job/job.h"

#include <signal.h>
#include <unistd.h>

#include "base/size_words.h"
#include "job/job_priv.h"

static bool uses_terminal(const struct job *job)
{
    for (int i = 0; i < OUTPUTS; i++) {
        if (isatty(job->outputs[i].fd) == 1)
            return true;
    }
    return false;
}

/* Does a signal end the input, and leave the output complete? It does if an input without an end of
 * its own is written to a file. A summary covers what has come so far. */
static bool is_recording(const struct job *job)
{
    return job->settings->summary ||
           (job->settings->shards == 0 && !job->input.regular &&
            job->input.unpacker.program.name == NULL &&
            job->pipeline.source->format.frames == SOURCE_FRAMES_UNKNOWN &&
            job->outputs[OUTPUT_FRAMES].path != NULL);
}

/* Waits until the device has room for another job, then runs the stream and shows its progress. */
static int run_stream(struct job *job, struct error *error)
{
    const struct pipeline *pipeline = &job->pipeline;
    const bool on_device = job->plan.device == PLAN_DEVICE || job->plan.choice.device;
    const bool ends = is_recording(job) && job_lend_end(job);
    int result;

    while (on_device && sem_wait(&job->shared->device) != 0)
        ; /* interrupted by a signal */
    if (job->host->begin != NULL)
        job->host->begin(job->settings->progress, uses_terminal(job), job->plan.reads,
                         engine_in_bytes(&pipeline->plan->setup),
                         pipeline->plan->engine_class->name);
    result = pipeline_run(pipeline, job->result, error);
    if (job->host->end != NULL)
        job->host->end();
    if (on_device)
        sem_post(&job->shared->device);
    if (device_fault(&job->result->device) != NULL)
        atomic_store(&job->shared->device_failed, true);
    if (ends)
        job_take_back_end(job);
    return result;
}

static void say_ended(const struct job *job, bool aside)
{
    const bool summary = job->settings->summary;
    const char *name = job->outputs[OUTPUT_FRAMES].name;
    const uint64_t frames = job->result->in_frames;

    job->host->warning("%s: ended by SIG%s after %llu frame%s%s%s%s", job->input.name,
                       job->number == SIGINT    ? "INT"
                       : job->number == SIGTERM ? "TERM"
                                                : "HUP",
                       (unsigned long long)frames, size_plural(frames),
                       summary ? ": the summary is of these" : "; the output is ",
                       summary ? "" : name, aside ? ", beside an older file" : "");
}

/* Outputs of a recording that would replace older files get names that end in ".part". `*aside`:
 * the output of frames got one. */
static int step_aside(struct job *job, bool *aside, struct error *error)
{
    struct output *stats = &job->outputs[OUTPUT_STATS];
    bool of_stats;

    if (stats->fd >= 0 && output_step_aside(stats, &of_stats, error) != 0)
        return -1;
    return output_step_aside(&job->outputs[OUTPUT_FRAMES], aside, error);
}

/* Takes back what commit() has done. */
static void take_back(struct job *job)
{
    output_take_back(&job->outputs[OUTPUT_STATS]);
    output_take_back(&job->outputs[OUTPUT_FRAMES]);
}

/* Gives the outputs their names, frames first, so that statistics never exist without them; all or
 * none. report_write() does that for the report. What a user has recorded is never taken back. */
static int commit(struct job *job, bool recorded, struct error *error)
{
    struct output *frames = &job->outputs[OUTPUT_FRAMES];
    struct output *stats = &job->outputs[OUTPUT_STATS];

    stats->undoable = !recorded && job->outputs[OUTPUT_REPORT].fd >= 0;
    frames->undoable = !recorded && (stats->fd >= 0 || stats->undoable);
    if (frames->fd >= 0 && output_commit(frames, error) != 0)
        return -1;
    if (stats->fd < 0 || output_commit(stats, error) == 0)
        return 0;
    take_back(job);
    return -1;
}

/* Runs the stream and finishes the output. All files are open. */
static int run(struct job *job, struct error *error)
{
    bool aside = false;
    bool ended;
    int result;

    if (job->call->texts == NULL)
        summary_say_plan(job);
    result = run_stream(job, error);
    if (job->skip_failed) {
        *error = job->skip_error;
        result = -1;
    }
    /* The signal may have come after the end of the input. */
    ended = job->input.stopped && job->number != 0;
    if (result == 0 && ended && !job->settings->summary)
        result = step_aside(job, &aside, error);
    if (result == 0)
        result = commit(job, ended, error);
    if (result == 0 && ended)
        say_ended(job, aside);
    summary_warn(job, result == 0);
    if (result == 0 && job->settings->summary && isatty(job->outputs[OUTPUT_STATS].fd) == 1)
        about_suggest(job);
    /* Bad lines are an error after a summary, which is complete in spite of them. */
    return result == 0 && summary_has_bad_lines(job)
               ? error_set(error, ERROR_FILE, job->input.name, "%s",
                           source_remark(job->pipeline.source))
               : result;
}

/* Makes the report of the run, or of an attempt that failed before there was a stream. */
static int make_report(struct job *job, int result, struct error *error)
{
    const struct error *failure = result == 0 ? NULL : error;
    struct job_texts *texts = job->call->texts;
    struct error of_report;

    if (texts != NULL && texts->reports)
        texts->report = report_format(job, failure, true, &texts->report_size);
    if (texts != NULL)
        return result;
    if (job->result->engine != NULL)
        report_say(job);
    if (job->outputs[OUTPUT_REPORT].fd >= 0 && report_write(job, failure, &of_report) != 0 &&
        result == 0) {
        *error = of_report;
        result = -1;
        take_back(job);
    }
    return result;
}

int job_run_call(struct job_call *call, struct error *error)
{
    struct job job = {
        .settings = call->settings,
        .task = call->task,
        .call = call,
        .shared = call->shared,
        .host = call->host,
        .input.fd = -1,
        .pipeline = {.plan = &job.plan.stream,
                     .progress = call->progress,
                     .damage = call->settings->accept_damaged ? &job.damage : NULL,
                     .beside = call->shared->jobs - 1,
                     .watch = call->host->watch},
        .result = &call->result,
    };
    int result = -1;

    for (int i = 0; i < OUTPUTS; i++)
        job.outputs[i].fd = -1;
    if (job_open(&job, error) == 0)
        result = run(&job, error);
    result = make_report(&job, result, error);
    if (job.pipeline.sink != NULL)
        job.pipeline.sink->class->close(job.pipeline.sink);
    stats_close(job.pipeline.stats);
    memory_text_free(&job.about);
    for (int i = 0; i < OUTPUTS; i++)
        output_close(&job.outputs[i]);
    source_close(job.pipeline.source);
    input_close(&job.input);
    gpuenv_close(job.own_context);
    return result;
}

int job_run(const struct settings *settings, const struct job_files *task,
            const struct job_host *host, struct error *error)
{
    struct job_shared shared = {.jobs = 1};
    struct pipeline_progress progress = {.in_frames = 0};
    struct job_call call = {
        .settings = settings, .task = task, .host = host, .shared = &shared, .progress = &progress};
    int result;

    sem_init(&shared.device, 0, 1);
    result = job_run_call(&call, error);
    sem_destroy(&shared.device);
    return result;
}

bool job_is_large(uint64_t bytes)
{
    return bytes >= UINT64_C(16) << 20;
}

int job_check(const struct settings *settings, const struct job_files *task, struct error *error)
{
    struct job job = {.settings = settings, .task = task};
    struct source_request request;

    return job_begin(&job, &request, error) != 0
               ? -1
               : plan_check_window(&job.plan, settings, NULL, error);
}
