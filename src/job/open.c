/* SPDX-License-Identifier: MIT */
/* Everything before the stream runs: opens the files of a job, in an order that reports what is
 * wrong before anything is made, and plans it. */
#include <errno.h>
#include <string.h>

#include "base/min_max.h"
#include "base/thread.h"
#include "format/channels.h"
#include "format/rows/sorted.h"
#include "format/text/stats.h"
#include "io/unpack.h"
#include "job/job_priv.h"
#include "job/overall_priv.h"

/* ---- the source */

/* Devices requested by name must all exist. The jobs of a batch take turns with them. */
static int choose_device(const struct job *job, unsigned *device, struct error *error)
{
    const struct settings *settings = job->settings;
    unsigned count = settings->device_count > 0 ? settings->device_count : 1;
    const uint64_t turn = job->call != NULL ? job->call->turn : 0;

    if (settings->all_devices && engines_devices.count(&count, error) != 0)
        return -1;
    for (unsigned i = 0; !settings->all_devices && i < count; i++) {
        if (engines_devices.find(settings->devices[i], error) != 0)
            return -1;
    }
    *device = settings->all_devices ? (unsigned)(turn % count) : settings->devices[turn % count];
    return 0;
}

int job_begin(struct job *job, struct source_request *request, struct error *error)
{
    const struct settings *settings = job->settings;

    *request = (struct source_request){
        .channels = settings->channels,
        .channels_given = settings->channels_given,
        .rate = settings->rate,
        .ratio = settings->ratio,
        .dialect =
            settings->timed != NULL ? &settings->timed->settings.dialect : &settings->dialect,
        .table = settings->table,
    };
    if (source_request_type(request, settings->type, settings->big_endian, error) != 0)
        return -1;
    request->sample.counts = settings->counts;
    if (settings->device == DEVICE_CUDA && !settings->lemire &&
        choose_device(job, &job->machine.device, error) != 0)
        return -1;
    if (!engines_have_isa(settings->isa))
        return USAGE(error, "--isa %s: not supported by this machine", settings->isa);
    /* Lengths of a named file are checked after it is open, so that what is wrong with the file is
     * reported first. */
    return plan_begin(
        &job->plan, settings, job->task,
        request->format == &format_raw && (job->call == NULL || job->task->input == NULL), error);
}

static int open_machine(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct machine *machine = job->shared->machine;
    const unsigned device = job->machine.device;

    if (machine == NULL) {
        job->own_context = context_make(settings->threads, settings->isa, device, false);
        if (job->own_context == NULL)
            return thread_error(error, errno);
        machine = context_machine(job->own_context);
    }
    job->machine = *machine;
    job->machine.device = device;
    job->pipeline.machine = &job->machine;
    return 0;
}

/* Goes on with the settings for rows with times, where the times of a table have been found. */
static int follow_times(struct job *job, struct error *error)
{
    const struct settings_timed *timed = job->settings->timed;
    const struct source_table *table = job->pipeline.source->table;
    const char *option = settings_of_times(job->settings);

    if (timed == NULL || (option == NULL && table->times == NULL))
        return 0;
    if (!job->pipeline.source->format.rows && job->task->input != NULL)
        return USAGE(error, "%s: needs a table with times, and %s is not one: leave it out", option,
                     job->input.name);
    if (table->times == NULL)
        return USAGE(error, "%s: needs --time COLUMN%s%s%s", option,
                     table->dates == NULL ? "" : " (here: ",
                     table->dates == NULL ? "" : table->dates, table->dates == NULL ? "" : ")");
    if (timed->refused) {
        *error = timed->error;
        return -1;
    }
    job->settings = &timed->settings;
    return plan_begin(&job->plan, job->settings, job->task, false, error);
}

/* Fails if a rate is needed and not known. An empty input has no rate, so the error names that
 * cause; only the type `auto` looks for bytes, because it has waited for them already. */
