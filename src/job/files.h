/* The output files of one input: frames, report, statistics. */
#ifndef GPUENV_JOB_FILES_H
#define GPUENV_JOB_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "bytes/input.h"
#include "bytes/output.h"

enum files_kind { FILES_FRAMES, FILES_REPORT, FILES_STATS, FILES_KINDS };

struct files {
    struct output of[FILES_KINDS];
};

/* No file is open. */
void files_init(struct files *files);

/* Opens one of them before the work, so that a wrong name is reported at once. It may not be
 * another's file, nor the input. `path` NULL: standard output. */
int files_open(struct files *files, enum files_kind kind, const char *path, bool force,
               const struct input *input, struct error *error);

/* True if one of them is a terminal. */
bool files_use_terminal(const struct files *files);

/* Renames the open files to their final names, frames first, so that statistics never exist
 * without them. Not the report, which report_write() commits. */
int files_commit(struct files *files, struct error *error);

/* Before that, those that would replace older files get names with ".part" behind them. `*aside`
 * says whether that of the frames does. */
int files_step_aside(struct files *files, bool *aside, struct error *error);

/* Closes all of them, and removes those that were not committed. */
void files_close(struct files *files);

#endif
