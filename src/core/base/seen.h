/* SPDX-License-Identifier: MIT */
/* A set of names, stored as 64-bit hashes, so that ten million of them fit into memory. With ten
 * million names, one run in a hundred thousand has a collision. Thread-safe. */
#ifndef GPUENV_BASE_SEEN_H
#define GPUENV_BASE_SEEN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct seen {
    pthread_mutex_t lock;
    uint64_t *hashes; /* a free slot is 0 */
    size_t capacity;  /* a power of two, or 0 */
    size_t count;
};

/* An empty set. */
#define SEEN_NONE                                                                                  \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* Adds a name, which may be any bytes. Unless `there` is NULL, sets `*there` if the name was in the
 * set before. Returns -1, with errno set, when out of memory. */
int seen_add(struct seen *seen, const void *name, size_t size, bool *there);
bool seen_has(struct seen *seen, const void *name, size_t size);

/* These add and find the identity of a file. */
int seen_add_file(struct seen *seen, dev_t device, ino_t inode, bool *there);
bool seen_has_file(struct seen *seen, dev_t device, ino_t inode);

void seen_free(struct seen *seen);

#endif
