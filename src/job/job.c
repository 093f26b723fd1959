#include "job/job.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pages.h"
#include "bytes/input.h"
#include "bytes/output.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cpu/kernels.h"
#include "cuda/engine_cuda.h"
#include "engine/engine.h"
#include "format/sink.h"
#include "format/source.h"
#include "job/device.h"
#include "stats/stats.h"
#include "stream/pipeline.h"

struct job {
    const struct settings *settings;
    const struct task *task;
    struct input input;
    struct source *source;
    struct output output;
    struct sink *sink;     /* NULL: no frames are written */
    struct output account; /* --report */
    struct output stats;   /* --stats */
    struct pipeline pipeline;
    struct progress progress;
};

static int request_of(const struct settings *settings, struct source_request *request,
                      struct error *error)
{
    *request = (struct source_request){
        .channels = settings->channels,
        .channels_given = settings->channels_given,
        .rate = settings->rate,
    };
    if (source_request_type(request, settings->type, settings->big_endian, error) != 0)
        return -1;
    request->sample.counts = settings->counts;
    return 0;
}

/* Where the windows lie, from the settings and the rate of the input. */
static int plan_window(const struct settings *settings, double rate, struct window *window,
                       struct error *error)
{
    uint64_t width;
    uint64_t hop;

    if (settings_span(&settings->window, "-w", rate, 1, 1, &width, error) != 0 ||
        settings_span(&settings->hop, "--hop", rate, 1, 1, &hop, error) != 0)
        return -1;
    /* Where no frames are written, there are no windows past the end either. */
    window_init(window, width, hop, settings->emits.count > 0 ? settings->align : ALIGN_VALID,
                settings->edge);
    return 0;
}

/* The length of a block of statistics. */
static int plan_stats(const struct settings *settings, double rate, uint64_t *every,
                      struct error *error)
{
    return settings_span(&settings->stats_every, "--stats-every", rate, 1, STATS_ALL, every, error);
}

/* What can be told before there is an input, which may be long in coming. */
static int check_settings(const struct settings *settings, const struct source_request *request,
                          const char *output, struct error *error)
{
    const struct sink_request sink = {
        .type = settings->output_type,
        .path = output,
        .counts = settings->counts,
    };
    struct sink_format format = {.channels = 1, .rate = 1, .frames = SINK_FRAMES_UNKNOWN};
    struct window window;
    uint64_t every;

    if (settings->device == DEVICE_CUDA && !settings->lemire &&
        engine_cuda_find(settings->device_index, error) != 0)
        return -1;
    if (cpu_kernels_pick(settings->isa) == NULL)
        return error_set(error, STATUS_USAGE, "--isa %s: not for this machine", settings->isa);
    if (settings->emits.count > 0 && sink_choose(&sink, &format, error) != 0)
        return -1;
    /* A header may know the rate; frames without one know what the settings say. */
    if (request->automatic || request->container != NULL)
        return 0;
    if (plan_stats(settings, settings->rate, &every, error) != 0)
        return -1;
    return plan_window(settings, settings->rate, &window, error);
}

static int open_source(struct job *job, const char *path, const char *output, struct error *error)
{
    struct source_request request;

    if (request_of(job->settings, &request, error) != 0 ||
        check_settings(job->settings, &request, output, error) != 0)
        return -1;
    if (input_open(&job->input, path, job->settings->force, error) != 0)
        return -1;
    job->input.threads = job->settings->threads;
    return source_open(&job->input, &request, &job->source, error);
}

