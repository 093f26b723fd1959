/* SPDX-License-Identifier: MIT */
/* Errors that are found before the batch works, or before it works on one input. */
#ifndef GPUENV_TOOL_CHECK_PRIV_H
#define GPUENV_TOOL_CHECK_PRIV_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/seen.h"
#include "io/output.h"
#include "job/settings.h"
#include "tool/targets_priv.h"

/* Checks what concerns every input. `targets` is NULL if no frames are written. */
int check_settings(const struct settings *settings, const struct job_files *task,
                   const struct targets *targets, struct error *error);

/* The inputs known so far, their folders, their outputs by name, and those that have been made:
 * what outputs may not replace. */
struct known {
    const struct settings *settings;
    const struct job_files *task;
    const struct targets *targets; /* NULL if no frames are written */
    const struct many *many;
    const struct stat *list; /* the list of names; may be NULL */
    bool piped;              /* the list is a pipe */
    bool texts_harm;         /* an input, or the list of names, is also a shared output */
    /* The sets are to be freed. */
    struct seen files;
    struct seen folders;
    struct seen outputs;
    struct made made;
};

/* Adds inputs, and sets their outputs. Neither inputs nor the list of names may be a shared output;
 * no two inputs may have one output, and no output may be an input. Names known in advance are
 * checked together, and a clash is an error. The clash of a name from the pipe, or of an output
 * that may be an input still to come, is noted in the entry. */
int known_check(struct known *known, const struct entries *inputs, bool in_advance,
                struct error *error);

/* Checks an input right before the work on it. Fails if a clash was noted, if the output lies
 * outside of the folder, or if a file of this run would be replaced or read. `*passed_over`: the
 * output is there from an earlier run. */
int known_check_turn(struct known *known, struct entry *entry, bool *passed_over,
                     struct error *error);

#endif
