#include "job/job.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/flag.h"
#include "base/thread.h"
#include "cli/error_words.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "format/channels.h"
#include "format/format.h"
#include "job/files.h"
#include "job/plan.h"
#include "job/summary.h"
#include "lib/engines.h"
#include "stream/overall.h"
#include "stream/signals.h"

enum { TYPE_THAT_KEEPS = 32 };

struct job {
    const struct settings *settings;
    const struct task *task;
    struct job_among *among; /* NULL: a job by itself */
    gpuenv_context *own_context;
    const struct machine *machine;
    struct plan plan;
    struct input input;
    struct source *source;
    struct sink *sink; /* NULL: no frames are written */
    struct files files;
    bool accounts;            /* a report is due, also if there is no stream to report on */
    struct pipeline pipeline; /* filled in before it runs */
    struct pipeline_progress done;
    struct progress progress;
    bool skip_failed;
    struct error skip_error;
};

/* ---- planning */

/* Devices requested by name must all exist. */
static int find_devices(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    struct device_request *devices = &job->pipeline.devices;
    unsigned there = 0;

    devices->count = settings->device_count;
    if (settings->all_devices) {
        if (engines_count_devices(&there, error) != 0)
            return -1;
        devices->count = there < DEVICES_MOST ? there : DEVICES_MOST;
    }
    if (devices->count == 0)
        devices->count = 1;
    for (unsigned i = 0; i < devices->count; i++) {
        devices->number[i] = settings->all_devices ? i : settings->devices[i];
        if (engines_find_device(devices->number[i], error) != 0)
            return -1;
    }
    return 0;
}

/* Checks everything that does not depend on the input. */
static int begin(struct job *job, struct source_request *request, struct error *error)
{
    const struct settings *settings = job->settings;

    *request = (struct source_request){
        .channels = settings->channels,
        .channels_given = settings->channels_given,
        .rate = settings->rate,
        .ratio = settings->ratio,
        .dialect = &settings->dialect,
        .table = settings->table,
    };
    if (source_request_type(request, settings->type, settings->big_endian, error) != 0)
        return -1;
    request->sample.counts = settings->counts;
    if (settings->device == DEVICE_CUDA && !settings->lemire && find_devices(job, error) != 0)
        return -1;
    if (!engines_have_isa(settings->isa))
        return error_set(error, ERROR_ISA, settings->isa, "not supported by this machine");
    return plan_begin(&job->plan, settings, job->task,
                      !request->automatic && request->container == NULL, error);
}

/* Only an input of known length can be split. */
static int check_length(const struct job *job, struct error *error)
{
    if (job->source->format.frames != SOURCE_FRAMES_UNKNOWN)
        return 0;
    return error_set(error, ERROR_SHARD, job->input.name,
                     "cannot be split: the length of %s is known only at its end: convert it to "
                     "raw frames, WAV or FLAC first",
                     job->source->container);
}

static int open_machine(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;

    if (job->among != NULL) {
        job->machine = job->among->machine;
        return 0;
    }
    job->own_context = context_make(settings->threads, settings->isa, settings->devices[0], false);
    if (job->own_context == NULL)
        return thread_error(error, errno);
    job->machine = context_machine(job->own_context);
    return 0;
}

/* Warns once in a batch of each. Frames that are skipped may be the header of a file that is raw by
 * intent. */
static void warn_of_type(const struct job *job)
{
    const struct source *source = job->source;
    const struct job_among *among = job->among;

    if (source->doubt != NULL)
        messages_warning("%s: %s", source->input->name, source->doubt);
    if (source->guessed && (among == NULL || !atomic_exchange(among->guess_told, true)))
        messages_warning("%s: read as raw float32 frames, as it has no header and no known ending: "
                         "-t TYPE says what it is",
                         source->input->name);
    if (source->looks != NULL && !job->settings->skip.given &&
        (among == NULL || !atomic_exchange(among->looks_told, true)))
        messages_warning("%s: begins like %s, and is read as raw frames, header and all: leave -t "
                         "out",
                         source->input->name, source->looks);
}

