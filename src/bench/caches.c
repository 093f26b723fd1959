/* A flavour processes the same samples in every run, because its set-up may depend on their
 * address. Samples left in the caches would make later runs of small tasks faster than the first
 * one. So twice the size of the last-level cache is read between runs: reading leaves nothing
 * behind that must be written back during the timed run. */
#include "bench/runner.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/pages.h"

enum { LINE = 64 };

static const size_t SIZE_LEAST = (size_t)64 << 20;
static const size_t SIZE_MOST = (size_t)512 << 20;

/* Of the first CPU, in bytes; 0 if unknown. */
static size_t last_level_cache(void)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re");
    unsigned kilobytes = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%uK", &kilobytes) != 1) /* NOLINT(cert-err34-c): the kernel wrote it */
        kilobytes = 0;
    (void)fclose(file);
    return (size_t)kilobytes << 10;
}

int caches_open(struct caches *caches)
{
    size_t size = 2 * last_level_cache();

    if (size < SIZE_LEAST)
        size = SIZE_LEAST;
    if (size > SIZE_MOST)
        size = SIZE_MOST;
    caches->size = size;
    caches->memory = pages_alloc(size);
    if (caches->memory == NULL)
        return -1;
    /* Pages that were never written all map to the same zero page. */
    memset(caches->memory, 1, size);
    return 0;
}

void caches_close(struct caches *caches)
{
    pages_free(caches->memory, caches->size);
    caches->memory = NULL;
}

void caches_empty(const struct caches *caches)
{
    unsigned sum = 0;
    const volatile unsigned char *memory = caches->memory;

    for (size_t i = 0; i < caches->size; i += LINE)
        sum += memory[i];
    (void)sum;
}
