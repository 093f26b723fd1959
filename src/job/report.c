#include "job/job_inside.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory_text.h"
#include "cli/messages.h"
#include "sample/number.h"

static const char *const stage_names[ACCOUNT_STAGES] = {"reader", "engine", "writer"};

static void print_number(FILE *file, double number)
{
    char digits[NUMBER_MOST];

    if (isfinite(number))
        fwrite(digits, 1, number_write_f64(digits, number), file);
    else
        fputs("null", file);
}

static void print_string_member(FILE *file, const char *key, const char *value)
{
    fprintf(file, "  \"%s\": ", key);
    json_print(file, value);
    fputs(",\n", file);
}

static void print_whole_member(FILE *file, const char *key, uint64_t value)
{
    fprintf(file, "  \"%s\": %llu,\n", key, (unsigned long long)value);
}

/* After the name of the engine. */
static void print_engine(FILE *file, const char *words, uint64_t frames)
{
    fputs(", \"words\": ", file);
    json_print(file, words);
    fprintf(file, ", \"frames\": %llu}", (unsigned long long)frames);
}

static void print_engines(FILE *file, const struct account *account)
{
    fputs(",\n  \"engines\": [", file);
    if (account->engine != NULL) {
        fprintf(file, "{\"engine\": \"%s\"", account->engine);
        print_engine(file, account->engine_words, account_own_frames(account));
    }
    for (unsigned i = 0; i < account->device_count; i++) {
        const struct device_account *device = &account->devices[i];

        if (!device_has_joined(device))
            continue;
        fprintf(file, ", {\"engine\": \"cuda:%u\"", device->number);
        print_engine(file, device->words, device->frames);
    }
    fputs("],\n  \"changes\": [", file);
}

/* `*count` is the number printed so far. */
static void print_change(FILE *file, const struct device_account *device, const char *change,
                         double seconds, uint64_t frames, const char *why, unsigned *count)
{
    fprintf(file, "%s{\"engine\": \"cuda:%u\", \"change\": \"%s\", \"seconds\": ",
            (*count)++ > 0 ? ", " : "", device->number, change);
    print_number(file, seconds);
    fprintf(file, ", \"frames\": %llu, \"why\": ", (unsigned long long)frames);
    json_print(file, why);
    fputc('}', file);
}

/* In order of the devices, not of time. */
static void print_changes(FILE *file, const struct account *account)
{
    unsigned count = 0;

    for (unsigned i = 0; i < account->device_count; i++) {
        const struct device_account *device = &account->devices[i];
        const char *why = device_why_left(device);

        if (device->state == DEVICE_UNUSED)
            continue;
        print_change(file, device, "begun", device->began, device->began_at, NULL, &count);
        if (device_has_joined(device))
            print_change(file, device, "joined", device->joined, device->joined_at, NULL, &count);
        if (why != NULL)
            print_change(file, device, "left", device->left, device->left_at, why, &count);
    }
    fputc(']', file);
}

static void print_shard(FILE *file, const struct job *job)
{
    const struct shard *shard = &job->plan.shard;
    const struct timespec changed = job->input.status.st_mtim;
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {
        {"input_frames", job->plan.stream.frames}, {"outputs", shard->in_all},
        {"first_output", shard->outputs.from},     {"next_output", shard->outputs.to},
        {"first_block", shard->records.from},      {"next_block", shard->records.to},
    };

    fprintf(file, ",\n  \"shard\": %lu,\n  \"shards\": %lu", (unsigned long)shard->number,
            (unsigned long)shard->count);
    fprintf(file, ",\n  \"input_size\": %llu", (unsigned long long)job->input.status.st_size);
    /* As a string: a double is not precise enough. */
    fprintf(file, ",\n  \"input_mtime\": \"%lld.%09ld\"", (long long)changed.tv_sec,
            changed.tv_nsec);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        fprintf(file, ",\n  \"%s\": %llu", counts[i].key, (unsigned long long)counts[i].value);
}