static int open_source(struct job *job, struct error *error)
{
    struct source_request request;

    if (begin(job, &request, error) != 0 || open_machine(job, error) != 0)
        return -1;
    if (output_check_loop(job->task->output, job->task->input, error) != 0 ||
        output_check_loop(job->task->stats, job->task->input, error) != 0 ||
        output_check_loop(job->task->report, job->task->input, error) != 0 ||
        input_open(&job->input, job->task->input, job->settings->force, error) != 0)
        return -1;
    if (job->settings->shards > 0 && !job->input.regular)
        return error_set(error, ERROR_SHARD, job->input.name,
                         "cannot be split: save it to a plain file first");
    if (job->among == NULL || job->among->beside == 0)
        job->input.crew = job->machine->crew;
    if (source_open(&job->input, &request, &job->source, error) != 0)
        return -1;
    if ((job->settings->pick_count > 0 || job->settings->mix) &&
        channels_choose(&job->source, job->settings->pick, job->settings->pick_count,
                        job->settings->mix, error) != 0)
        return -1;
    if (strcmp(job->settings->type, "auto") == 0 && job->input.regular &&
        job->input.status.st_size == 0 && !(job->source->format.rate > 0) &&
        settings_need_rate(job->settings))
        return error_set(error, ERROR_FILE, job->input.name,
                         "is empty (0 bytes), so its rate is not known");
    warn_of_type(job);
    if (job->source->table != NULL && job->source->table->others != NULL)
        messages_note("%s: columns without numbers, passed over: %s", job->input.name,
                      job->source->table->others);
    if (job->settings->shards > 0)
        return check_length(job, error);
    return 0;
}

/* The devices that may work on pieces: those requested by name, or the first one beside the
 * cores. */
static void choose_devices(struct job *job)
{
    const struct settings *settings = job->settings;
    struct device_request *devices = &job->pipeline.devices;
    struct plan of_device = job->plan;

    if (job->plan.device == PLAN_CPU || !engines_have_devices())
        return;
    plan_engine(&of_device, settings, job->machine, engines_class(ENGINE_CUDA));
    devices->engine_class = engines_class(ENGINE_CUDA);
    devices->chunk_frames = of_device.setup.chunk_frames;
    devices->alone = job->plan.device == PLAN_DEVICE;
    devices->estimate = engines_estimate();
    if (!devices->alone)
        devices->count = 1;
    if (job->among != NULL) {
        devices->places = job->among->device;
        devices->ahead = job->among->ahead;
    }
}

static const struct engine_class *class_of(const struct job *job, const struct plan *plan)
{
    return engines_class(plan->device == PLAN_DEVICE                                  ? ENGINE_CUDA
                         : plan->setup.emits.count == 0 || plan->intervals.period > 0 ? ENGINE_NONE
                         : job->settings->lemire ? ENGINE_LEMIRE
                                                 : ENGINE_CPU);
}

/* In a batch, an input that is too short for the device is left to the cores, unless their memory
 * is too small for the window. */
static void spare_device(struct job *job)
{
    struct plan of_cores = job->plan;
    uint64_t most = UINT64_MAX;
    struct error error;

    if (job->source->format.frames == SOURCE_FRAMES_UNKNOWN && job->input.regular)
        most = (uint64_t)job->input.status.st_size / engine_in_bytes(&of_cores.setup);
    if (!plan_is_short_for_device(&of_cores, most))
        return;
    of_cores.device = PLAN_CPU;
    plan_engine(&of_cores, job->settings, job->machine, class_of(job, &of_cores));
    if (plan_check_memory(&of_cores, job->settings, job->task, job->machine, &error) != 0)
        return;
    job->plan = of_cores;
    job->pipeline.devices.count = 0;
}

static int choose_engine(struct job *job, struct error *error)
{
    struct plan *plan = &job->plan;

    if (job->among != NULL)
        spare_device(job);
    choose_devices(job);
    plan_engine(plan, job->settings, job->machine, class_of(job, plan));
    return plan->device == PLAN_DEVICE ? engines_find_device(job->machine->device, error) : 0;
}