/* The memory that the run may come to use, against what there is. */
static int check_memory(const struct job *job, struct error *error)
{
    const struct pipeline *pipeline = &job->pipeline;
    const struct settings *settings = job->settings;
    const struct engine_setup *setup = &pipeline->setup;
    uint64_t limit = pages_limit();
    uint64_t chunks = setup->chunk_frames * engine_chunks_bytes(setup);
    uint64_t window = pipeline->engine_class->memory(setup);
    uint64_t stats = job->task->stats != NULL ? stats_memory(setup->channels) : 0;

    chunks += stats;
    if (settings->emits.count == 0 && chunks > limit)
        return error_set(error, STATUS_FAILED,
                         "--stats: needs %" PRIu64 " bytes of memory, there are %" PRIu64, chunks,
                         limit);
    if (settings->chunk > limit / engine_chunks_bytes(setup))
        return error_set(error, STATUS_USAGE,
                         "--chunk %zu: needs more memory than there is (%" PRIu64 " bytes)",
                         settings->chunk, limit);
    if (window > UINT64_MAX - chunks)
        return error_set(error, STATUS_FAILED,
                         "-w %s: needs more bytes of memory than can be counted",
                         settings->window.text);
    if (window + chunks > limit)
        return error_set(error, STATUS_FAILED,
                         "-w %s: needs %" PRIu64 " bytes of memory, there are %" PRIu64,
                         settings->window.text, window + chunks, limit);
    return 0;
}

static int plan_engine(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct source_format *format = &job->source->format;
    struct engine_setup *setup = &job->pipeline.setup;
    uint64_t frames;

    if (plan_window(settings, format->rate, &setup->window, error) != 0)
        return -1;
    setup->emits = settings->emits;
    setup->nan = settings->nan;
    setup->sample = format->sample;
    setup->channels = format->channels;
    setup->threads = settings->threads;
    setup->isa = settings->isa;
    if (job->task->stats != NULL &&
        plan_stats(settings, format->rate, &setup->stats_every, error) != 0)
        return -1;
    if (settings_span(&settings->frames, "--frames", format->rate, 0, UINT64_MAX,
                      &job->pipeline.limit, error) != 0)
        return -1;
    frames = job->pipeline.limit < format->frames ? job->pipeline.limit : format->frames;
    if (device_choose(settings, setup, frames, &job->pipeline.engine_class, error) != 0)
        return -1;
    return check_memory(job, error);
}

/* Where in the input the part begins that is to be used; plan_engine() knows how long it is. */
static int plan_skip(const struct job *job, uint64_t *skip, struct error *error)
{
    return settings_span(&job->settings->skip, "--skip", job->source->format.rate, 0, 0, skip,
                         error);
}

/* How many frames will come out, where the input says how many go in. */
static uint64_t count_outputs(const struct job *job, uint64_t skip)
{
    uint64_t frames = job->source->format.frames;

    if (frames == SOURCE_FRAMES_UNKNOWN)
        return SINK_FRAMES_UNKNOWN;
    frames = frames > skip ? frames - skip : 0;
    if (frames > job->pipeline.limit)
        frames = job->pipeline.limit;
    return window_outputs(&job->pipeline.setup.window, frames);
}

static int skip_frames(struct job *job, uint64_t skip, struct error *error)
{
    struct source *source = job->source;

    if (skip == 0)
        return 0;
    if (source->class->skip(source, skip, &job->pipeline.skipped, error) != 0)
        return -1;
    if (source->format.frames != SOURCE_FRAMES_UNKNOWN)
        source->format.frames -= job->pipeline.skipped;
    job->input.bytes = 0; /* the account is of what is used */
    return 0;
}

static int open_sink(struct job *job, const char *path, uint64_t skip, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct engine_setup *setup = &job->pipeline.setup;
    const struct sink_request request = {
        .type = settings->output_type,
        .path = path,
        .counts = settings->counts,
    };
    struct sink_format format = {
        .channels = setup->channels * setup->emits.count,
        .rate = job->source->format.rate / (double)setup->window.hop,
        .frames = count_outputs(job, skip),
    };

    if (setup->emits.count == 0)
        return 0;
    if (sink_choose(&request, &format, error) != 0)
        return -1;
    if (output_open(&job->output, path, settings->force, &job->input, error) != 0)
        return -1;
    return sink_open(&job->output, &format, &job->sink, error);
}

