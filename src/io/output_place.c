/* SPDX-License-Identifier: MIT */
/* Output by several threads at once, at any offset.
 *
 * The file's blocks are reserved beforehand if the file system can do that. A plain file has one
 * lock for writes, so threads that call pwrite() take turns. Many threads are faster with a shared
 * mapping, which has no such lock: in a file system in memory, and on a disk if the mapping gets
 * huge pages. With small pages sixteen threads are slower than with pwrite(), because each page
 * costs a fault and a transaction of the journal. Two threads rarely wait for the lock.
 *
 * Copies into a mapped file on a disk go past the caches: together with the mapping, that gains
 * three threads a fifth, sixteen a twelfth. Files in memory become slower by it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/pages.h"
#include "base/past_cache.h"
#include "io/output.h"

enum { MAP_THREADS = 3, PAGE = 4096 };

static bool is_null_device(const struct output *output)
{
    struct stat status;

    return fstat(output->fd, &status) == 0 && S_ISCHR(status.st_mode) &&
           status.st_rdev == makedev(1, 3);
}

bool output_places(const struct output *output)
{
    return (output->path != NULL && output->patchable) || is_null_device(output);
}

static bool is_in_memory(int fd)
{
    struct statfs status;

    return fstatfs(fd, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Maps many pages at a time, which costs less than a fault for each. */
static bool populate(unsigned char *from, size_t size)
{
    uintptr_t first = (uintptr_t)from / PAGE * PAGE;

    return madvise((void *)first, (uintptr_t)from + size - first, MADV_POPULATE_WRITE) == 0;
}

/* Does the mapping have huge pages? Then the first 2 MiB take one fault, not 512. */
static bool comes_in_huge(unsigned char *map, size_t size)
{
    struct rusage before;
    struct rusage after;

    return size >= PAGES_HUGE && (uintptr_t)map % PAGES_HUGE == 0 &&
           madvise(map, size, MADV_HUGEPAGE) == 0 && getrusage(RUSAGE_THREAD, &before) == 0 &&
           populate(map, PAGES_HUGE) && getrusage(RUSAGE_THREAD, &after) == 0 &&
           after.ru_minflt - before.ru_minflt < PAGES_HUGE / PAGE / 8;
}

/* Maps the file if that pays. Dirty mapped pages are hard to reclaim, so they may not take most of
 * the memory; nor of the addresses, which buffers and stacks need, too. */
static void map_file(struct output *output)
{
    bool in_memory = is_in_memory(output->fd);
    void *map;

    if (output->reserved > pages_limit() / 2)
        return;
    map = mmap(NULL, output->reserved, PROT_READ | PROT_WRITE, MAP_SHARED, output->fd, 0);
    if (map == MAP_FAILED)
        return;
    if (in_memory || comes_in_huge(map, output->reserved)) {
        output->map = map;
        output->past_cache = !in_memory;
    } else {
        (void)munmap(map, output->reserved);
    }
}

/* A disk that is too small is not filled: others may be writing to it. */
static bool has_room(int fd, uint64_t size)
{
    struct statvfs disk;

    return fstatvfs(fd, &disk) != 0 || disk.f_blocks == 0 || size / disk.f_frsize < disk.f_bavail;
}

/* If the space cannot be reserved, the writes report whether the disk is full: the output may be
 * smaller than expected. */
void output_reserve(struct output *output, uint64_t size, unsigned threads)
{
    struct stat before;
    int result;

    if (output->path == NULL || size == 0 || size > INT64_MAX - output->base ||
        !has_room(output->fd, size) || fstat(output->fd, &before) != 0)
        return;
    size += output->base;
    result = (int)TEMP_FAILURE_RETRY(fallocate(output->fd, 0, 0, (off_t)size));
    /* Some of the space may have been reserved. */
    if (result != 0 && ftruncate(output->fd, before.st_size) == 0)
        return;
    output->reserved = size;
    if (result == 0 && threads >= MAP_THREADS)
        map_file(output);
}

int output_write_at(struct output *output, uint64_t at, const void *bytes, size_t size,
                    struct error *error)
{
    if (output->path == NULL) /* /dev/null */
        return 0;
    if (output->map == NULL || output->base + at + size > output->reserved ||
        !populate(output->map + output->base + at, size))
        return output_patch(output, at, bytes, size, error);
    if (output->past_cache) {
        copy_past_cache(output->map + output->base + at, bytes, size);
        copy_past_cache_done();
    } else {
        memcpy(output->map + output->base + at, bytes, size);
    }
    return 0;
}

int output_go_on(struct output *output, uint64_t at, struct error *error)
{
    output_unmap(output);
    output->bytes = at;
    if (output->path != NULL && lseek(output->fd, (off_t)(output->base + at), SEEK_SET) < 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    return 0;
}