static int make_plan(struct job *job, struct error *error)
{
    if (plan_stream(&job->plan, job->settings, job->task, job->source, error) != 0 ||
        choose_engine(job, error) != 0)
        return -1;
    if (job->among != NULL)
        job->plan.sink.context.file = job->task->input;
    return plan_check_memory(&job->plan, job->settings, job->task, job->machine, error);
}

/* ---- doing */

/* An output may not be one that all jobs share. */
static int check_taken(const struct job *job, struct error *error)
{
    const struct output *frames = &job->files.of[FILES_FRAMES];

    for (size_t i = 0; job->among != NULL && i < job->among->taken_count; i++) {
        if (job->among->taken[i].fd >= 0 && output_same_place(frames, &job->among->taken[i]))
            return error_set(error, ERROR_FILE, frames->name, "is where %s goes",
                             job->among->taken[i].name);
    }
    return 0;
}

/* Warns once in a batch. */
static void warn_of_rate(const struct job *job)
{
    const struct sink_format *format = &job->sink->format;
    struct sink_rate rate = sink_rate(format);

    if (rate.said == rate.due ||
        (job->among != NULL && atomic_exchange(job->among->rate_told, true)))
        return;
    messages_warning(
        "%s: its rate is %.10g Hz, but its header says %.0f: %s allows only whole rates "
        "from 1 to %.0f: write caf or csv",
        job->sink->output->name, rate.due, rate.said, format->container, sink_rate_most(format));
}

/* The type that keeps all digits, in the same container if there is one in it. */
static void type_that_keeps(const struct source_format *source, const struct sink_format *sink,
                            char type[TYPE_THAT_KEEPS])
{
    const struct sample_type sample = source->sample;

    if (source->content == SOURCE_ARRAY)
        snprintf(type, TYPE_THAT_KEEPS, "npy");
    else if (sample_type_value(sample) == VALUE_I64)
        snprintf(type, TYPE_THAT_KEEPS, "%s", sample.kind == SAMPLE_U64 ? "u64" : "s64");
    else if (sink->format == &format_raw)
        snprintf(type, TYPE_THAT_KEEPS, "f64");
    else
        snprintf(type, TYPE_THAT_KEEPS, "%s:f64",
                 format_is_among(sink->format->writer->kinds, "f64", 3) ? sink->container : "wav");
}

/* Warns once in a batch of digits that another type of output would keep. A user who has named the
 * type has chosen it; pictures and overviews have no other. */
static void warn_of_digits(const struct job *job)
{
    const struct source *source = job->source;
    const struct sink_format *format = &job->sink->format;
    const struct format_writer *writer = format->format->writer;
    char type[TYPE_THAT_KEEPS];

    if (source->format.content == SOURCE_TABLE || job->plan.setup.value != VALUE_F32 ||
        sample_type_value(source->format.sample) == VALUE_F32 || format->type_named ||
        writer->rate_of_input || writer->any_window ||
        (job->among != NULL && atomic_exchange(job->among->digits_told, true)))
        return;
    type_that_keeps(&source->format, format, type);
    messages_warning("%s: %s samples are rounded to float32: -T %s keeps their digits",
                     source->input->name, source->encoding, type);
}

static int open_sink(struct job *job, struct error *error)
{
    const struct plan *plan = &job->plan;
    bool force = job->settings->force;

    if (plan->setup.emits.count == 0)
        return 0;
    force = force || plan->sink.format->writer->text;
    if (files_open(&job->files, FILES_FRAMES, job->task->output, force, &job->input, error) != 0 ||
        check_taken(job, error) != 0)
        return -1;
    if (job->among != NULL)
        job->files.of[FILES_FRAMES].made = job->among->made;
    if (job->settings->no_clobber && output_keep(&job->files.of[FILES_FRAMES], error) != 0)
        return -1;
    if (sink_open(&job->files.of[FILES_FRAMES], &job->plan.sink, &job->sink, error) != 0)
        return -1;
    if (plan->overall && overall_open(&job->plan.setup, &job->sink, error) != 0)
        return -1;
    warn_of_rate(job);
    warn_of_digits(job);
    return 0;
}

