/* One input to one output: plans it from the options, and runs it. */
#ifndef GPUENV_JOB_JOB_H
#define GPUENV_JOB_JOB_H

#include "base/error.h"
#include "cli/options.h"

/* `input` NULL is standard input, `output` NULL is standard output. */
int job_run(const struct options *options, const char *input, const char *output,
            struct error *error);

#endif
