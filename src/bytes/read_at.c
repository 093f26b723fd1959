#include "bytes/read_at.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/least.h"

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

struct shares {
    int fd;
    uint64_t at;
    unsigned char *bytes;
    size_t all;
    size_t one; /* the last share may be smaller */
    size_t got[READ_AT_THREADS];
};

static void read_share(void *context, unsigned index)
{
    struct shares *shares = context;
    size_t from = index * shares->one;
    size_t size = (size_t)least(shares->one, shares->all - from);

    shares->got[index] = read_at(shares->fd, shares->bytes + from, size, shares->at + from);
}

size_t read_at_by(struct crew *crew, unsigned threads, int fd, void *bytes, size_t size,
                  uint64_t at)
{
    enum { PAGE = 4096 };
    struct shares shares = {.fd = fd, .at = at, .bytes = bytes, .all = size};
    unsigned count;
    size_t got = 0;

    shares.one = (size / threads / PAGE + 1) * PAGE;
    count = (unsigned)(size / shares.one) + 1;
    crew_run(crew, count, read_share, &shares);
    /* Bytes after a short share do not count. */
    for (unsigned i = 0; i < count && got == i * shares.one; i++)
        got += shares.got[i];
    return got;
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
