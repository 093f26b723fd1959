#include "bytes/made.h"

#include <stdint.h>

/* A file system may reuse the inode number of a removed file, so the number alone does not
 * identify a file. */
struct identity {
    uint64_t device;
    uint64_t inode;
    uint64_t size;
    uint64_t seconds;
    uint64_t nanoseconds;
};

static struct identity identity_of(const struct stat *status)
{
    return (struct identity){
        .device = (uint64_t)status->st_dev,
        .inode = (uint64_t)status->st_ino,
        .size = (uint64_t)status->st_size,
        .seconds = (uint64_t)status->st_mtim.tv_sec,
        .nanoseconds = (uint64_t)status->st_mtim.tv_nsec,
    };
}

int made_add(struct made *made, const struct stat *status)
{
    const struct identity identity = identity_of(status);

    return seen_add(&made->files, &identity, sizeof identity, NULL);
}

bool made_has(struct made *made, const struct stat *status)
{
    const struct identity identity = identity_of(status);

    return seen_has(&made->files, &identity, sizeof identity);
}
