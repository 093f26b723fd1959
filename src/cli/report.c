#include "cli/report.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory_text.h"
#include "bytes/output.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "sample/number.h"

static const char *const stage_names[REPORT_STAGES] = {"reader", "engine", "writer"};

static void print_string(FILE *file, const char *string)
{
    char piece[JSON_PIECE_MOST];
    size_t size;

    if (string == NULL) {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    while ((size = json_piece(&string, piece)) > 0)
        fwrite(piece, 1, size, file);
    fputc('"', file);
}

static void print_number(FILE *file, double number)
{
    char digits[NUMBER_MOST];

    if (isfinite(number))
        fwrite(digits, 1, number_format(digits, number, false), file);
    else
        fputs("null", file);
}

static void print_string_member(FILE *file, const char *key, const char *value)
{
    fprintf(file, "  \"%s\": ", key);
    print_string(file, value);
    fputs(",\n", file);
}

static void print_whole_member(FILE *file, const char *key, uint64_t value)
{
    fprintf(file, "  \"%s\": %llu,\n", key, (unsigned long long)value);
}

static void print_busy(FILE *file, const double busy[REPORT_STAGES])
{
    fputs("  \"busy\": {", file);
    for (int i = 0; i < REPORT_STAGES; i++) {
        fprintf(file, "%s\"%s\": ", i > 0 ? ", " : "", stage_names[i]);
        print_number(file, busy[i]);
    }
    fputs("},\n", file);
}

static void print_engines(FILE *file, const struct report *report)
{
    fputs(",\n  \"engines\": [", file);
    for (size_t i = 0; i < report->engine_count; i++) {
        const struct report_engine *engine = &report->engines[i];

        fprintf(file, "%s{\"engine\": ", i > 0 ? ", " : "");
        print_string(file, engine->name);
        fputs(", \"words\": ", file);
        print_string(file, engine->words);
        fprintf(file, ", \"frames\": %llu}", (unsigned long long)engine->frames);
    }
    fputs("],\n  \"changes\": [", file);
    for (size_t i = 0; i < report->change_count; i++) {
        const struct report_change *change = &report->changes[i];

        fprintf(file, "%s{\"engine\": ", i > 0 ? ", " : "");
        print_string(file, change->engine);
        fprintf(file, ", \"change\": \"%s\", \"seconds\": ", change->change);
        print_number(file, change->seconds);
        fprintf(file, ", \"frames\": %llu, \"why\": ", (unsigned long long)change->frames);
        print_string(file, change->why);
        fputc('}', file);
    }
    fputc(']', file);
}

static void print_shard(FILE *file, const struct report_shard *shard)
{
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {
        {"input_frames", shard->input_frames}, {"outputs", shard->outputs},
        {"first_output", shard->first_output}, {"next_output", shard->next_output},
        {"first_block", shard->first_block},   {"next_block", shard->next_block},
    };

    fprintf(file, ",\n  \"shard\": %lu,\n  \"shards\": %lu", (unsigned long)shard->number,
            (unsigned long)shard->count);
    fprintf(file, ",\n  \"input_size\": %llu", (unsigned long long)shard->input_size);
    /* In a string: a double has no room for it. */
    fprintf(file, ",\n  \"input_mtime\": \"%lld.%09ld\"", (long long)shard->input_mtime.tv_sec,
            shard->input_mtime.tv_nsec);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        fprintf(file, ",\n  \"%s\": %llu", counts[i].key, (unsigned long long)counts[i].value);
}

static void print_report(FILE *file, const struct report *report)
{
    fputs("{\n", file);
    print_string_member(file, "version", GPUENV_VERSION);
    fprintf(file, "  \"status\": %d,\n", report->status);
    print_string_member(file, "error", report->error);
    print_string_member(file, "input", report->input);
    print_string_member(file, "input_container", report->input_container);
    print_string_member(file, "input_encoding", report->input_encoding);
    print_string_member(file, "output", report->output);
    print_string_member(file, "output_container", report->output_container);
    print_string_member(file, "output_encoding", report->output_encoding);
    print_whole_member(file, "channels", report->channels);
    print_whole_member(file, "width", report->width);
    print_whole_member(file, "hop", report->hop);
    print_whole_member(file, "in_frames", report->in_frames);
    print_whole_member(file, "out_frames", report->out_frames);
    print_whole_member(file, "in_bytes", report->in_bytes);
    print_whole_member(file, "out_bytes", report->out_bytes);
    print_whole_member(file, "clipped", report->clipped);
    print_whole_member(file, "chunks", report->chunks);
    print_string_member(file, "stats", report->stats);
    print_string_member(file, "stats_format", report->stats_format);
    print_whole_member(file, "stats_records", report->stats_records);
    print_string_member(file, "engine", report->engine);
    print_string_member(file, "engine_words", report->engine_words);
    fputs("  \"seconds\": ", file);
    print_number(file, report->seconds);
    fputs(",\n", file);
    print_busy(file, report->busy);
    fprintf(file, "  \"bottleneck\": \"%s\",\n", report_bottleneck(report));
    print_string_member(file, "way", report->way);
    print_string_member(file, "why", report->why);
    fprintf(file, "  \"workers\": %u", report->workers);
    print_engines(file, report);
    if (report->shard != NULL)
        print_shard(file, report->shard);
    fputs("\n}\n", file);
}

/* The whole text in memory, to be freed. NULL, with errno set, when there is no room for it. */
static char *format_report(const struct report *report, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);

    if (file == NULL)
        return NULL;
    print_report(file, report);
    return memory_text_close(file, &text);
}