static int check_rate(struct job *job, struct error *error)
{
    const struct source *source = job->pipeline.source;
    const struct span *span = settings_need_rate(job->settings);
    const unsigned char *bytes;
    size_t got = 1;

    if (span == NULL || source->format.rate > 0)
        return 0;
    if (strcmp(job->settings->type, "auto") == 0 && input_position(&job->input) == 0 &&
        input_peek(&job->input, 1, &bytes, &got, error) != 0)
        return -1;
    if (got == 0 && (!source->format.rows || source->table->header_lines[0] == 0))
        return error_set(error, ERROR_FILE, job->input.name,
                         "is empty (0 bytes), so its rate is not known");
    if (!source->format.rows || source->table->times != NULL)
        return 0;
    if (source->table->dates == NULL)
        return settings_refuse(error, &span->value,
                               "rows of a table have no rate: -r gives it, --time COLUMN reads "
                               "their times");
    settings_refuse(error, &span->value,
                    "rows of a table have no rate: --time COLUMN reads their times (here: %s), or "
                    "-r gives it",
                    source->table->dates);
    if (source->table->date != NULL)
        error_try(error, "--time", source->table->date);
    return -1;
}

/* Picks channels, joins pairs of them as complex numbers, then takes the mean. */
static int choose_channels(const struct settings *settings, struct source **source,
                           struct error *error)
{
    const enum channels_use use = settings->iq    ? CHANNELS_IQ
                                  : settings->mix ? CHANNELS_MEAN
                                                  : CHANNELS_EACH;

    if ((settings->pick_count > 0 || use != CHANNELS_EACH) &&
        channels_choose(source, settings->pick, settings->pick_count, use, error) != 0)
        return -1;
    return settings->iq && settings->mix ? channels_choose(source, NULL, 0, CHANNELS_MEAN, error)
                                         : 0;
}

bool job_lend_end(struct job *job)
{
    if (job->host->lend == NULL || flag_open(&job->end) != 0)
        return false;
    job->input.end_fd = job->end.wait;
    job->host->lend(&job->end);
    return true;
}

void job_take_back_end(struct job *job)
{
    job->number = job->host->take_back(&job->end);
    job->input.end_fd = -1;
    flag_close(&job->end);
}

/* Opens the source. Some formats are first copied from a pipe to a temporary file. A signal ends
 * that copy if the input is recorded to a file; otherwise it ends the program. */
static int find_source(struct job *job, const struct source_request *request, struct error *error)
{
    const bool ends = job->settings->shards == 0 && !job->input.regular &&
                      job->input.unpacker.program.name == NULL && job->task->output != NULL &&
                      job_lend_end(job);
    int failed = source_open(&job->input, request, &job->pipeline.source, error);

    if (ends)
        job_take_back_end(job);
    if (job->number != 0 && (failed != 0 || !job->input.regular)) {
        error_set(error, ERROR_FILE, job->input.name, "ended by a signal");
        error->quiet = true;
        return -1;
    }
    if (failed == 0)
        return 0;
    (void)unpack_has_failed(&job->input.unpacker, error);
    if (error->code == ERROR_DAMAGED) /* nothing has been used */
        error->code = ERROR_FILE;
    return -1;
}

/* The most memory for rows that come in any order, as the manual says. */
static const uint64_t SORT_BYTES = UINT64_C(256) << 20;

/* Puts late rows in their order. */
static int put_in_order(struct job *job, struct error *error)
{
    const struct text_dialect *dialect = &job->settings->dialect;
    const bool damage = job->settings->accept_damaged;
    struct source **source = &job->pipeline.source;

    return job->settings->late_all || (*source)->table->sorts
               ? sorted_open(
                     source,
                     min_u64(machine_memory(job->pipeline.machine, SORT_BYTES) / 4, SORT_BYTES),
                     dialect->gap_period, damage, error)
               : late_open(source, dialect->late, damage, error);
}

static int open_source(struct job *job, struct error *error)
{
    struct source_request request;
    const struct source *source;

    if (job_begin(job, &request, error) != 0 || open_machine(job, error) != 0)
        return -1;
    if (job->task->input == NULL && plan_check_window(&job->plan, job->settings, NULL, error) != 0)
        return -1;
    if (output_check_loop(job->task->output, job->task->input, error) != 0 ||
        output_check_loop(job->task->stats, job->task->input, error) != 0 ||
        output_check_loop(job->task->report, job->task->input, error) != 0 ||
        input_open(&job->input, job->task->input, job->settings->force, error) != 0 ||
        input_unpack(&job->input, error) != 0)
        return -1;
    if (job->settings->shards > 0 && !job->input.regular)
        return error_set(error, ERROR_FILE, job->input.name, "cannot be split: %s first (--shard)",
                         job->input.unpacker.program.name != NULL ? "unpack it"
                                                                  : "save it to a plain file");
    if (job->shared->jobs == 1)
        input_share(&job->input, job->pipeline.machine->threads);
    if (find_source(job, &request, error) != 0 || follow_times(job, error) != 0)
        return -1;
    if (plan_check_window(&job->plan, job->settings, job->pipeline.source, error) != 0) {
        (void)summary_explain_window(job, error);
        return -1;
    }
    if (summary_check_redirect(job, error) != 0)
        return -1;
    if ((job->settings->dialect.late > 0 || job->pipeline.source->table->sorts) &&
        put_in_order(job, error) != 0)
        return -1;
    if (choose_channels(job->settings, &job->pipeline.source, error) != 0)
        return -1;
    summary_warn_of_type(job);
    if (check_rate(job, error) != 0 || job_cut_rows(job, error) != 0)
        return -1;
    source = job->pipeline.source;
    summary_say_table(job);
    if (job->settings->shards > 0 && source->format.frames == SOURCE_FRAMES_UNKNOWN)
        return error_set(error, ERROR_FILE, job->input.name,
                         "cannot be split: the length of %s is known only at its end: convert it "
                         "to raw frames, WAV or FLAC first (--shard)",
                         source->container);
    return 0;
}

