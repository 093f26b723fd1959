/* SPDX-License-Identifier: MIT */
#include "io/read_at.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/min_max.h"

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

/* Threads take small pieces as they come. With equal shares, all wait for the slowest thread. */
enum { PIECE_BYTES = 16 * 1024 };

static void read_pieces(void *context, unsigned index)
{
    struct shared_read *of = context;
    size_t from;

    (void)index;
    while ((from = atomic_fetch_add(&of->next, PIECE_BYTES)) < of->size) {
        const size_t size = (size_t)min_u64(PIECE_BYTES, of->size - from);
        const size_t got = read_at(of->fd, of->bytes + from, size, of->at + from);
        size_t end = atomic_load(&of->end);

        /* Bytes after a short piece do not count. */
        while (got < size && from + got < end &&
               !atomic_compare_exchange_weak(&of->end, &end, from + got))
            ;
    }
}

void shared_read_begin(struct shared_read *read, struct threads *threads, unsigned readers, int fd,
                       void *bytes, size_t size, uint64_t at)
{
    *read = (struct shared_read){
        .threads = threads, .fd = fd, .at = at, .bytes = bytes, .size = size, .end = size};
    threads_begin(threads, &read->job, readers, readers - 1, read_pieces, read);
}

size_t shared_read_end(struct shared_read *read)
{
    if (read->threads == NULL)
        return 0;
    threads_end(read->threads, &read->job);
    read->threads = NULL;
    return read->size - atomic_load(&read->end);
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
