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

/* Checks that concern every input. `targets` NULL: no frames are written. */
int check_settings(const struct settings *settings, const struct job_files *task,
                   const struct targets *targets, struct error *error);

/* The inputs known so far, their folders, their outputs by name, and those that have been made:
 * what outputs may not replace. */
struct known {
    const struct settings *settings;
    const struct job_files *task;
    const struct targets *targets; /* NULL: no frames are written */
    const struct many *many;
    const struct stat *list; /* the list of names; NULL: none */
    bool piped;              /* it is a pipe */
    bool texts_harm;         /* an input, or the list of names, is also a shared output */
    struct seen files;       /* all to be freed */
    struct seen folders;
    struct seen outputs;
    struct made made;
};

/* Adds inputs, and sets their outputs. Neither they nor the list of names may be a shared output;
 * no two may have the same output, and no output may be an input. Names known in advance are
 * checked whole, and a clash is an error; in one from the pipe, and where an output may be an input
 * that has no name yet, it is noted in the entry. */
int known_check(struct known *known, const struct entries *inputs, bool in_advance,
                struct error *error);

/* Right before the work on an input: the error of a clash that was noted, or of an output that lies
 * outside of the folder, or of this run. `*passed_over`: it is there from an earlier run. */
int known_check_turn(struct known *known, struct entry *entry, bool *passed_over,
                     struct error *error);

#endif
