/* SPDX-License-Identifier: MIT */
#include "job/job_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/size_words.h"
#include "format/text/stats.h"
#include "format/text/time_form.h"

enum { TYPE_THAT_KEEPS = 32 };

/* Some warnings come once from all jobs. */
static bool is_first(const struct job *job, enum job_told told)
{
    return !atomic_exchange(&job->shared->told[told], true);
}

/* Frames that are skipped may be the header of a file that is raw by intent. */
void summary_warn_of_type(const struct job *job)
{
    const struct source *source = job->pipeline.source;

    if (source->doubt != NULL)
        job->host->warning("%s: %s", source->input->name, source->doubt);
    if (source->hardly_floats && !job->settings->nan_given)
        job->host->warning("%s: are these really float32? Some are NaN, or larger than 1e6: -t "
                           "gives another type (s16, cu8, csv), -t f32 says that they are",
                           source->input->name);
    if (source->looks != NULL && !job->settings->skip.given &&
        job->settings->from.value.text == NULL && is_first(job, TOLD_LOOKS))
        job->host->warning(
            "%s: begins like %s, but is read as raw frames, header and all: %s -t out",
            source->input->name, source->looks,
            sample_type_is_complex(source->format.sample) ? "give --iq, and leave" : "leave");
}

void summary_say_table(const struct job *job)
{
    const struct source *source = job->pipeline.source;
    const struct source_table *table = source->table;
    const char *name = source->input->name;

    for (const char *line = table->look; line != NULL && *line != '\0'; line++) {
        const int length = (int)strcspn(line, "\n");

        job->host->note("%s: %.*s", name, length, line);
        line += length;
    }
    if (table->remark != NULL)
        job->host->warning("%s: %s", name, table->remark);
    if (table->counted)
        job->host->warning("%s: the numbers in its first line count up, and are read as a row: if "
                           "they are names, give --header 1, else --header no",
                           name);
}

static void warn_of_rate(const struct job *job)
{
    const struct sink_format *format = &job->pipeline.sink->format;
    struct sink_rate rate = sink_rate(format);

    if (rate.said == rate.due || !is_first(job, TOLD_RATE))
        return;
    job->host->warning("%s: its rate is %.10g Hz, but its header says %.0f: %s allows only whole "
                       "rates from 1 to %.0f: write caf or csv",
                       job->pipeline.sink->output->name, rate.due, rate.said, format->container,
                       format->format->writer->rate_most);
}

/* The type that keeps all digits, in the sink's container if that has one. */
static void type_that_keeps(const struct source_format *source, const struct sink_format *sink,
                            char type[TYPE_THAT_KEEPS])
{
    const struct sample_type sample = source->sample;

    if (source->array)
        snprintf(type, TYPE_THAT_KEEPS, "npy");
    else if (sample_type_value(sample) == VALUE_I64)
        snprintf(type, TYPE_THAT_KEEPS, "%s", sample.kind == SAMPLE_U64 ? "u64" : "s64");
    else if (sink->format == &format_raw)
        snprintf(type, TYPE_THAT_KEEPS, "f64");
    else if (sink->format->writer->text || sink->format->writer->rate_of_input)
        snprintf(type, TYPE_THAT_KEEPS, "csv");
    else
        snprintf(type, TYPE_THAT_KEEPS, "%s:f64",
                 format_is_among(sink->format->writer->kinds, "f64", 3) ? sink->container : "wav");
}

/* May samples lose digits that another output would keep? A user who has named raw float32 has
 * chosen it. Tables have few digits, and pictures show fewer. */
static bool may_lose_digits(const struct job *job)
{
    const struct source_format *source = &job->pipeline.source->format;
    const struct sink_format *format = &job->pipeline.sink->format;
    const bool chosen =
        format->type_named && format->format == &format_raw && format->sample.kind == SAMPLE_F32;

    return !format->format->writer->any_window && !source->decimal && job->plan.rounded &&
           sample_type_value(source->sample) != VALUE_F32 && !chosen;
}

