/* The files that one input's results go to: frames, report, statistics. */
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

/* Nothing is open. */
void files_init(struct files *files);

/* Opens one of them, before the work, so that a wrong name shows now. It may be no other's place,
 * nor the input's. `path` NULL: standard output. */
int files_open(struct files *files, enum files_kind kind, const char *path, bool force,
               const struct input *input, struct error *error);

/* Does one of them go to a terminal? */
bool files_use_terminal(const struct files *files);

/* Those that are open get their names: the frames first, for what is said of them must not come
 * alone. Not the report, which is written when that has been done. */
int files_commit(struct files *files, struct error *error);

/* Closes all, and removes what was not committed. */
void files_close(struct files *files);

#endif