static void watch(void *context, const struct pipeline_progress *done)
{
    struct job *job = context;

    progress_update(&job->progress, atomic_load(&done->in_frames));
}

static void say_plan(const struct job *job)
{
    static const char *const align[] = {"valid", "causal", "center"};
    const struct engine_setup *setup = &job->pipeline.setup;
    char rate[40] = "";

    if (job->source->format.rate > 0)
        snprintf(rate, sizeof rate, " at %.17g Hz", job->source->format.rate);
    messages_note("%s: %s %s, %u channel%s%s", job->input.name, job->source->container,
                  job->source->encoding, setup->channels, setup->channels == 1 ? "" : "s", rate);
    if (job->stats.name != NULL)
        messages_note("%s: statistics of the input", job->stats.name);
    if (job->sink == NULL)
        return;
    messages_note("%s: %s %s, %u channel%s", job->output.name, job->sink->format.container,
                  sample_type_name(job->sink->format.sample), job->sink->format.channels,
                  job->sink->format.channels == 1 ? "" : "s");
    messages_note("plan: %s engine, window %" PRIu64 ", %s, hop %" PRIu64
                  ", values a channel: %u, frames a chunk: up to %zu",
                  job->pipeline.engine_class->name, setup->window.width, align[setup->window.align],
                  setup->window.hop, setup->emits.count, setup->chunk_frames);
}

static void warn(const struct job *job, bool complete)
{
    const struct window *window = &job->pipeline.setup.window;
    uint64_t frames = atomic_load(&job->pipeline.progress.in_frames);
    const struct sample_losses *losses;

    if (job->sink == NULL)
        return;
    losses = &job->sink->losses;
    if (complete && window->align == ALIGN_VALID && frames < window->width)
        messages_warning("%s: no output: the input has %" PRIu64 " frame%s, the window %" PRIu64
                         " (see --align)",
                         job->input.name, frames, frames == 1 ? "" : "s", window->width);
    if (losses->clipped > 0)
        messages_warning("%s: %llu value%s clipped", job->output.name, losses->clipped,
                         losses->clipped == 1 ? "" : "s");
    if (losses->nan > 0)
        messages_warning("%s: %llu NaN written as zero", job->output.name, losses->nan);
}

static int report(struct job *job, int result, const struct error *failure, struct error *error)
{
    const struct pipeline *pipeline = &job->pipeline;
    const struct sink *sink = job->sink;
    const struct stats *stats = pipeline->stats;
    const struct report account = {
        .input = job->input.name,
        .input_container = job->source->container,
        .input_encoding = job->source->encoding,
        .output = job->output.name,
        .frameless = sink == NULL,
        .output_container = sink == NULL ? NULL : sink->format.container,
        .output_encoding = sink == NULL ? NULL : sample_type_name(sink->format.sample),
        .in_frames = atomic_load(&pipeline->progress.in_frames),
        .out_frames = atomic_load(&pipeline->progress.out_frames),
        .in_bytes = job->input.bytes,
        .out_bytes = job->output.bytes,
        .chunks = atomic_load(&pipeline->progress.chunks),
        .seconds = pipeline->seconds,
        .busy = {pipeline->busy[RING_READER], pipeline->busy[RING_ENGINE],
                 pipeline->busy[RING_WRITER]},
        .engine = pipeline->engine_class->name,
        .engine_words = pipeline->engine_words,
        .stats = stats == NULL ? NULL : job->stats.name,
        .stats_format = stats == NULL                              ? NULL
                        : job->settings->stats_format == STATS_TSV ? "tsv"
                                                                   : "jsonl",
        .stats_records = stats == NULL ? 0 : stats_records(stats),
        .width = pipeline->setup.window.width,
        .hop = pipeline->setup.window.hop,
        .channels = pipeline->setup.channels,
        .clipped = sink == NULL ? 0 : sink->losses.clipped,
        .status = result == 0 ? STATUS_DONE : (int)failure->status,
        .error = result == 0 ? NULL : failure->text,
    };

    report_say(&account);
    if (job->task->report == NULL)
        return 0;
    return report_write(&account, &job->account, error);
}

