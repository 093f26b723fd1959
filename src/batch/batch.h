/* Many inputs, each with an output of its own, and one queue for the work on all of them.
 *
 * Threads take inputs, the largest of the next ones first. A file that is large enough is cut into
 * pieces, and threads that find no more inputs help with those. One that fails harms no other. */
#ifndef GPUENV_BATCH_BATCH_H
#define GPUENV_BATCH_BATCH_H

#include "base/error.h"
#include "cli/settings.h"

/* The task's statistics and report are those of all inputs. An error is the last thing to be told:
 * those of single inputs have been. */
int batch_run(const struct settings *settings, const struct task *task, const struct many *many,
              struct error *error);

#endif