/* Between values stands a newline and its indent; those of strings are escaped. */
char *report_line(const struct report *report, size_t *size)
{
    char *text = format_report(report, size);
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

int report_write(const struct report *report, struct output *output, struct error *error)
{
    size_t size = 0;
    char *text = format_report(report, &size);
    int result = -1;

    if (text == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    if (output_write(output, text, size, error) == 0)
        result = output_commit(output, error);
    free(text);
    return result;
}

static const char *or_standard(const char *name, const char *standard)
{
    return name != NULL ? name : standard;
}

/* "cpu engine (avx2, 2 threads)" */
static void format_engine(const struct report *report, char *text, size_t size)
{
    bool has_words = report->engine_words != NULL && report->engine_words[0] != '\0';

    snprintf(text, size, "%s engine%s%s%s", or_standard(report->engine, "no"),
             has_words ? " (" : "", has_words ? report->engine_words : "", has_words ? ")" : "");
}

static void say_speed(const struct report *report, double seconds)
{
    char engine[128];
    char frames[48];
    char bytes[48];

    format_engine(report, engine, sizeof engine);
    progress_amount((double)report->in_frames / seconds, false, "frame/s", frames, sizeof frames);
    progress_amount((double)report->in_bytes / seconds, true, "B/s", bytes, sizeof bytes);
    messages_note("%s: %.3f s, %s, %s, chunks: %llu", engine, report->seconds, frames, bytes,
                  (unsigned long long)report->chunks);
}

void report_say(const struct report *report)
{
    double seconds = report->seconds > 0 ? report->seconds : INFINITY;
    double percent = 100 / seconds;
    char bytes[48];

    progress_amount((double)report->in_bytes, true, "B", bytes, sizeof bytes);
    messages_note("read %llu frames (%s) from %s", (unsigned long long)report->in_frames, bytes,
                  or_standard(report->input, "standard input"));
    progress_amount((double)report->out_bytes, true, "B", bytes, sizeof bytes);
    if (report->frameless)
        messages_note("wrote no frames");
    else
        messages_note("wrote %llu frames (%s) to %s", (unsigned long long)report->out_frames, bytes,
                      or_standard(report->output, "standard output"));
    if (report->stats != NULL)
        messages_note("wrote %llu records of statistics to %s",
                      (unsigned long long)report->stats_records, report->stats);
    if (report->workers > 0)
        messages_note("pieces, by %u worker%s", report->workers, report->workers == 1 ? "" : "s");
    else if (report->way != NULL && report->why != NULL)
        messages_note("%s: %s", report->way, report->why);
    say_speed(report, seconds);
    messages_note("busy: reader %.0f%%, engine %.0f%%, writer %.0f%%; the %s is the bottleneck",
                  report->busy[0] * percent, report->busy[1] * percent, report->busy[2] * percent,
                  report_bottleneck(report));
}

const char *report_bottleneck(const struct report *report)
{
    int most = 0;

    for (int i = 1; i < REPORT_STAGES; i++) {
        if (report->busy[i] > report->busy[most])
            most = i;
    }
    return stage_names[most];
}
