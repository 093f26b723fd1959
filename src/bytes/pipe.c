#include "bytes/pipe.h"

#include <fcntl.h>

#include "base/cpus.h"

void pipe_enlarge(int fd)
{
    const int bytes = cpus_want_small_blocks() ? 256 * 1024 : 1024 * 1024;

    if (fcntl(fd, F_GETPIPE_SZ) < bytes)
        (void)fcntl(fd, F_SETPIPE_SZ, bytes);
}
