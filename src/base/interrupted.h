/* Calls on some file systems (FUSE, NFS) return EINTR for any signal that a thread
 * receives, even one that ends nothing. Such calls are repeated:
 *
 *     do
 *         result = rename(from, to);
 *     while (interrupted(result)); */
#ifndef GPUENV_BASE_INTERRUPTED_H
#define GPUENV_BASE_INTERRUPTED_H

#include <errno.h>
#include <stdbool.h>

static inline bool interrupted(int result)
{
    return result < 0 && errno == EINTR;
}

#endif
