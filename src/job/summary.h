/* What is said of a run: the plan before it, warnings and the report after it. */
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

/* A run, as far as anything is said of it. */
struct summary {
    const struct settings *settings;
    const struct plan *plan;
    const struct files *files;
    const struct pipeline *pipeline; /* with its source, its sink and its statistics */
    const struct account *account;   /* once it has run */
};

/* -v: where from, where to, and how. */
void summary_say_plan(const struct summary *summary);

/* `complete`: there was no error. */
void summary_warn(const struct summary *summary, bool complete);

/* What a report points to. */
struct summary_details {
    struct report_shard shard;
    char error[ERROR_WORDS];
};

/* What is reported of the run. `failure` is its error; NULL: there was none. */
struct report summary_report(const struct summary *summary, struct summary_details *details,
                             const struct error *failure);

#endif
