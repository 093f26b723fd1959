/* SPDX-License-Identifier: MIT */
/* Many inputs, each with its own output, and one queue of work.
 *
 * Threads take inputs, the largest of the next ones first. A large file is cut into pieces, and
 * threads that find no more inputs help with those. An input that fails does not affect the
 * others. */
#ifndef GPUENV_TOOL_BATCH_PRIV_H
#define GPUENV_TOOL_BATCH_PRIV_H

#include "base/error.h"
#include "job/settings.h"

/* The task's statistics and report cover all inputs. The error returned is the final one; errors
 * of single inputs have been printed. */
int batch_run(const struct settings *settings, const struct job_files *task,
              const struct many *many, struct error *error);

#endif
