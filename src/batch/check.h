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

/* The inputs known so far, their folders, and the paths of the outputs: what outputs may not
 * replace. Thread-safe. */
struct known {
    struct seen files; /* all to be freed */
    struct seen folders;
    struct seen outputs;
};

/* The folder is added only if `folders`. Returns -1, with errno set, if memory runs out. */
int known_add(struct known *known, const struct entry *entry, bool folders);

/* No two inputs may have the same output, and no output may be an input, as far as inputs are
 * known. Adds them to `known`. */
int check_targets(const struct names *names, const struct targets *targets, struct known *known,
                  struct error *error);

/* The shared statistics and report may not replace one of these files, under any name. `what` they
 * are: "the input file". */
int check_shared_outputs(const struct task *task, const struct entry *entries, size_t count,
                         const char *what, struct error *error);

/* The same of the list of names; and a list that is a pipe cannot be an input, too: each
 * would get a part of the bytes. */
int check_list(const struct task *task, const struct names *names, struct error *error);

/* For names that come through a pipe: rejects `path` as the output of an input if that replaces
 * another input, or a file in a folder of inputs with an ending that can be read. `type` is the
 * argument of -t. */
int known_check(struct known *known, const struct entry *entry, const char *path, const char *type,
                struct error *error);

#endif
