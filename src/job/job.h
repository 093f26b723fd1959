/* One input to one output: plans it from the settings, and runs it. */
#ifndef GPUENV_JOB_JOB_H
#define GPUENV_JOB_JOB_H

#include "base/error.h"
#include "cli/settings.h"

int job_run(const struct settings *settings, const struct task *task, struct error *error);

#endif