/* These may be a terminal without --force. */
static int open_texts(struct job *job, struct error *error)
{
    const struct task *task = job->task;

    if (job->among != NULL)
        return 0;
    if (task->report != NULL &&
        files_open(&job->files, FILES_REPORT, task->report, true, &job->input, error) != 0)
        return -1;
    if (task->stats != NULL &&
        files_open(&job->files, FILES_STATS, task->stats, true, &job->input, error) != 0) {
        /* If both are the same file, neither is written. */
        job->accounts = task->report != NULL && job->files.of[FILES_STATS].fd < 0;
        return -1;
    }
    job->accounts = task->report != NULL;
    return 0;
}

/* Finishes the output without frames, then reports the error. An empty part would look complete. */
static int skip_failed(struct job *job, struct error *error)
{
    *error = job->skip_error;
    if (job->settings->shards > 0)
        return -1;
    job->plan.frames = 0;
    job->plan.reads = 0;
    job->plan.shard.limit = 0;
    return 0;
}

static int skip_frames(struct job *job, struct error *error)
{
    struct source *source = job->source;
    uint64_t start = job->plan.shard.extent.start;
    uint64_t passed = 0;

    if (job->plan.skip > 0)
        job->skip_failed = source->class->skip(source, job->plan.skip, &job->pipeline.skipped,
                                               &job->skip_error) != 0;
    if (job->skip_failed)
        return skip_failed(job, error);
    if (start > 0 && source->class->skip(source, start, &passed, error) != 0)
        return -1;
    if (passed < start)
        return error_set(error, ERROR_FILE, job->input.name, "has become shorter");
    if (job->plan.skip > 0 || start > 0)
        job->input.bytes = 0; /* the account covers only the frames used */
    return 0;
}

static int open_stats(struct job *job, struct error *error)
{
    const struct engine_setup *setup = &job->plan.setup;
    const struct shard *shard = &job->plan.shard;
    const struct source_table *table = job->source->table;
    struct stats_setup *stats_setup = &job->pipeline.stats_setup;

    *stats_setup = (struct stats_setup){
        .format = job->settings->stats_format,
        .label =
            {
                .name = job->among != NULL ? job->task->input : job->input.name,
                .rate = job->source->format.rate,
                .named = job->among != NULL,
            },
        .sample = setup->sample,
        .full_scale = setup->full_scale,
        .channels = setup->channels,
        .every = job->plan.stats_every,
        .period = job->settings->stats_period,
        .skip_empty = job->settings->skip_gaps,
        .isa = job->settings->isa,
    };
    if (table != NULL && table->times != NULL) {
        stats_setup->label.timed = true;
        stats_setup->label.times = *table->times;
        if (stats_setup->period > 0)
            time_form_for_multiples(&stats_setup->label.times, stats_setup->period);
    }
    if (job->task->stats == NULL)
        return 0;
    job->pipeline.stats_output =
        job->among != NULL ? job->among->stats : &job->files.of[FILES_STATS];
    job->pipeline.stats = stats_open(&job->pipeline.stats_setup,
                                     job->pipeline.skipped + job->plan.shard.extent.blocks.from);
    if (job->pipeline.stats == NULL)
        return error_system(error, ERROR_STATS, NULL, errno);
    if (shard->number > 0)
        stats_is_part(job->pipeline.stats, shard->number == 1,
                      shard->number == shard->count && job->plan.frames == 0);
    else if (job->among != NULL)
        stats_is_part(job->pipeline.stats, job->settings->stats_format == STATS_TABLE, true);
    return 0;
}

static void watch(void *context, const struct pipeline_progress *done)
{
    struct job *job = context;

    progress_update(&job->progress, atomic_load(&done->in_frames));
}