static void warn_of_digits(const struct job *job)
{
    const struct source *source = job->pipeline.source;
    char type[TYPE_THAT_KEEPS];

    if (!atomic_load(&job->loses_digits) || !is_first(job, TOLD_DIGITS))
        return;
    type_that_keeps(&source->format, &job->pipeline.sink->format, type);
    job->host->warning("%s: %s samples are rounded to float32: -T %s keeps their digits",
                       source->input->name, source->encoding, type);
}

/* Raw frames may have any name, sound that of another container, and a table that of text. */
static bool may_end_as(const struct format *format, const struct format *named)
{
    return named == NULL || format == &format_raw || named == format ||
           (format->delimiter != '\0'
                ? named->delimiter == format->delimiter || named->delimiter == ' '
                : named->writer != NULL && named->writer->rate_most > 0 &&
                      format->writer->rate_most > 0);
}

/* Warns that the ending of the output's name is not known, or is that of something else. */
static void warn_of_ending(const struct job *job)
{
    const struct sink_format *format = &job->pipeline.sink->format;
    const char *path = job->task->output;
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *ending = path == NULL ? NULL : strrchr(slash == NULL ? path : slash, '.');
    const char *written = format->format == &format_raw ? "raw f32" : format->container;

    if (ending == NULL || ending[1] == '\0')
        return;
    /* In a batch the ending may come from the name of the input, as in rec.1. */
    if (format->unnamed ? job->call->texts != NULL && strstr(job->task->input, ending + 1) != NULL
                        : format_ending_says_nothing(path) ||
                              may_end_as(format->format, format_by_ending(path, NULL)))
        return;
    if (is_first(job, TOLD_ENDING))
        job->host->warning(
            format->unnamed
                ? "%s: %s is not a known ending: written as %s: -T TYPE says another type"
                : "%s: %s says another type than -T does: written as %s",
            path, ending, written);
}

/* Samples of sound and radio are hardly ever beyond full scale, and integers never. Levels of a
 * picture that are all far below it may be decibels. */
static void warn_of_level(const struct job *job)
{
    const struct span_rule *rule = &job->settings->rule;
    const struct picture *picture = &job->settings->picture;
    const struct source_format *source = &job->pipeline.source->format;
    const double most = (sample_type_is_complex(source->sample) ? sqrt(2) : 1) *
                        (job->settings->emits.item[0] == EMIT_RANGE ? 2 : 1);
    const bool is_far = sample_type_has_nan(source->sample)
                            ? !rule->relative && fabs(rule->level) > 2
                            : fabs(rule->level) >= most;

    if (source->numbers || source->sample.counts)
        return;
    if (picture->scale == PICTURE_RANGE && picture->high <= 0 && picture->low < -2 &&
        !job->settings->db && is_first(job, TOLD_LEVEL))
        job->host->warning("--scale %g:%g: full scale is 1: levels are in decibels with --db",
                           picture->low, picture->high);
    if (rule->text != NULL && is_far && is_first(job, TOLD_LEVEL))
        job->host->warning("--level %s: is not below full scale, which is 1: %s", rule->text,
                           rule->relative ? "clipped samples are above:99.9%, of 8 bits above:99%"
                                          : "a number may be in % or dB, as in 50% or -50dB");
}

/* The format by whose ending standard output is named, in a redirect, which selects no format here.
 * Returns NULL if there is none, or no /proc. */
static const struct format *find_redirect(const struct job *job, char *path, size_t capacity)
{
    const struct format *named;
    ssize_t length;

    if (job->task->output != NULL)
        return NULL;
    length = readlink("/proc/self/fd/1", path, capacity - 1);
    if (length <= 0 || path[0] != '/')
        return NULL;
    path[length] = '\0';
    named = format_by_ending(path, NULL);
    return named == &format_raw ? NULL : named;
}

