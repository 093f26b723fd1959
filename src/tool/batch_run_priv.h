/* SPDX-License-Identifier: MIT */
/* The data that the threads of a batch share: those that work on inputs (worker.c), and the one
 * that starts and ends the batch (batch.c). Private to these two. */
#ifndef GPUENV_TOOL_BATCH_RUN_PRIV_H
#define GPUENV_TOOL_BATCH_RUN_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/flag.h"
#include "io/output.h"
#include "job/job.h"
#include "job/settings.h"
#include "lib/engines.h"
#include "tool/check_priv.h"
#include "tool/ledger_priv.h"
#include "tool/names_priv.h"
#include "tool/ordered_priv.h"
#include "tool/progress_priv.h"
#include "tool/targets_priv.h"

enum { DEVICE_JOBS = 2 }; /* jobs on a device at a time: one transfers, the other reads */

/* The files to which all inputs write. */
enum batch_text { TEXT_STATS, TEXT_REPORT, TEXT_FRAMES, TEXTS };

struct batch {
    const struct settings *settings;
    const struct job_files *task;
    const struct many *many;
    struct settings frameless; /* for inputs whose output exists, but whose records are wanted */
    gpuenv_context *context;
    struct names names;
    struct targets targets;
    struct ledger ledger;
    struct output outputs[TEXTS]; /* open if they are wanted */
    struct ordered texts[TEXTS];
    struct known known; /* under the names' lock */
    struct progress progress;
    struct job_shared shared;
    bool tables;          /* records have the fields of tables */
    unsigned device_jobs; /* jobs on all devices at a time */

    pthread_mutex_t lock;

    /* All under `lock`. */
    bool fatal; /* `error` has ended the batch */
    struct error error;

    struct flag stop; /* raised when no more inputs are taken */
    atomic_bool stopping;
    atomic_uint working; /* threads at work */
};

/* Runs part `number` of the threads' job: takes inputs until none are left, or the batch stops.
 * `context` is the batch. */
void batch_work(void *context, unsigned number);

#endif
