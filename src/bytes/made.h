/* The files that the outputs of one run have become. Two outputs with different names can be one
 * file, by a symbolic link or where a file system ignores case. Any thread may call. */
#ifndef GPUENV_BYTES_MADE_H
#define GPUENV_BYTES_MADE_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/seen.h"

struct made {
    pthread_mutex_t lock;
    pthread_mutex_t replacing; /* held while an output looks at a file and takes its place */
    struct seen files;
};

void made_open(struct made *made);
void made_close(struct made *made);

/* Adds a file that is complete. -1, with errno set, when there is no memory. */
int made_add(struct made *made, const struct stat *status);

/* Is this file one of them, and unchanged since? */
bool made_has(struct made *made, const struct stat *status);

#endif