static void warn_of_redirect(const struct job *job)
{
    const struct sink_format *format = &job->pipeline.sink->format;
    char path[512];
    const struct format *named = find_redirect(job, path, sizeof path);
    const char *written = format->format == &format_raw ? "raw f32" : format->container;
    const char *name;

    if (!format->unnamed || named == NULL ||
        (named->delimiter != '\0' && format->format->delimiter != '\0'))
        return;
    name = strrchr(path, '/') + 1;
    if (named->writer != NULL)
        job->host->warning("%s: is written as %s: -o %s writes %s", name, written, name,
                           named->names[0]);
    else
        job->host->warning("%s: is written as %s, and not as %s, which cannot be written here",
                           name, written, strrchr(name, '.') + 1);
}

int summary_explain_window(const struct job *job, struct error *error)
{
    char path[512];
    const struct format *named = find_redirect(job, path, sizeof path);

    if (job->settings->output_type != NULL || named == NULL || named->writer == NULL ||
        !named->writer->any_window)
        return 0;
    error_set(error, ERROR_FILE, strrchr(path, '/') + 1,
              "a redirect does not select the type of the output: -o %s writes %s",
              strrchr(path, '/') + 1, named->names[0]);
    error->status = STATUS_USAGE;
    return -1;
}

/* A script whose -w got lost must not find text among its samples. */
int summary_check_redirect(const struct job *job, struct error *error)
{
    const bool raw = strcmp(job->pipeline.source->container, "raw") == 0;
    struct stat status;

    if (!job->settings->summary || job->settings->stats_format_given)
        return 0;
    if (raw && fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode))
        return USAGE(error, "-w: the length of the window is missing: give -w 512, or "
                            "--stats-format text for a summary in a file");
    return summary_explain_window(job, error);
}

void summary_warn_of_output(struct job *job)
{
    warn_of_level(job);
    warn_of_ending(job);
    warn_of_redirect(job);
    warn_of_rate(job);
    if (may_lose_digits(job))
        job->pipeline.loses_digits = &job->loses_digits;
}

static void say_choice(const struct job *job)
{
    const struct choice *choice = &job->plan.choice;

    if (choice->why == NULL)
        return;
    if (choice->cpu_seconds > 0)
        job->host->note("auto: %s (%.2f s; the cores: %.2f s)", choice->why, choice->device_seconds,
                        choice->cpu_seconds);
    else
        job->host->note("auto: the cores: %s", choice->why);
}

void summary_say_plan(const struct job *job)
{
    const struct pipeline *pipeline = &job->pipeline;
    const struct source *source = pipeline->source;
    const struct sink *sink = pipeline->sink;
    const struct engine_setup *setup = &pipeline->plan->setup;
    const struct shard *shard = &job->plan.shard;
    char rate[40] = "";

    if (source->format.rate > 0)
        snprintf(rate, sizeof rate, " at %.17g Hz", source->format.rate);
    job->host->note("%s: %s %s, %u channel%s%s", source->input->name, source->container,
                    source->encoding, setup->channels, size_plural(setup->channels), rate);
    if (source->endless)
        job->host->note("%s: its header does not say where it ends: a missing end is not noticed",
                        source->input->name);
    if (pipeline->stats != NULL)
        job->host->note("%s: statistics of the input", pipeline->stats_output->name);
    if (sink == NULL)
        return;
    job->host->note("%s: %s %s, %u channel%s", sink->output->name, sink->format.container,
                    sample_type_name(sink->format.sample), sink->format.channels,
                    size_plural(sink->format.channels));
    if (pipeline->plan->intervals.period > 0) {
        job->host->note("plan: rows by the clock, intervals of %s, values a channel: %u",
                        job->settings->zoom.value.text, setup->emits.count);
        return;
    }
    if (pipeline->plan->time_window.width > 0) {
        job->host->note("plan: windows of time of %s, %s, values a channel: %u",
                        job->settings->window.value.text, window_aligns[setup->window.align],
                        setup->emits.count);
        return;
    }
    job->host->note("plan: %s engine, window %" PRIu64 ", %s, hop %" PRIu64
                    ", values a channel: %u, frames a chunk: up to %zu",
                    pipeline->plan->engine_class->name, setup->window.width,
                    window_aligns[setup->window.align], setup->window.hop, setup->emits.count,
                    setup->chunk_frames);
    say_choice(job);
    if (shard->number > 0)
        job->host->note("part %" PRIu32 " of %" PRIu32 ": %" PRIu64 " of %" PRIu64
                        " output frames, from number %" PRIu64 " on",
                        shard->number, shard->count, shard->outputs.to - shard->outputs.from,
                        shard->in_all, shard->outputs.from);
}

