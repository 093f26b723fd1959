/* A set of names, as hashes of 64 bits, so that ten million of them fit into memory. Two names have
 * one hash once in a hundred thousand runs with as many. */
#ifndef GPUENV_BASE_SEEN_H
#define GPUENV_BASE_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seen {
    uint64_t *hashes; /* 0: a place that is free */
    size_t room;      /* a power of two, or 0 */
    size_t count;
};

/* Adds a name, which may be any bytes. `*there`: it was in the set before. -1, with errno set, when
 * there is no memory. */
int seen_add(struct seen *seen, const void *name, size_t size, bool *there);
bool seen_has(const struct seen *seen, const void *name, size_t size);
void seen_free(struct seen *seen);

#endif
