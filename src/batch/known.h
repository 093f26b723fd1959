/* The inputs that are known so far, and the folders that they come from: what an output may not
 * replace where names come through a pipe. Any thread may call. Private to this room. */
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

/* -1, with errno set, when there is no memory. */
int known_add(struct known *known, const struct entry *entry);

/* Refuses to write the output of an input to `path` if that replaces another input, or a file in a
 * folder of inputs whose ending says that it can be read. `type` is what stands after -t. */
int known_check(struct known *known, const struct entry *entry, const char *path, const char *type,
                struct error *error);

#endif
