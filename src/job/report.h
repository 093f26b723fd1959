/* The report of a run: JSON for --report, text for -v. */
#ifndef GPUENV_JOB_REPORT_H
#define GPUENV_JOB_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "bytes/output.h"
#include "engine/run_account.h"
#include "job/shard.h"

/* What a run did, and its account. */
struct report {
    const char *input;
    const char *input_container; /* "raw", "wav" */
    const char *input_encoding;  /* "s16le" */
    const char *output;
    const char *output_container;
    const char *output_encoding;
    bool frameless;           /* no frames were written */
    const char *stats;        /* the file of statistics; NULL: none */
    const char *stats_format; /* "jsonl" */
    uint64_t stats_records;
    uint64_t width;
    uint64_t hop;
    unsigned channels;
    unsigned long long clipped;
    int status;                      /* the exit status */
    const char *error;               /* NULL: none */
    const struct shard *shard;       /* NULL: all parts */
    uint64_t shard_frames;           /* frames of the input that are split */
    const struct stat *input_status; /* of its file */
    const struct account *account;
};

/* Writes a JSON object, over several lines, to an open output, and commits it. */
int report_write(const struct report *report, struct output *output, struct error *error);

/* The same object on one line, to be freed. NULL, with errno set, if memory runs out. */
char *report_line(const struct report *report, size_t *size);

/* The same as text, by messages_note(). */
void report_say(const struct report *report);

/* "reader", "engine" or "writer": the stage that the others waited for. */
const char *report_bottleneck(const struct account *account);

/* "cpu and cuda:0" */
void report_name_engines(const struct account *account, char *text, size_t size);

/* Warns of each device that failed at work; its pieces were done by the cores. */
void report_warn_devices(const struct account *account);

/* Notes which devices could not be started. */
void report_say_never(const struct account *account);

#endif