/* ---- the plan */

/* Why `auto` leaves this work to the cores without a comparison of times; NULL if it compares
 * them. */
static const char *find_reason(const struct job *job)
{
    if (job->call->is_small)
        return "the file is small";
    if (engines_devices.files() == 0)
        return "there is no device";
    if (!job->pipeline.source->anywhere || job->plan.stream.frames == SOURCE_FRAMES_UNKNOWN)
        return "the input can only be read in order";
    if (!sink_places(job->pipeline.sink))
        return "the output is written in order";
    if (emits_need_sums(&job->plan.stream.setup.emits))
        return "the cores compute means";
    if (job->task->stats != NULL)
        return "the cores compute statistics beside the frames";
    return atomic_load(&job->shared->device_failed) ? "the device has failed" : NULL;
}

/* Chooses the engine for `auto`. A batch is taken for one input: the bytes of all its large files
 * count as frames of this file's type. */
static void choose_engine(struct job *job)
{
    struct plan *plan = &job->plan;
    const struct engine_class *cuda = engines_class(ENGINE_CUDA);
    const struct engine_setup *setup = &plan->stream.setup;
    const double frames = job->call->texts == NULL
                              ? (double)plan->reads
                              : (double)job->shared->large_bytes / (double)engine_in_bytes(setup);
    struct plan of_device;

    if (plan->device != PLAN_AUTO)
        return;
    plan->choice.why = find_reason(job);
    if (plan->choice.why == NULL)
        plan->choice =
            choice_make(&cuda->costs, setup, frames, job->pipeline.machine->threads_most);
    if (!plan->choice.device)
        return;
    of_device = *plan;
    plan_engine(&of_device, job->settings, job->pipeline.machine, cuda);
    plan->of_device = of_device.stream;
    job->pipeline.device = &plan->of_device;
}

static const struct engine_class *class_of(const struct job *job, const struct plan *plan)
{
    return engines_class(
        plan->device == PLAN_DEVICE                                                  ? ENGINE_CUDA
        : plan->stream.setup.emits.count == 0 || stream_goes_by_times(&plan->stream) ? ENGINE_NONE
        : job->settings->lemire                                                      ? ENGINE_LEMIRE
                                                                                     : ENGINE_CPU);
}

/* In a batch, an input that is too short for the device is left to the cores, unless their memory
 * is too small for the window. */
static void spare_device(struct job *job)
{
    struct plan of_cores = job->plan;
    uint64_t most = UINT64_MAX;
    struct error error;

    if (job->pipeline.source->format.frames == SOURCE_FRAMES_UNKNOWN && job->input.regular)
        most = (uint64_t)job->input.status.st_size / engine_in_bytes(&of_cores.stream.setup);
    if (!plan_is_short_for_device(&of_cores, most))
        return;
    of_cores.device = PLAN_CPU;
    plan_engine(&of_cores, job->settings, job->pipeline.machine, class_of(job, &of_cores));
    if (plan_check_memory(&of_cores, job->settings, job->task, job->pipeline.machine, &error) != 0)
        return;
    job->plan = of_cores;
}