/* Now, so that a wrong name shows before the work and not after it. */
static int open_account(struct job *job, struct error *error)
{
    const char *path = job->task->report;

    if (path == NULL)
        return 0;
    /* Text may go to a terminal, so there is nothing to force: it is allowed. */
    if (output_open(&job->account, path, true, &job->input, error) != 0)
        return -1;
    if (output_same_place(&job->account, &job->output))
        return error_set(error, STATUS_FAILED, "--report %s: is the output too", path);
    return 0;
}

/* The same, and what computes them. */
static int open_stats(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    const char *path = job->task->stats;
    const struct engine_setup *setup = &job->pipeline.setup;
    struct stats_setup stats = {
        .output = &job->stats,
        .format = settings->stats_format,
        .sample = setup->sample,
        .channels = setup->channels,
        .every = setup->stats_every,
        .isa = settings->isa,
    };

    if (path == NULL)
        return 0;
    if (output_open(&job->stats, path, true, &job->input, error) != 0)
        return -1;
    if (output_same_place(&job->stats, &job->output))
        return error_set(error, STATUS_FAILED, "--stats %s: is the output too", path);
    if (output_same_place(&job->stats, &job->account))
        return error_set(error, STATUS_FAILED, "--stats %s: is the report too", path);
    job->pipeline.stats = stats_open(&stats);
    if (job->pipeline.stats == NULL)
        return error_system(error, "--stats", errno);
    return 0;
}

/* The files get their names: the frames first, for what is said of them must not come alone. */
static int commit(struct job *job, struct error *error)
{
    if (job->sink != NULL && output_commit(&job->output, error) != 0)
        return -1;
    return job->pipeline.stats == NULL ? 0 : output_commit(&job->stats, error);
}

/* Everything is open: runs the stream and ends the output. */
static int run(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    struct pipeline *pipeline = &job->pipeline;
    uint64_t total = job->source->format.frames;
    struct error report_error;
    int result;

    if (total > pipeline->limit)
        total = pipeline->limit;
    pipeline->source = job->source;
    pipeline->sink = job->sink;
    pipeline->watch = watch;
    pipeline->watch_context = job;
    pipeline->watch_seconds = 0.25;
    progress_init(&job->progress, settings->progress, settings->quiet, total,
                  engine_in_bytes(&pipeline->setup), pipeline->engine_class->name);
    say_plan(job);
    result = pipeline_run(pipeline, error);
    progress_end(&job->progress);
    if (result == 0)
        result = commit(job, error);
    warn(job, result == 0);
    if (report(job, result, error, &report_error) != 0 && result == 0) {
        *error = report_error;
        result = -1;
    }
    return result;
}

int job_run(const struct settings *settings, const struct task *task, struct error *error)
{
    struct job job = {
        .settings = settings,
        .task = task,
        .input.fd = -1,
        .output.fd = -1,
        .account.fd = -1,
        .stats.fd = -1,
    };
    uint64_t skip = 0;
    int result = -1;

    if (open_source(&job, task->input, task->output, error) != 0 || plan_engine(&job, error) != 0 ||
        plan_skip(&job, &skip, error) != 0 || open_sink(&job, task->output, skip, error) != 0 ||
        open_account(&job, error) != 0 || open_stats(&job, error) != 0 ||
        skip_frames(&job, skip, error) != 0)
        goto done;
    if (job.pipeline.stats != NULL)
        stats_start(job.pipeline.stats, job.pipeline.skipped);
    result = run(&job, error);

done:
    if (job.sink != NULL)
        job.sink->class->close(job.sink);
    stats_close(job.pipeline.stats);
    output_close(&job.output);
    output_close(&job.account);
    output_close(&job.stats);
    if (job.source != NULL)
        job.source->class->close(job.source);
    input_close(&job.input);
    return result;
}
