/* Where the output of an input goes. */
#ifndef GPUENV_BATCH_TARGETS_H
#define GPUENV_BATCH_TARGETS_H

#include <stddef.h>

#include "base/error.h"
#include "batch/names.h"
#include "cli/settings.h"

struct targets {
    const char *folder; /* of all outputs */
    const char *name;   /* the template; NULL: the usual one */
    char ending[16];    /* what {ext} stands for */
};

/* `type` is what stands after -T; NULL: nothing. */
void targets_init(struct targets *targets, const struct many *many, const char *type);

/* The path of an output, to be freed. NULL is an error: what {dir} stands for leads out of the
 * folder, or there is no memory. */
char *targets_path(const struct targets *targets, const struct entry *entry, struct error *error);

/* Makes the folders that the path leads through, from the folder of all outputs on. Several threads
 * may make the same. */
int targets_make_folders(const struct targets *targets, const char *path, struct error *error);

/* Makes the folder of all outputs, and those that it lies in. */
int targets_make_root(const struct targets *targets, struct error *error);

#endif
