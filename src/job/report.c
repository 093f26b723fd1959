/* SPDX-License-Identifier: MIT */
/* The report of a run: JSON for --report, text for -v. */
#include "job/job_priv.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/device_number.h"
#include "base/json.h"
#include "base/memory_text.h"
#include "base/size_words.h"
#include "format/text/number.h"
#include "lib/gpuenv.h"

static const char *const stage_names[STAGES] = {"reader", "engine", "writer"};

/* A report under construction, over several lines or on one. */
struct report {
    struct memory_text *text;
    const char *between; /* before the next member */
    bool one_line;
};

static void begin_member(struct report *report, const char *key)
{
    memory_text_print(report->text, "%s\"%s\": ", report->between, key);
    report->between = report->one_line ? ", " : ",\n  ";
}

static void print_number(struct report *report, const char *key, double number)
{
    char digits[NUMBER_MOST];

    begin_member(report, key);
    if (isfinite(number))
        memory_text_add(report->text, digits, number_write_f64(digits, number));
    else
        memory_text_put(report->text, "null");
}

static void print_string(struct report *report, const char *key, const char *value)
{
    begin_member(report, key);
    json_put(report->text, value);
}

static void print_whole(struct report *report, const char *key, uint64_t value)
{
    begin_member(report, key);
    memory_text_print(report->text, "%llu", (unsigned long long)value);
}

/* Begins an object as the next value. The caller ends it with "}". */
static struct report object_in(const struct report *report)
{
    return (struct report){.text = report->text, .between = "{", .one_line = true};
}

/* The stage that the others waited for. */
static const char *bottleneck(const struct run_result *result)
{
    int most = 0;

    for (int i = 1; i < STAGES; i++) {
        if (result->busy[i] > result->busy[most])
            most = i;
    }
    return stage_names[most];
}

static void print_busy(struct report *report, const struct run_result *result)
{
    struct report busy = object_in(report);

    begin_member(report, "busy");
    for (int i = 0; i < STAGES; i++)
        print_number(&busy, stage_names[i], result->busy[i]);
    memory_text_put(report->text, "}");
}

/* "cpu", or "cuda:1" */
enum { ENGINE_NAME = 32 };
static const char *engine_name(const struct run_result *result, char name[ENGINE_NAME])
{
    if (!result->on_device)
        return result->engine;
    snprintf(name, ENGINE_NAME, "%s:%u", result->engine, device_number(result->device.number));
    return name;
}

static void print_engine(struct report *engine, const char *name, const char *words,
                         uint64_t frames)
{
    print_string(engine, "engine", name);
    print_string(engine, "words", words);
    print_whole(engine, "frames", frames);
}

static void print_device(struct report *engine, const struct device_result *device)
{
    const bool failed = device_fault(device) != NULL;
    char name[ENGINE_NAME];

    snprintf(name, sizeof name, "cuda:%u", device_number(device->number));
    print_engine(engine, name, device->words, device->frames);
    print_number(engine, "started", device->state == DEVICE_NEVER ? (double)NAN : device->started);
    print_number(engine, "failed", failed ? device->failed : (double)NAN);
    print_string(engine, "why", device_fault(device));
    memory_text_put(engine->text, "}");
}

static void print_engines(struct report *report, const struct run_result *result)
{
    struct report own = object_in(report);
    struct report device = own;
    char name[ENGINE_NAME];

    begin_member(report, "engines");
    memory_text_put(report->text, "[");
    if (result->engine != NULL && result->device.state != DEVICE_AT_WORK) {
        print_engine(&own, engine_name(result, name), result->engine_words, run_own_frames(result));
        memory_text_put(report->text, result->device.state != DEVICE_UNUSED ? "}, " : "}");
    }
    if (result->device.state != DEVICE_UNUSED)
        print_device(&device, &result->device);
    memory_text_put(report->text, "]");
}

