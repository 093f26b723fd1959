/* The account of a run: JSON for --report, words for -v. */
#ifndef GPUENV_CLI_REPORT_H
#define GPUENV_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "bytes/output.h"

enum { REPORT_STAGES = 3 }; /* reader, engine, writer */

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

/* An engine that worked on frames. */
struct report_engine {
    const char *name;  /* "cpu", "cuda:0" */
    const char *words; /* what it says of itself */
    uint64_t frames;
};

/* A device has "begun", "joined" or "left". */
struct report_change {
    const char *engine;
    const char *change;
    double seconds;  /* since the work began */
    uint64_t frames; /* that were done by then */
    const char *why; /* NULL: that goes without saying */
};

struct report {
    const char *input;
    const char *input_container; /* "raw", "wav" */
    const char *input_encoding;  /* "s16le" */
    const char *output;
    const char *output_container;
    const char *output_encoding;
    bool frameless; /* there was no output */
    uint64_t in_frames;
    uint64_t out_frames;
    uint64_t in_bytes;
    uint64_t out_bytes;
    uint64_t chunks;
    double seconds;
    double busy[REPORT_STAGES]; /* seconds at work */
    const char *engine;         /* "cpu" */
    const char *engine_words;   /* "avx2, 2 threads" */
    const char *stats;          /* where they went; NULL: there were none */
    const char *stats_format;   /* "jsonl" */
    uint64_t stats_records;
    uint64_t width;
    uint64_t hop;
    unsigned channels;
    unsigned long long clipped;
    int status;                       /* the exit status */
    const char *error;                /* NULL: none */
    const struct report_shard *shard; /* NULL: all parts */
    const char *way;                  /* "pieces": side by side; "stages" or "turns": in order, */
    const char *why;                  /* because of this; NULL for pieces */
    unsigned workers;                 /* that did pieces */
    const struct report_engine *engines;
    size_t engine_count;
    const struct report_change *changes;
    size_t change_count;
};

/* One JSON object, over several lines, to an output that is open; it is committed. */
int report_write(const struct report *report, struct output *output, struct error *error);

/* The same object on a line of its own. To be freed; NULL, with errno set, when there is no memory.
 */
char *report_line(const struct report *report, size_t *size);

/* The same for people, by messages_note(). */
void report_say(const struct report *report);

/* "reader", "engine" or "writer": the one that the others waited for. */
const char *report_bottleneck(const struct report *report);

#endif