/* Without rows there is no window of any length. */
static void warn_of_no_rows(const struct job *job)
{
    const struct source *source = job->pipeline.source;
    const bool header = source->table->header_lines[0] > 0;

    job->host->warning("%s: no output: there is no row%s", source->input->name,
                       header ? " below the header" : "");
}

static void warn_of_short_input(const struct job *job, uint64_t frames)
{
    const struct source *source = job->pipeline.source;
    const struct span *window = &job->settings->window;
    uint64_t width = job->pipeline.plan->setup.window.width;

    if (source->format.rate > 0 && window->is_time)
        job->host->warning("%s: no output: the input has %.6g s (%" PRIu64
                           " frame%s), the window %s (see --align)",
                           source->input->name, (double)frames / source->format.rate, frames,
                           size_plural(frames), window->value.text);
    else
        job->host->warning("%s: no output: the input has %" PRIu64 " frame%s, the window %" PRIu64
                           " (see --align)",
                           source->input->name, frames, size_plural(frames), width);
}

/* Warns of intervals that are NaN although they have numbers. */
static void warn_of_nan(const struct job *job)
{
    const uint64_t lost = job->result->lost_intervals;

    if (lost == 0 || !is_first(job, TOLD_NAN))
        return;
    job->host->warning(
        "%s: %llu interval%s NaN because of a NaN among numbers: --nan omit ignores those",
        job->input.name, (unsigned long long)lost, lost == 1 ? " is" : "s are");
}

/* Warns that --from and --to leave no row. */
static void warn_of_range(const struct job *job)
{
    const struct row_range *range = row_range_of(job->range);
    const struct time_form *times = job->pipeline.source->table->times;
    char first[TIME_MOST];
    char last[TIME_MOST];
    struct moment at;
    const bool ended = row_range_ended(job->range, &at);

    if (!range->begun) {
        warn_of_no_rows(job);
        return;
    }
    first[time_write(times, range->first, first)] = '\0';
    last[time_write(times, at, last)] = '\0';
    job->host->warning("%s: nothing is left by %s: rows go from %s %s %s", job->input.name,
                       range->from.given && range->to.given ? "--from and --to"
                       : range->from.given                  ? "--from"
                                                            : "--to",
                       first, ended ? "on, and the first after --to is at" : "to", last);
}

/* Warns that the input ends before the frames that are wanted. */
static bool warn_of_skip(const struct job *job)
{
    const struct settings *settings = job->settings;
    const struct option_value *value =
        settings->skip.given ? &settings->skip.value : &settings->from.value;
    const uint64_t skipped = job->pipeline.skipped;

    if (job->plan.stream.range.from.given || job->plan.stream.range.to.given) {
        if (job->result->out_frames == 0 && job->pipeline.sink != NULL)
            job->host->warning("%s: --from and --to leave nothing: no row lies between them",
                               job->input.name);
        return false;
    }
    if (job->result->in_frames > 0 || job->plan.shard.number > 0 ||
        (skipped == 0 && job->range == NULL))
        return false;
    if (job->range != NULL)
        warn_of_range(job);
    else
        job->host->warning("%s: nothing is left: %s %s skips all of its %" PRIu64 " frame%s",
                           job->input.name, value->option, value->text, skipped,
                           size_plural(skipped));
    return true;
}

