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

int write_at(int fd, const void *bytes, size_t size, uint64_t at)
{
    const unsigned char *from = bytes;

    while (size > 0) {
        ssize_t written = pwrite(fd, from, size, (off_t)at);

        if (written > 0) {
            from += written;
            at += (size_t)written;
            size -= (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            return written == 0 ? EIO : errno;
        }
    }
    return 0;
}

size_t slice_read(const struct slice *file, uint64_t at, void *bytes, size_t size)
{
    uint64_t left = at < file->size ? file->size - at : 0;

    return read_at(file->fd, bytes, size < left ? size : (size_t)left, file->base + at);
}
