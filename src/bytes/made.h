/* The files that the outputs of one run have become. Two outputs with different names can be the
 * same file: by a symbolic link, or on a file system that ignores case. Thread-safe. */
#ifndef GPUENV_BYTES_MADE_H
#define GPUENV_BYTES_MADE_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/seen.h"

struct made {
    pthread_mutex_t replacing; /* held while an output checks a file and replaces it */
    struct seen files;         /* to be freed */
};

/* No files. */
#define MADE_NONE                                                                                  \
    {                                                                                              \
        .replacing = PTHREAD_MUTEX_INITIALIZER, .files = SEEN_NONE                                 \
    }

/* Adds a complete file. Returns -1, with errno set, if memory runs out. */
int made_add(struct made *made, const struct stat *status);

/* True if this file is one of them and has not changed since. */
bool made_has(struct made *made, const struct stat *status);

#endif
