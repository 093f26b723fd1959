/* Messages about a run: the plan before it, warnings and the report after it. */
#ifndef GPUENV_JOB_SUMMARY_H
#define GPUENV_JOB_SUMMARY_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/error_words.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "job/files.h"
#include "job/plan.h"
#include "stream/pipeline.h"

/* A run, as far as messages need it. */
struct summary {
    const struct settings *settings;
    const struct plan *plan;
    const struct files *files;
    const struct pipeline *pipeline; /* with its source, its sink and its statistics */
    const struct account *account;   /* used after the run */
};

/* For -v: source, destination, method. */
void summary_say_plan(const struct summary *summary);

/* `complete`: there was no error. */
void summary_warn(const struct summary *summary, bool complete);

/* The data that a report points to. */
struct summary_details {
    struct report_shard shard;
    char error[ERROR_WORDS];
};

/* The report of the run. `failure` is its error; NULL: none. */
struct report summary_report(const struct summary *summary, struct summary_details *details,
                             const struct error *failure);

#endif