static void print_report(FILE *file, const struct job *job, const struct error *failure)
{
    const struct account *account = job->account;
    const struct pipeline *pipeline = &job->pipeline;
    const struct source *source = pipeline->source; /* NULL: there was no stream */
    const struct sink *sink = pipeline->sink;
    const bool stats = pipeline->stats != NULL && source != NULL;
    char words[ERROR_WORDS];

    fputs("{\n", file);
    print_string_member(file, "version", GPUENV_VERSION);
    fprintf(file, "  \"status\": %d,\n", failure == NULL ? STATUS_DONE : (int)failure->status);
    print_string_member(file, "error", failure == NULL ? NULL : error_words(failure, words));
    print_string_member(file, "input", source == NULL ? job->task->input : job->input.name);
    print_string_member(file, "input_container", source == NULL ? NULL : source->container);
    print_string_member(file, "input_encoding", source == NULL ? NULL : source->encoding);
    print_string_member(file, "output",
                        source == NULL ? job->task->output : job->outputs[OUTPUT_FRAMES].name);
    print_string_member(file, "output_container", sink == NULL ? NULL : sink->format.container);
    print_string_member(file, "output_encoding",
                        sink == NULL ? NULL : sample_type_name(sink->format.sample));
    print_whole_member(file, "channels", pipeline->plan.setup.channels);
    print_whole_member(file, "width", pipeline->plan.setup.window.width);
    print_whole_member(file, "hop", pipeline->plan.setup.window.hop);
    print_whole_member(file, "in_frames", account->in_frames);
    print_whole_member(file, "out_frames", account->out_frames);
    print_whole_member(file, "in_bytes", account->in_bytes);
    print_whole_member(file, "out_bytes", account->out_bytes);
    print_whole_member(file, "clipped", sink == NULL ? 0 : sink->losses.clipped);
    print_whole_member(file, "chunks", account->chunks);
    print_string_member(file, "stats", stats ? pipeline->stats_output->name : NULL);
    print_string_member(file, "stats_format",
                        stats ? stats_format_words[job->settings->stats_format] : NULL);
    print_whole_member(file, "stats_records", stats ? stats_records(pipeline->stats) : 0);
    print_string_member(file, "engine", account->engine);
    print_string_member(file, "engine_words",
                        account->engine == NULL ? NULL : account->engine_words);
    fputs("  \"seconds\": ", file);
    print_number(file, account->seconds);
    fputs(",\n  \"busy\": {", file);
    for (int i = 0; i < ACCOUNT_STAGES; i++) {
        fprintf(file, "%s\"%s\": ", i > 0 ? ", " : "", stage_names[i]);
        print_number(file, account->busy[i]);
    }
    fputs("},\n", file);
    fprintf(file, "  \"bottleneck\": \"%s\",\n", report_bottleneck(account));
    print_string_member(file, "way", account->way);
    print_string_member(file, "why", account->why);
    fprintf(file, "  \"workers\": %u", account->workers);
    print_engines(file, account);
    print_changes(file, account);
    if (source != NULL && job->plan.shard.number > 0)
        print_shard(file, job);
    fputs("\n}\n", file);
}

/* Returns the whole text, to be freed. NULL, with errno set, if memory runs out. */
static char *format_report(const struct job *job, const struct error *failure, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);

    if (file == NULL)
        return NULL;
    print_report(file, job, failure);
    return memory_text_close(file, &text);
}

/* Newlines and indents occur only between values; those in strings are escaped. */
char *report_line(const struct job *job, const struct error *failure, size_t *size)
{
    char *text = format_report(job, failure, size);
    size_t length = 0;

    for (size_t i = 0; text != NULL && i + 1 < *size; i++) {
        if (text[i] != '\n') {
            text[length++] = text[i];
            continue;
        }
        while (text[i + 1] == ' ')
            i++;
        if (text[length - 1] == ',')
            text[length++] = ' ';
    }
    if (text != NULL) {
        text[length++] = '\n';
        *size = length;
    }
    return text;
}

