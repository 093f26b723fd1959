/* SPDX-License-Identifier: MIT */
/* What jobs ask of the program: messages, the progress line, signals. */
#ifndef GPUENV_TOOL_HOST_PRIV_H
#define GPUENV_TOOL_HOST_PRIV_H

#include "job/job.h"

extern const struct job_host tool_host;
extern const struct job_host tool_host_of_many; /* for a batch, which shows progress itself */

#endif