static int make_plan(struct job *job, struct error *error)
{
    struct plan *plan = &job->plan;

    if (plan_stream(plan, job->settings, job->task, job->pipeline.source, error) != 0)
        return -1;
    plan->sink.context.threads = job->input.threads;
    plan->sink.context.isa = job->pipeline.machine->isa;
    if (job->range == NULL) /* otherwise the source has it */
        plan->stream.range = job->rows;
    plan->stream.brief = (plan->stream.brief && job->input.regular) || job->pipeline.beside > 0;
    if (job->call->texts != NULL) {
        spare_device(job);
        plan->sink.context.file = job->task->input;
        plan->sink.context.together = job->call->texts->frames != NULL;
    }
    plan_engine(plan, job->settings, job->pipeline.machine, class_of(job, plan));
    if (plan->device == PLAN_DEVICE &&
        engines_devices.find(job->pipeline.machine->device, error) != 0)
        return -1;
    return plan_check_memory(plan, job->settings, job->task, job->pipeline.machine, error);
}

/* ---- the outputs */

int job_spare_older(const struct settings *settings, struct output *output, bool stats,
                    struct error *error)
{
    char bytes[STATS_TEXT_LOOK];
    size_t size;

    if (settings->no_clobber && output_keep(output, error) != 0)
        return -1;
    if (output_read_older(output, bytes, sizeof bytes, &size, error) != 0)
        return -1;
    if (size == 0 || stats_text_looks_so(bytes, size, settings->shard > 1))
        return 0;
    return error_set(error, ERROR_FILE, output->name,
                     "does not begin like statistics or a report, so it is left alone: write to "
                     "another name%s",
                     stats ? ", or to standard output with --stats -" : "");
}

/* Opens an output before the work, so that a wrong name is reported at once. It may be neither the
 * input nor another output. `path` is NULL for standard output. */
static int open_output(struct job *job, enum job_output kind, const char *path, bool force,
                       struct error *error)
{
    static const struct {
        const char *option;
        const char *words;
    } names[OUTPUTS] = {
        [OUTPUT_FRAMES] = {"-o", "output"},
        [OUTPUT_REPORT] = {"--report", "report"},
        [OUTPUT_STATS] = {"--stats", "statistics"},
    };
    struct output *output = &job->outputs[kind];

    if (output_open(output, path, force, &job->input, error) != 0) {
        if (error->number == EISDIR && job->call->texts == NULL && kind == OUTPUT_FRAMES)
            error_set(error, ERROR_FILE, path, "Is a directory: --out-dir writes into a folder");
        return -1;
    }
    if (kind != OUTPUT_FRAMES &&
        job_spare_older(job->settings, output, kind == OUTPUT_STATS, error) != 0) {
        output_close(output);
        return -1;
    }
    for (int i = 0; i < OUTPUTS; i++) {
        if (i == (int)kind || job->outputs[i].fd < 0 ||
            !output_same_place(output, &job->outputs[i]))
            continue;
        output_close(&job->outputs[OUTPUT_REPORT]); /* so that it is not written */
        return error_set(error, ERROR_RUN, NULL, "%s %s: is the %s too", names[kind].option, path,
                         names[i].words);
    }
    return 0;
}

static int open_frames(struct job *job, struct error *error)
{
    const bool force = job->settings->force || job->plan.sink.format->writer->text;
    struct output *frames = &job->outputs[OUTPUT_FRAMES];

    if (open_output(job, OUTPUT_FRAMES, job->task->output, force, error) != 0 ||
        (job->shared->made != NULL && output_join(frames, job->shared->made, error) != 0))
        return -1;
    return job->settings->no_clobber ? output_keep(frames, error) : 0;
}

static int open_sink(struct job *job, struct error *error)
{
    struct plan *plan = &job->plan;
    struct sink **sink = &job->pipeline.sink;
    struct output *frames = job->call->texts != NULL ? job->call->texts->frames : NULL;

    if (plan->stream.setup.emits.count == 0)
        return 0;
    if (frames == NULL && open_frames(job, error) != 0)
        return -1;
    if (sink_open(frames != NULL ? frames : &job->outputs[OUTPUT_FRAMES], &plan->sink, sink,
                  error) != 0)
        return -1;
    /* Frames from a device that go into a pipe unconverted are given to it as pages. */
    plan->stream.setup.gives_pages = plan->device == PLAN_DEVICE && !plan->overall &&
                                     (*sink)->output->pipe && sink_row_is_native(&(*sink)->format);
    if (plan->overall && overall_open(&plan->stream.setup, sink, error) != 0)
        return -1;
    summary_warn_of_output(job);
    return 0;
}