/* What `auto` has chosen, and why. */
static void print_choice(struct report *report, const struct choice *choice)
{
    struct report members = object_in(report);

    begin_member(report, "choice");
    if (choice->why == NULL) {
        memory_text_put(report->text, "null");
        return;
    }
    print_string(&members, "device", choice->device ? "cuda" : "cpu");
    print_string(&members, "why", choice->why);
    print_number(&members, "cpu_seconds", choice->cpu_seconds);
    print_number(&members, "cuda_seconds", choice->device_seconds);
    memory_text_put(report->text, "}");
}

static void print_shard(struct report *report, const struct job *job)
{
    const struct shard *shard = &job->plan.shard;
    const struct timespec changed = job->input.status.st_mtim;

    print_whole(report, "shard", shard->number);
    print_whole(report, "shards", shard->count);
    print_whole(report, "input_size", (uint64_t)job->input.status.st_size);
    /* As a string: a double is not precise enough. */
    begin_member(report, "input_mtime");
    memory_text_print(report->text, "\"%lld.%09ld\"", (long long)changed.tv_sec, changed.tv_nsec);
    print_whole(report, "input_frames", job->plan.stream.frames);
    print_whole(report, "outputs", shard->in_all);
    print_whole(report, "first_output", shard->outputs.from);
    print_whole(report, "next_output", shard->outputs.to);
    print_whole(report, "first_block", shard->records.from);
    print_whole(report, "next_block", shard->records.to);
}

static void print_report(struct report *report, const struct job *job, const struct error *failure)
{
    static const struct engine_setup no_setup;
    const struct run_result *result = job->result;
    const struct pipeline *pipeline = &job->pipeline;
    const bool ran = result->engine != NULL;
    const struct source *source = ran ? pipeline->source : NULL;
    const struct sink *sink = ran ? pipeline->sink : NULL;
    const bool stats = ran && pipeline->stats != NULL;
    const struct engine_setup *setup = ran ? &pipeline->plan->setup : &no_setup;
    char words[ERROR_WORDS];

    print_string(report, "version", gpuenv_version());
    print_whole(report, "status", failure == NULL ? STATUS_DONE : (uint64_t)failure->status);
    print_string(report, "error", failure == NULL ? NULL : job->host->words(failure, words));
    print_string(report, "input", ran ? job->input.name : job->task->input);
    print_string(report, "input_container", ran ? source->container : NULL);
    print_string(report, "input_encoding", ran ? source->encoding : NULL);
    print_string(report, "output", ran ? job->outputs[OUTPUT_FRAMES].name : job->task->output);
    print_string(report, "output_container", sink == NULL ? NULL : sink->format.container);
    print_string(report, "output_encoding",
                 sink == NULL ? NULL : sample_type_name(sink->format.sample));
    print_whole(report, "channels", setup->channels);
    print_whole(report, "width", setup->window.width);
    print_whole(report, "hop", setup->window.hop);
    print_whole(report, "in_frames", result->in_frames);
    print_whole(report, "out_frames", result->out_frames);
    print_whole(report, "in_bytes", result->in_bytes);
    print_whole(report, "out_bytes", result->out_bytes);
    print_whole(report, "clipped", sink == NULL ? 0 : sink->losses.clipped);
    print_whole(report, "chunks", result->chunks);
    print_string(report, "stats", stats ? pipeline->stats_output->name : NULL);
    print_string(report, "stats_format",
                 stats ? stats_format_words[job->settings->stats_format] : NULL);
    print_whole(report, "stats_records", stats ? stats_records(pipeline->stats) : 0);
    print_string(report, "engine", result->engine);
    print_string(report, "engine_words", ran ? result->engine_words : NULL);
    print_number(report, "seconds", result->seconds);
    print_busy(report, result);
    print_string(report, "bottleneck", bottleneck(result));
    print_string(report, "way", result->way);
    print_string(report, "why", result->why);
    print_whole(report, "workers", result->workers);
    print_choice(report, &job->plan.choice);
    print_engines(report, result);
    if (ran && job->plan.shard.number > 0)
        print_shard(report, job);
}

