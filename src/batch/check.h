/* Errors that are found before the batch works, or before it works on one input. Private to this
 * room. */
#ifndef GPUENV_BATCH_CHECK_H
#define GPUENV_BATCH_CHECK_H

#include "base/error.h"
#include "base/seen.h"
#include "batch/names.h"
#include "batch/targets.h"
#include "cli/settings.h"

/* Checks that concern every input. `targets` NULL: no frames are written. */
int check_settings(const struct settings *settings, const struct task *task,
                   const struct targets *targets, struct error *error);

/* No two inputs may have the same output, and no output may be an input, as far as inputs are
 * known. Adds the paths of the outputs to `outputs`. */
int check_targets(const struct names *names, const struct targets *targets, struct seen *outputs,
                  struct error *error);

/* The shared statistics and report may not replace one of these inputs, under any name. */
int check_texts(const struct task *task, const struct entry *entries, size_t count,
                struct error *error);

/* Nor may they replace the list of names. */
int check_list(const struct task *task, const char *list, struct error *error);

/* ---- names that come through a pipe */

/* The inputs known so far, and their folders: what outputs may not replace. Thread-safe. */
struct known {
    struct seen files; /* both to be freed */
    struct seen folders;
};

/* Returns -1, with errno set, if memory runs out. */
int known_add(struct known *known, const struct entry *entry);

/* Rejects `path` as the output of an input if that replaces another input, or a file in a folder
 * of inputs with an ending that can be read. `type` is the argument of -t. */
int known_check(struct known *known, const struct entry *entry, const char *path, const char *type,
                struct error *error);

#endif
