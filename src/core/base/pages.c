/* SPDX-License-Identifier: MIT */
#include "base/pages.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/min_max.h"

/* The size rounded up to whole small pages; 0 on overflow. */
static size_t round_up(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (size == 0)
        return page;
    if (size > SIZE_MAX - (page - 1))
        return 0;
    return (size + page - 1) / page * page;
}

void *pages_alloc(size_t size)
{
    size_t bytes = round_up(size);
    size_t spare = size >= PAGES_HUGE ? PAGES_HUGE : 0;
    unsigned char *mapped;
    size_t before;

    if (bytes == 0 || bytes > SIZE_MAX - spare) {
        errno = ENOMEM;
        return NULL;
    }
    mapped = mmap(NULL, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    if (spare == 0)
        return mapped;
    /* A mapping that is one huge page longer than needed contains an aligned block. The rest is
     * unmapped; if that fails, it is only address space without memory behind it. */
    before = (PAGES_HUGE - (uintptr_t)mapped % PAGES_HUGE) % PAGES_HUGE;
    if (before > 0)
        (void)munmap(mapped, before);
    if (before < spare)
        (void)munmap(mapped + before + bytes, spare - before);
    return mapped + before;
}

void pages_free(void *pages, size_t size)
{
    if (pages != NULL)
        (void)munmap(pages, round_up(size));
}

void *pages_malloc(size_t size, size_t alignment)
{
    void *memory;
    int number = posix_memalign(&memory, size >= PAGES_HUGE ? PAGES_HUGE : alignment, size);

    if (number == 0)
        return memory;
    errno = number;
    return NULL;
}

bool pages_are_touched(const void *memory, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    for (unsigned i = 1; i < 4; i++) {
        uintptr_t at = ((uintptr_t)memory + size / 4 * i) / page * page;
        unsigned char touched = 0;

        if (mincore((void *)at, page, &touched) != 0 || (touched & 1) == 0)
            return false;
    }
    return true;
}

static uint64_t machine_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

/* The first number in a file. "max", or anything else that is not a number, means no limit. */
static uint64_t number_in_file(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[32];
    char *end = line;
    unsigned long long number = 0;

    if (file == NULL)
        return UINT64_MAX;
    if (fgets(line, sizeof line, file) != NULL)
        number = strtoull(line, &end, 10); /* returns the largest value on overflow */
    (void)fclose(file);
    return end == line ? UINT64_MAX : number;
}

/* The address space in use, in bytes: the program, its libraries and its allocations. */
static uint64_t addresses_taken(void)
{
    uint64_t pages = number_in_file("/proc/self/statm");
    long page = sysconf(_SC_PAGESIZE);

    return pages == UINT64_MAX || page < 0 ? 0 : pages * (uint64_t)page;
}

static uint64_t resource_limit(void)
{
    struct rlimit space;
    struct rlimit data;
    uint64_t limit = UINT64_MAX;

    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        limit = space.rlim_cur - min_u64(space.rlim_cur, addresses_taken());
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY)
        limit = min_u64(limit, data.rlim_cur);
    return limit;
}

/* A control group is also limited by the groups above it. In a container that sees the path of its
 * host, walking up the path also finds the right file: the longer paths do not exist there, and the
 * container's own group is the root. */
static uint64_t group_limit(const char *mount, const char *group, const char *file)
{
    char path[PATH_MAX];
    char *root;
    uint64_t limit = UINT64_MAX;

    if (strlen(mount) + strlen(group) + strlen(file) >= sizeof path)
        return limit;
    root = stpcpy(path, mount);
    for (char *end = stpcpy(root, strcmp(group, "/") == 0 ? "" : group); end != NULL;
         end = strrchr(root, '/')) {
        (void)stpcpy(end, file);
        limit = min_u64(limit, number_in_file(path));
        *end = '\0';
    }
    return limit;
}

/* A line is NUMBER:CONTROLLERS:PATH. Version 2 has the number 0 and no controllers. Version 1 has a
 * hierarchy for memory, possibly next to a version 2 without it. */
static uint64_t limit_in_line(char *line)
{
    char *controllers = strchr(line, ':');
    char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');

    if (group == NULL)
        return UINT64_MAX;
    *controllers++ = '\0';
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (*controllers == '\0')
        return min_u64(group_limit("/sys/fs/cgroup", group, "/memory.max"),
                       group_limit("/sys/fs/cgroup/unified", group, "/memory.max"));
    if (strstr(controllers, "memory") != NULL)
        return group_limit("/sys/fs/cgroup/memory", group, "/memory.limit_in_bytes");
    return UINT64_MAX;
}

uint64_t pages_group_limit(void)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char *line = NULL;
    size_t size = 0;
    uint64_t limit = UINT64_MAX;

    if (file == NULL)
        return UINT64_MAX;
    while (getline(&line, &size, file) > 0)
        limit = min_u64(limit, limit_in_line(line));
    free(line);
    (void)fclose(file);
    return limit;
}

uint64_t pages_limit(void)
{
    return min_u64(machine_limit(), resource_limit());
}
