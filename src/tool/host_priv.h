/* SPDX-License-Identifier: MIT */
/* What jobs ask of the program: messages, the progress line, signals. */
#pragma once

#include "job/job.h"

extern const struct job_host tool_host;
extern const struct job_host tool_host_of_many; /* for a batch, which shows progress itself */
