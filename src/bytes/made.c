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

void made_open(struct made *made)
{
    made->files = (struct seen){.hashes = NULL};
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->replacing, NULL);
}

void made_close(struct made *made)
{
    seen_free(&made->files);
    pthread_mutex_destroy(&made->lock);
    pthread_mutex_destroy(&made->replacing);
}

int made_add(struct made *made, const struct stat *status)
{
    const struct identity identity = identity_of(status);
    bool there;
    int result;

    pthread_mutex_lock(&made->lock);
    result = seen_add(&made->files, &identity, sizeof identity, &there);
    pthread_mutex_unlock(&made->lock);
    return result;
}

bool made_has(struct made *made, const struct stat *status)
{
    const struct identity identity = identity_of(status);
    bool found;

    pthread_mutex_lock(&made->lock);
    found = seen_has(&made->files, &identity, sizeof identity);
    pthread_mutex_unlock(&made->lock);
    return found;
}
