#include "bytes/read_at.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

size_t read_at(int fd, void *bytes, size_t size, uint64_t at)
{
    unsigned char *to = bytes;
    size_t done = 0;

    while (done < size) {
        ssize_t got = pread(fd, to + done, size - done, (off_t)(at + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

size_t extent_read(const struct extent *file, uint64_t at, void *bytes, size_t size)
{
    uint64_t left = at < file->size ? file->size - at : 0;

    return read_at(file->fd, bytes, size < left ? size : (size_t)left, file->base + at);
}
