/* SPDX-License-Identifier: MIT */
/* The state of a batch's inputs: for the progress line, the summary and the report. Thread-safe. */
#ifndef GPUENV_TOOL_LEDGER_PRIV_H
#define GPUENV_TOOL_LEDGER_PRIV_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job.h"
#include "tool/progress_priv.h"

/* An input in progress. */
struct under_way {
    uint64_t size; /* bytes of the file */
    struct pipeline_progress progress;
};

enum input_outcome { OUTCOME_DONE, OUTCOME_FAILED, OUTCOME_PASSED_OVER, OUTCOMES };

struct ledger {
    pthread_mutex_t lock;
    double started; /* seconds, monotonic clock */
    uint64_t files; /* UINT64_MAX if unknown */
    uint64_t bytes; /* bytes of all files; unknown if `files` is */

    /* All under `lock`. */
    uint64_t ended[OUTCOMES];
    uint64_t size; /* bytes of the completed files */
    uint64_t in_bytes;
    uint64_t out_bytes;
    struct under_way *under_way; /* one per thread */
    unsigned threads;
};

/* Returns -1, with errno set, if memory runs out. */
int ledger_open(struct ledger *ledger, unsigned threads, uint64_t files, uint64_t bytes);
void ledger_close(struct ledger *ledger);

/* Records that a thread begins an input. */
void ledger_begin(struct ledger *ledger, struct under_way *under_way, uint64_t size);

/* Records that the input has ended, with its job's result. */
void ledger_end(struct ledger *ledger, struct under_way *under_way, enum input_outcome outcome,
                const struct run_result *result);

/* Inputs that have ended in some way. */
uint64_t ledger_ended(struct ledger *ledger);

/* Formats the progress line, without a newline. */
void ledger_format(struct ledger *ledger, char *text, size_t size);

/* The last line of the report, to be freed. Returns NULL, with errno set, if memory runs out. */
char *ledger_line(struct ledger *ledger, int status, uint64_t not_begun, size_t *size);

#endif
