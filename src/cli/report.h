/* The account of a run: JSON for --report, words for -v. */
#ifndef GPUENV_CLI_REPORT_H
#define GPUENV_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "bytes/output.h"
#include "engine/run_account.h"

/* Of which part of which whole the report is. */
struct report_shard {
    uint32_t number;
    uint32_t count;
    uint64_t input_size;         /* bytes of the file */
    struct timespec input_mtime; /* when it was changed last */
    uint64_t input_frames;       /* of it that all parts are of */
    uint64_t outputs;            /* frames of all parts */
    uint64_t first_output;       /* the number of its first one */
    uint64_t next_output;        /* and of the first one that is not its own */
    uint64_t first_block;        /* the same for the blocks of statistics */
    uint64_t next_block;
};

/* What a run was, and its account. */
struct report {
    const char *input;
    const char *input_container; /* "raw", "wav" */
    const char *input_encoding;  /* "s16le" */
    const char *output;
    const char *output_container;
    const char *output_encoding;
    bool frameless;           /* there was no output */
    const char *stats;        /* where they went; NULL: there were none */
    const char *stats_format; /* "jsonl" */
    uint64_t stats_records;
    uint64_t width;
    uint64_t hop;
    unsigned channels;
    unsigned long long clipped;
    int status;                       /* the exit status */
    const char *error;                /* NULL: none */
    const struct report_shard *shard; /* NULL: all parts */
    const struct account *account;
};

/* One JSON object, over several lines, to an output that is open; it is committed. */
int report_write(const struct report *report, struct output *output, struct error *error);

/* The same object on a line of its own. To be freed; NULL, with errno set, when there is no memory.
 */
char *report_line(const struct report *report, size_t *size);

/* The same for people, by messages_note(). */
void report_say(const struct report *report);

/* "reader", "engine" or "writer": the one that the others waited for. */
const char *report_bottleneck(const struct account *account);

/* "cpu and cuda:0" */
void report_name_engines(const struct account *account, char *text, size_t size);

/* A warning for each device that failed at work, though nothing is lost. */
void report_warn_devices(const struct account *account);

/* By messages_note(): which devices could not be started. */
void report_say_never(const struct account *account);

#endif
