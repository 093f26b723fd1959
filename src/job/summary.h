/* What is said of a run: the plan before it, warnings and the report after it. */
#ifndef GPUENV_JOB_SUMMARY_H
#define GPUENV_JOB_SUMMARY_H

#include <stdbool.h>

#include "base/error.h"
#include "bytes/output.h"
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
};

/* -v: where from, where to, and how. */
void summary_say_plan(const struct summary *summary);

/* `complete`: there was no error. */
void summary_warn(const struct summary *summary, bool complete);

/* -v, and --report to an output that is open and is then committed, or NULL. `failure` is the error
 * of the run; NULL: there was none. */
int summary_report(const struct summary *summary, const struct error *failure,
                   struct output *output, struct error *error);

#endif
