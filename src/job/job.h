/* One input to one output: planned from the settings, and run. */
#ifndef GPUENV_JOB_JOB_H
#define GPUENV_JOB_JOB_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/output.h"
#include "cli/settings.h"
#include "engine/machine.h"
#include "engine/run_account.h"
#include "stream/pipeline.h"

int job_run(const struct settings *settings, const struct task *task, struct error *error);

/* What can be told before there is an input: as job_run() would fail at once. */
int job_check(const struct settings *settings, const struct task *task, struct error *error);

/* For a job that is one of many: what they share, and what it leaves to whoever runs them. It shows
 * no progress, and does not tell its plan. An input that is too short for a device is for the
 * cores, whatever the settings say. */
struct job_among {
    const struct machine *machine;
    unsigned beside;      /* other jobs at the same time, which keep the processors busy */
    struct output *stats; /* for its records, without the line of names, if it has a task->stats */
    bool reports;         /* an account is wanted */
    const struct output *taken; /* it may write to none of these outputs that are open */
    size_t taken_count;
    struct made *made; /* the outputs of all of them */
    sem_t *device;     /* has as many places as jobs may work on a device at a time */
    uint64_t ahead;    /* bytes of inputs to come that a device may help with, as far as is known */
    atomic_bool *rate_told; /* one of them has warned of a rate that its header cannot say */

    /* Called when the stream begins to run, and when it has ended, which may be never. */
    void (*begins)(void *context, const struct pipeline_progress *progress, size_t frame_bytes);
    void (*ends)(void *context);
    void *context;

    /* Set: */
    struct account account; /* all zero where there was no stream */
    char *report;           /* a line; to be freed; NULL: there was no memory for it */
    size_t report_size;
};

/* Such a job. It opens neither the statistics nor the report of its task. */
int job_run_among(const struct settings *settings, const struct task *task, struct job_among *among,
                  struct error *error);

#endif
