/* The inputs known so far, and their folders: what outputs may not replace if names come through a
 * pipe. Thread-safe. Private to this room. */
#ifndef GPUENV_BATCH_KNOWN_H
#define GPUENV_BATCH_KNOWN_H

#include "base/seen.h"
#include "batch/names.h"

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
