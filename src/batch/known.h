/* The inputs known so far, and their folders: what outputs may not replace if names come through a
 * pipe. Thread-safe. Private to this room. */
#ifndef GPUENV_BATCH_KNOWN_H
#define GPUENV_BATCH_KNOWN_H

#include <pthread.h>

#include "base/seen.h"
#include "batch/names.h"

struct known {
    pthread_mutex_t lock;
    struct seen files;
    struct seen folders;
};

void known_open(struct known *known);
void known_close(struct known *known);

/* Returns -1, with errno set, if memory runs out. */
int known_add(struct known *known, const struct entry *entry);

/* Rejects `path` as the output of an input if that replaces another input, or a file in a folder
 * of inputs with an ending that can be read. `type` is the argument of -t. */
int known_check(struct known *known, const struct entry *entry, const char *path, const char *type,
                struct error *error);

#endif
