/* What can be known to be wrong before any work. Private to this room. */
#ifndef GPUENV_BATCH_CHECK_H
#define GPUENV_BATCH_CHECK_H

#include "base/error.h"
#include "base/seen.h"
#include "batch/names.h"
#include "batch/targets.h"
#include "cli/settings.h"

/* What holds for every input. `targets` NULL: no frames are written. */
int check_settings(const struct settings *settings, const struct task *task,
                   const struct targets *targets, struct error *error);

/* No two inputs may have one output, and no output may be an input, as far as inputs are known.
 * Adds the paths of the outputs to `outputs`. */
int check_targets(const struct names *names, const struct targets *targets, struct seen *outputs,
                  struct error *error);

/* The statistics and the report of all are not to take the place of one of these inputs, whatever
 * name they call it by. */
int check_texts(const struct task *task, const struct entry *entries, size_t count,
                struct error *error);

/* Nor that of the list of names. */
int check_list(const struct task *task, const char *list, struct error *error);

#endif
