/* Evicts the CPU caches before each timed run, so that all runs start in the same state. */
#ifndef GPUENV_BENCH_CACHES_H
#define GPUENV_BENCH_CACHES_H

#include <stddef.h>

struct caches {
    unsigned char *memory;
    size_t size;
};

/* Returns -1, with errno set, when out of memory. */
int caches_open(struct caches *caches);
void caches_close(struct caches *caches);

void caches_empty(const struct caches *caches);

#endif
