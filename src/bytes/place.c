/* Output by several threads at once, each byte at its place.
 *
 * A plain file has one lock for writes, so threads that pwrite() take turns. Where the file's
 * blocks can be reserved beforehand (which also tells a full disk before the work), they write into
 * a shared mapping instead: no lock, and no page that could turn out to have no room on the disk.
 * File systems that may fail later all the same (over a network, or copying on write) are not
 * mapped. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bytes/output.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

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

static bool reserves_for_good(int fd)
{
    struct statfs status;

    if (fstatfs(fd, &status) != 0)
        return false;
    switch ((unsigned long)status.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
        return true;
    default:
        return false;
    }
}

int output_reserve(struct output *output, uint64_t size, struct error *error)
{
    void *map;

    if (output->path == NULL) {
        output->discards = is_null_device(output);
        return 0;
    }
    if (size == 0 || size > INT64_MAX - output->base || !reserves_for_good(output->fd))
        return 0;
    size += output->base;
    while (fallocate(output->fd, 0, 0, (off_t)size) != 0) {
        if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
            return error_system(error, output->name, errno);
        if (errno != EINTR)
            return 0; /* it cannot be done here */
    }
    output->reserved = size;
    map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, output->fd, 0);
    if (map == MAP_FAILED)
        return 0;
    output->map = map;
    return 0;
}

int output_write_at(struct output *output, uint64_t at, const void *bytes, size_t size,
                    struct error *error)
{
    if (output->discards)
        return 0;
    if (output->map == NULL || output->base + at + size > output->reserved)
        return output_patch(output, at, bytes, size, error);
    memcpy(output->map + output->base + at, bytes, size);
    return 0;
}

int output_go_on(struct output *output, uint64_t at, struct error *error)
{
    output_unmap(output);
    output->bytes = at;
    if (!output->discards && lseek(output->fd, (off_t)(output->base + at), SEEK_SET) < 0)
        return error_system(error, output->name, errno);
    return 0;
}

void output_unmap(struct output *output)
{
    if (output->map != NULL)
        (void)munmap(output->map, output->reserved);
    output->map = NULL;
}