/* True if output frames go into a pipe unconverted. */
static bool gives_pages(const struct job *job)
{
    return job->sink != NULL && !job->plan.overall && job->sink->output->pipe &&
           sink_row_is_native(&job->sink->format);
}

/* Warns once in a batch of intervals that are NaN although they have numbers. */
static void warn_of_nan(const struct job *job, const struct account *account)
{
    const uint64_t lost = account->lost_intervals;

    if (lost == 0 || (job->among != NULL && atomic_exchange(job->among->nan_told, true)))
        return;
    messages_warning("%s: %llu interval%s NaN because of a NaN among numbers: --nan omit ignores "
                     "those",
                     job->input.name, (unsigned long long)lost, lost == 1 ? " is" : "s are");
}

/* A progress line, which is renewed in place, would mix with output lines on a terminal. */
static enum settings_progress progress_wanted(const struct job *job)
{
    if (job->settings->progress == PROGRESS_AUTO && files_use_terminal(&job->files))
        return PROGRESS_OFF;
    return job->settings->progress;
}

static void set_pipeline(struct job *job)
{
    struct pipeline *pipeline = &job->pipeline;
    const struct shard *shard = &job->plan.shard;
    const struct job_among *among = job->among;

    pipeline->machine = job->machine;
    pipeline->source = job->source;
    pipeline->limit = shard->limit;
    pipeline->engine_class = job->plan.engine_class;
    pipeline->setup = job->plan.setup;
    pipeline->setup.gives_pages = job->plan.device == PLAN_DEVICE && gives_pages(job);
    pipeline->frames = job->plan.frames;
    pipeline->extent = shard->extent;
    pipeline->intervals = job->plan.intervals;
    pipeline->beside = among != NULL ? among->beside : 0;
    pipeline->brief = (job->plan.brief && job->input.regular) || pipeline->beside > 0;
    pipeline->sink = job->sink;
    pipeline->progress = &job->done;
    if (among == NULL) {
        pipeline->watch = watch;
        pipeline->watch_context = job;
    }
}

/* In a batch, waits until the device has room for another job. */
static void take_place(const struct job *job)
{
    while (job->plan.device == PLAN_DEVICE && sem_wait(job->among->device) != 0)
        ; /* interrupted by a signal */
}

static void leave_place(const struct job *job)
{
    if (job->plan.device == PLAN_DEVICE)
        sem_post(job->among->device);
}

/* Runs the stream and shows its progress. */
static int run_watched(struct job *job, struct account *account, struct error *error)
{
    const struct pipeline *pipeline = &job->pipeline;
    const struct job_among *among = job->among;
    size_t frame_bytes = engine_in_bytes(&pipeline->setup);
    int result;

    if (among != NULL) {
        take_place(job);
        among->begins(among->context, &job->done, frame_bytes);
        result = pipeline_run(pipeline, account, error);
        among->ends(among->context);
        leave_place(job);
        return result;
    }
    progress_init(&job->progress, progress_wanted(job), job->plan.reads, frame_bytes,
                  pipeline->engine_class->name);
    result = pipeline_run(pipeline, account, error);
    progress_end(&job->progress);
    return result;
}

/* An input without an end of its own, to a file: the user ends it, and keeps what came of it. */
static bool is_recording(const struct job *job)
{
    return job->among == NULL && job->settings->shards == 0 && !job->input.regular &&
           job->source->format.frames == SOURCE_FRAMES_UNKNOWN &&
           job->files.of[FILES_FRAMES].path != NULL;
}

/* Runs the stream; `*number` is the signal that has ended its input, or 0. */
static int run_recording(struct job *job, struct account *account, int *number, struct error *error)
{
    struct flag end;
    int result;

    *number = 0;
    if (!is_recording(job) || flag_open(&end) != 0)
        return run_watched(job, account, error);
    job->input.end_fd = end.wait;
    signals_lend(&end);
    result = run_watched(job, account, error);
    *number = signals_take_back(&end);
    job->input.end_fd = -1;
    flag_close(&end);
    return result;
}