/* Warns that --to leaves out the rows of the day that it says. */
static void warn_of_date(const struct job *job)
{
    struct moment last;

    if (job->to_is_date && job->range != NULL && row_range_ended(job->range, &last) &&
        moment_is_before(last, moment_add(job->rows.to.moment, MOMENT_DAY)) &&
        is_first(job, TOLD_DATE))
        job->host->warning("%s: --to %s is the midnight at which that day begins: its rows are "
                           "left out",
                           job->input.name, job->settings->to.value.text);
}

static void warn_of_sink(const struct job *job, bool complete)
{
    const struct window *window = &job->pipeline.plan->setup.window;
    const struct sink *sink = job->pipeline.sink;
    uint64_t frames = job->plan.shard.number > 0 ? job->plan.stream.frames : job->result->in_frames;

    warn_of_digits(job);
    if (complete && frames == 0 && job->pipeline.source->format.rows)
        warn_of_no_rows(job);
    else if (complete && window->align == ALIGN_VALID && frames < window->width)
        warn_of_short_input(job, frames);
    if (sink->remark != NULL && (sink->remark_of_input || is_first(job, TOLD_SCALE)))
        job->host->warning("%s: %s", sink->remark_of_input ? job->input.name : sink->output->name,
                           sink->remark);
    if (sink->losses.clipped > 0)
        job->host->warning("%s: %llu value%s clipped", sink->output->name, sink->losses.clipped,
                           size_plural(sink->losses.clipped));
    if (sink->losses.nan > 0)
        job->host->warning("%s: %llu NaN written as zero", sink->output->name, sink->losses.nan);
}

static void warn_of_offsets(const struct job *job)
{
    const struct source_table *table = job->pipeline.source->table;

    if (table->times == NULL || table->offset_line == NULL || *table->offset_line == 0 ||
        table->times->clock.zone != NULL || !is_first(job, TOLD_OFFSETS))
        return;
    job->host->warning("%s: line %llu: its time has a different offset from the first row: all are "
                       "converted to the first "
                       "one (--time-zone Europe/Berlin, UTC or local says another)",
                       job->input.name, (unsigned long long)*table->offset_line);
}

/* Warns of a fault of a device that `auto` has chosen. A fault of a device requested by name is the
 * error that ends the run. */
static void warn_of_device(const struct job *job)
{
    const struct device_result *device = &job->result->device;
    char words[ERROR_WORDS];

    if (device_fault(device) != NULL)
        job->host->warning("%s: the CPU did the rest", job->host->words(&device->error, words));
}

bool summary_has_bad_lines(const struct job *job)
{
    const struct source_table *table = job->pipeline.source->table;

    return job->settings->bad_lines_at_end && table->bad_lines != NULL && *table->bad_lines > 0;
}

void summary_warn(const struct job *job, bool complete)
{
    struct source *source = job->pipeline.source;
    const char *remark = source_remark(source);

    warn_of_device(job);
    if (remark != NULL && !(complete && summary_has_bad_lines(job)))
        job->host->warning("%s: %s", source->input->name, remark);
    if (job->damage.reason[0] != '\0')
        job->host->warning("%s: %s", job->damage.subject, job->damage.reason);
    if (job->input.unpacker.warned)
        job->host->warning("%s: %s", job->input.name, job->input.unpacker.error.reason);
    warn_of_date(job);
    if (complete && warn_of_skip(job))
        complete = false;
    if (job->pipeline.sink != NULL)
        warn_of_sink(job, complete);
    warn_of_nan(job);
    warn_of_offsets(job);
}
