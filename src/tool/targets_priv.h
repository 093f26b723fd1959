/* SPDX-License-Identifier: MIT */
/* The output path of an input. */
#ifndef GPUENV_TOOL_TARGETS_PRIV_H
#define GPUENV_TOOL_TARGETS_PRIV_H

#include "base/error.h"
#include "job/settings.h"
#include "tool/folders_priv.h"

struct targets {
    const char *folder; /* the folder of all outputs */
    const char *name;   /* the template; NULL for the default */
    const struct settings *settings;
    char ending[16]; /* the value of {ext}; empty if the kind of input decides */
};

void targets_init(struct targets *targets, const struct many *many,
                  const struct settings *settings);

/* Returns the path of an output, to be freed; NULL, with an error, if {dir} leads out of the
 * folder, or memory runs out. */
char *targets_path(const struct targets *targets, const struct entry *entry, struct error *error);

/* Makes the folders in the path, from the folder of all outputs on. Several threads may make one
 * folder. */
int targets_make_folders(const struct targets *targets, const char *path, struct error *error);

/* Makes the folder of all outputs, and its parents. */
int targets_make_root(const struct targets *targets, struct error *error);

#endif