static void say_ended(const struct job *job, const struct account *account, int number, bool aside)
{
    const char *name = job->files.of[FILES_FRAMES].name;

    messages_warning("%s: ended by SIG%s after %llu frame%s; the output is %s%s", job->input.name,
                     number == SIGINT    ? "INT"
                     : number == SIGTERM ? "TERM"
                                         : "HUP",
                     (unsigned long long)account->in_frames, account->in_frames == 1 ? "" : "s",
                     name, aside ? ", beside an older file" : "");
}

/* With all files open: runs the stream and finishes the output. */
static int run(struct job *job, struct account *account, struct error *error)
{
    const struct summary summary = {job->settings, &job->plan, &job->files, &job->pipeline,
                                    account};
    struct summary_details details;
    struct report report;
    struct error report_error;
    bool aside = false;
    int number;
    int result;

    job->accounts = false;
    set_pipeline(job);
    if (job->among == NULL)
        summary_say_plan(&summary);
    result = run_recording(job, account, &number, error);
    if (job->skip_failed) {
        *error = job->skip_error;
        result = -1;
    }
    /* It may have come after the end. */
    number = job->input.stopped ? number : 0;
    if (result == 0 && number != 0)
        result = files_step_aside(&job->files, &aside, error);
    if (result == 0)
        result = files_commit(&job->files, error);
    if (result == 0 && number != 0)
        say_ended(job, account, number, aside);
    summary_warn(&summary, result == 0);
    warn_of_nan(job, account);
    report = summary_report(&summary, &details, result == 0 ? NULL : error);
    if (job->among != NULL) {
        if (job->among->reports)
            job->among->report = report_line(&report, &job->among->report_size);
        report_say_never(account);
        return result;
    }
    report_say(&report);
    if (job->task->report != NULL &&
        report_write(&report, &job->files.of[FILES_REPORT], &report_error) != 0 && result == 0) {
        *error = report_error;
        result = -1;
    }
    return result;
}

/* The report of a run that failed before there was a stream. */
static struct report report_without_stream(const struct task *task, const struct account *account,
                                           const struct error *error, char words[ERROR_WORDS])
{
    return (struct report){
        .input = task->input,
        .output = task->output,
        .frameless = task->output == NULL,
        .status = (int)error->status,
        .error = error_words(error, words),
        .account = account,
    };
}

static int run_job(struct job *job, struct account *account, struct error *error)
{
    int result = -1;

    files_init(&job->files);
    if (open_source(job, error) == 0 && make_plan(job, error) == 0 && open_sink(job, error) == 0 &&
        open_texts(job, error) == 0 && skip_frames(job, error) == 0 && open_stats(job, error) == 0)
        result = run(job, account, error);
    if (job->accounts) {
        char words[ERROR_WORDS];
        const struct report report = report_without_stream(job->task, account, error, words);
        struct error of_report; /* ignored: the run has already failed */

        if (job->among != NULL)
            job->among->report = report_line(&report, &job->among->report_size);
        else
            (void)report_write(&report, &job->files.of[FILES_REPORT], &of_report);
    }
    if (job->sink != NULL)
        job->sink->class->close(job->sink);
    stats_close(job->pipeline.stats);
    files_close(&job->files);
    if (job->source != NULL)
        job->source->class->close(job->source);
    input_close(&job->input);
    return result;
}

int job_run(const struct settings *settings, const struct task *task, struct error *error)
{
    struct job job = {.settings = settings, .task = task, .input.fd = -1};
    struct account account = {0};
    int result = run_job(&job, &account, error);

    gpuenv_close(job.own_context);
    return result;
}

int job_run_among(const struct settings *settings, const struct task *task, struct job_among *among,
                  struct error *error)
{
    struct job job = {
        .settings = settings,
        .task = task,
        .among = among,
        .input.fd = -1,
        .accounts = among->reports,
    };

    return run_job(&job, &among->account, error);
}

int job_check(const struct settings *settings, const struct task *task, struct error *error)
{
    struct job job = {.settings = settings, .task = task};
    struct source_request request;

    return begin(&job, &request, error);
}
