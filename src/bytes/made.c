#include "bytes/made.h"

#include <stdint.h>

/* A file system may reuse the inode number of a removed file, so the number alone does not
 * identify a file. */
struct identity {
    uint64_t number[5];
};

static struct identity identity_of(const struct stat *status)
{
    return (struct identity){{(uint64_t)status->st_dev, (uint64_t)status->st_ino,
                              (uint64_t)status->st_size, (uint64_t)status->st_mtim.tv_sec,
                              (uint64_t)status->st_mtim.tv_nsec}};
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