/* Opens the report and the statistics, which may go to a terminal without --force. */
static int open_texts(struct job *job, struct error *error)
{
    const struct job_files *task = job->task;

    if (job->call->texts != NULL)
        return 0;
    if (task->report != NULL && open_output(job, OUTPUT_REPORT, task->report, true, error) != 0)
        return -1;
    return task->stats == NULL ? 0 : open_output(job, OUTPUT_STATS, task->stats, true, error);
}

/* Arrays and tables have no known full scale. */
static struct full_scale full_scale_of_source(const struct source_format *source)
{
    struct sample_type type = source->mixed ? source->part : source->sample;

    if (source->numbers)
        return (struct full_scale){.known = false};
    if (source->decoded)
        type.kind = source->codes;
    return full_scale_of(type, sample_type_value(source->sample));
}

/* Do records have columns of times? All files of a batch have these columns if one may need
 * them. */
static bool may_have_times(const struct settings *settings, bool tables)
{
    return text_is_timed(&settings->dialect) || (tables && settings->timed != NULL);
}

static int open_stats(struct job *job, struct error *error)
{
    const struct engine_setup *setup = &job->plan.stream.setup;
    const struct shard *shard = &job->plan.shard;
    const struct source *source = job->pipeline.source;
    const struct source_table *table = source->table;
    const struct job_texts *texts = job->call->texts;
    const bool lines = job->settings->stats_format == STATS_JSONL;
    const bool records = job->settings->stats_format != STATS_TABLE;
    const char *path = job->task->input != NULL ? job->task->input : "-";
    struct stats_setup stats_setup = {
        .format = job->settings->stats_format,
        .label =
            {
                .name = records ? path : job->input.name,
                .rate = source->format.rate,
                .keyed = table->keys != NULL,
                .named = !lines || texts != NULL,
            },
        .sample = source->format.sample,
        .full_scale = full_scale_of_source(&source->format),
        .channels = setup->channels,
        .is_table = source->format.rows,
        .is_array = source->format.array,
        .of_tables = lines || texts == NULL ? source->format.rows : texts->tables,
        .names = source->names,
        .units = source->units,
        .words = table->words,
        .every = job->plan.stream.stats_every,
        .intervals = job->settings->stats_by_clock,
    };

    if (job->task->stats == NULL)
        return 0;
    if (job->settings->summary && !records) {
        about_input(job, &job->about);
        if (job->about.failed)
            return error_system(error, ERROR_RESOURCE, "--stats", errno);
        stats_setup.about = job->about.bytes;
    }
    stats_setup.label.timed =
        table->times != NULL ||
        (texts != NULL && records && !lines && may_have_times(job->call->settings, texts->tables));
    if (table->times != NULL) {
        stats_setup.label.times = stats_setup.label.rows = *table->times;
        stats_setup.intervals.clock = table->times->clock;
        if (stats_setup.intervals.period > 0)
            time_form_for_intervals(&stats_setup.label.times, &stats_setup.intervals);
    }
    if (shard->number > 0) {
        stats_setup.continues = shard->number > 1;
        stats_setup.may_be_empty = shard->number < shard->count || job->plan.stream.frames > 0;
    } else {
        stats_setup.continues = texts != NULL && records;
    }
    job->pipeline.stats_output = texts != NULL ? texts->stats : &job->outputs[OUTPUT_STATS];
    job->pipeline.stats = stats_open(&stats_setup, job->pipeline.machine->isa,
                                     job->pipeline.skipped + job->plan.stream.extent.blocks.from);
    return job->pipeline.stats != NULL ? 0 : error_system(error, ERROR_RESOURCE, "--stats", errno);
}

int job_name_columns(const struct settings *settings, bool tables, struct output *stats,
                     struct error *error)
{
    const struct stats_setup setup = {
        .format = settings->stats_format,
        .label = {.keyed = settings->dialect.by != NULL,
                  .named = true,
                  .timed = may_have_times(settings, tables)},
        .of_tables = tables,
    };
    struct memory_text head = {.bytes = NULL};
    int result = 0;

    stats_text_begin(&head, &setup);
    if (head.failed)
        result = error_system(error, ERROR_FILE, stats->name, errno);
    else if (head.used > 0)
        result = output_write(stats, head.bytes, head.used, error);
    memory_text_free(&head);
    return result;
}

int job_open(struct job *job, struct error *error)
{
    if (open_source(job, error) != 0 || make_plan(job, error) != 0 || open_sink(job, error) != 0 ||
        open_texts(job, error) != 0 || job_skip_frames(job, error) != 0)
        return -1;
    choose_engine(job);
    return open_stats(job, error);
}