int report_write(struct job *job, const struct error *failure, struct error *error)
{
    struct output *output = &job->outputs[OUTPUT_REPORT];
    size_t size = 0;
    char *text = format_report(job, failure, &size);
    int result = -1;

    if (text == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    if (output_write(output, text, size, error) == 0)
        result = output_commit(output, error);
    free(text);
    return result;
}

static void say_speed(const struct account *account, double seconds)
{
    bool has_words = account->engine_words[0] != '\0';
    char frames[48];
    char bytes[48];

    progress_amount((double)account->in_frames / seconds, false, "frame/s", frames, sizeof frames);
    progress_amount((double)account->in_bytes / seconds, true, "B/s", bytes, sizeof bytes);
    /* "cpu engine (avx2, 2 threads)" */
    messages_note("%s engine%s%s%s: %.3f s, %s, %s, chunks: %llu", account->engine,
                  has_words ? " (" : "", account->engine_words, has_words ? ")" : "",
                  account->seconds, frames, bytes, (unsigned long long)account->chunks);
}

static void say_left(const struct device_account *device)
{
    const char *why = device_why_left(device);

    if (why != NULL)
        messages_note("cuda:%u: left after %.3f s: %s", device->number, device->left, why);
}

static void say_devices(const struct account *account)
{
    for (unsigned i = 0; i < account->device_count; i++) {
        const struct device_account *device = &account->devices[i];

        if (device_has_joined(device))
            messages_note("cuda:%u (%s): joined after %.3f s, did %llu frames", device->number,
                          device->words, device->joined, (unsigned long long)device->frames);
        say_left(device);
    }
}

void report_say(const struct job *job)
{
    const struct account *account = job->account;
    const struct pipeline *pipeline = &job->pipeline;
    double seconds = account->seconds > 0 ? account->seconds : INFINITY;
    double percent = 100 / seconds;
    char bytes[48];

    progress_amount((double)account->in_bytes, true, "B", bytes, sizeof bytes);
    messages_note("read %llu frames (%s) from %s", (unsigned long long)account->in_frames, bytes,
                  job->input.name);
    progress_amount((double)account->out_bytes, true, "B", bytes, sizeof bytes);
    if (pipeline->sink == NULL)
        messages_note("wrote no frames");
    else
        messages_note("wrote %llu frames (%s) to %s", (unsigned long long)account->out_frames,
                      bytes, job->outputs[OUTPUT_FRAMES].name);
    if (pipeline->stats != NULL)
        messages_note("wrote %llu records of statistics to %s",
                      (unsigned long long)stats_records(pipeline->stats),
                      pipeline->stats_output->name);
    if (account->workers > 0)
        messages_note("pieces, by %u worker%s", account->workers, account->workers == 1 ? "" : "s");
    else if (account->way != NULL && account->why != NULL)
        messages_note("%s: %s", account->way, account->why);
    say_speed(account, seconds);
    messages_note("busy: reader %.0f%%, engine %.0f%%, writer %.0f%%; the %s is the bottleneck",
                  account->busy[0] * percent, account->busy[1] * percent,
                  account->busy[2] * percent, report_bottleneck(account));
    say_devices(account);
}

void report_say_never(const struct account *account)
{
    for (unsigned i = 0; i < account->device_count; i++) {
        if (account->devices[i].state == DEVICE_NEVER)
            say_left(&account->devices[i]);
    }
}

/* A failed device that was requested by name has ended the run with its error. */
void report_warn_devices(const struct account *account)
{
    for (unsigned i = 0; i < account->device_count; i++) {
        char words[ERROR_WORDS];

        if (device_has_failed(&account->devices[i]))
            messages_warning("%s: the cpu engine has done the rest",
                             error_words(&account->devices[i].error, words));
    }
}

void report_name_engines(const struct account *account, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    if (account->engine != NULL && (account_own_frames(account) > 0 || account->in_frames == 0))
        used = (size_t)snprintf(text, size, "%s", account->engine);
    for (unsigned i = 0; i < account->device_count && used < size; i++) {
        const struct device_account *device = &account->devices[i];

        if (device->frames > 0)
            used += (size_t)snprintf(text + used, size - used, "%scuda:%u", used > 0 ? " and " : "",
                                     device->number);
    }
}

const char *report_bottleneck(const struct account *account)
{
    int most = 0;

    for (int i = 1; i < ACCOUNT_STAGES; i++) {
        if (account->busy[i] > account->busy[most])
            most = i;
    }
    return stage_names[most];
}