char *report_format(const struct job *job, const struct error *failure, bool one_line, size_t *size)
{
    struct memory_text text = {.bytes = NULL};
    struct report report = {
        .text = &text,
        .between = one_line ? "{" : "{\n  ",
        .one_line = one_line,
    };

    print_report(&report, job, failure);
    memory_text_put(&text, one_line ? "}\n" : "\n}\n");
    return memory_text_take(&text, size);
}

int report_write(struct job *job, const struct error *failure, struct error *error)
{
    struct output *output = &job->outputs[OUTPUT_REPORT];
    size_t size = 0;
    char *text = report_format(job, failure, false, &size);
    int result = -1;

    if (text == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    if (output_write(output, text, size, error) == 0)
        result = output_commit(output, error);
    free(text);
    return result;
}

static void say_speed(const struct job *job, double seconds)
{
    const struct run_result *result = job->result;
    bool has_words = result->engine_words[0] != '\0';
    char name[ENGINE_NAME];
    char frames[48];
    char bytes[48];

    size_amount((double)result->in_frames / seconds, false, "frame/s", frames, sizeof frames);
    size_amount((double)result->in_bytes / seconds, true, "B/s", bytes, sizeof bytes);
    /* "cpu engine (avx2, 2 threads)" */
    job->host->note("%s engine%s%s%s: %.3f s, %s, %s, chunks: %llu", engine_name(result, name),
                    has_words ? " (" : "", result->engine_words, has_words ? ")" : "",
                    result->seconds, frames, bytes, (unsigned long long)result->chunks);
}

static void say_device(const struct job *job)
{
    const struct device_result *device = &job->result->device;

    if (device->state >= DEVICE_AT_WORK)
        job->host->note("cuda:%u (%s): started after %.3f s, did %llu frames",
                        device_number(device->number), device->words, device->started,
                        (unsigned long long)device->frames);
    if (device_fault(device) != NULL)
        job->host->note("cuda:%u: failed after %.3f s: %s", device_number(device->number),
                        device->failed, device_fault(device));
}

void report_say(const struct job *job)
{
    const struct run_result *result = job->result;
    const struct pipeline *pipeline = &job->pipeline;
    double seconds = result->seconds > 0 ? result->seconds : INFINITY;
    double percent = 100 / seconds;
    char bytes[48];

    size_amount((double)result->in_bytes, true, "B", bytes, sizeof bytes);
    job->host->note("read %llu frames (%s) from %s", (unsigned long long)result->in_frames, bytes,
                    job->input.name);
    size_amount((double)result->out_bytes, true, "B", bytes, sizeof bytes);
    if (pipeline->sink == NULL)
        job->host->note("wrote no frames");
    else
        job->host->note("wrote %llu frames (%s) to %s", (unsigned long long)result->out_frames,
                        bytes, job->outputs[OUTPUT_FRAMES].name);
    if (pipeline->stats != NULL)
        job->host->note("wrote %llu records of statistics to %s",
                        (unsigned long long)stats_records(pipeline->stats),
                        pipeline->stats_output->name);
    if (result->workers > 0)
        job->host->note("pieces, by %u worker%s", result->workers, size_plural(result->workers));
    else if (result->way != NULL && result->why != NULL)
        job->host->note("%s: %s", result->way, result->why);
    say_speed(job, seconds);
    job->host->note("busy: reader %.0f%%, engine %.0f%%, writer %.0f%%; the %s is the bottleneck",
                    result->busy[0] * percent, result->busy[1] * percent, result->busy[2] * percent,
                    bottleneck(result));
    say_device(job);
}

void report_name_engines(const struct run_result *result, char *text, size_t size)
{
    size_t used = 0;
    char name[ENGINE_NAME];

    text[0] = '\0';
    if (result->engine != NULL && (run_own_frames(result) > 0 || result->in_frames == 0))
        used = (size_t)snprintf(text, size, "%s", engine_name(result, name));
    if (result->device.frames > 0)
        snprintf(text + used, size - used, "%scuda:%u", used > 0 ? " and " : "",
                 device_number(result->device.number));
}
