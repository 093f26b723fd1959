/* One input to one output: planned from the settings, and run. */
#ifndef GPUENV_JOB_JOB_H
#define GPUENV_JOB_JOB_H

#include "base/error.h"
#include "cli/settings.h"

int job_run(const struct settings *settings, const struct task *task, struct error *error);

#endif
