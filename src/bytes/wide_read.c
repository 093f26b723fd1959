#include "bytes/wide_read.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/read_at.h"

enum {
    PIECE_BYTES = 256 * 1024,
    CPUS_LEAST = 8, /* with fewer, the engine makes better use of them */
    THREADS_MOST = 8,
};

struct wide_read {
    int fd;
    uint64_t offset;
    unsigned char *buffer;
    size_t size;
    atomic_size_t next; /* the next piece to take */
    atomic_size_t end;  /* of the bytes that were read without a gap */
};

static void read_pieces(void *context, unsigned index)
{
    struct wide_read *read = context;
    size_t from;

    (void)index;
    while ((from = atomic_fetch_add(&read->next, PIECE_BYTES)) < read->size) {
        const size_t left = read->size - from;
        const size_t size = left < PIECE_BYTES ? left : PIECE_BYTES;
        const size_t got = read_at(read->fd, read->buffer + from, size, read->offset + from);
        size_t end = atomic_load(&read->end);

        /* Bytes after a short piece do not count. */
        while (got < size && from + got < end &&
               !atomic_compare_exchange_weak(&read->end, &end, from + got))
            ;
    }
}

static unsigned threads_for(unsigned cpus, const struct crew *crew)
{
    unsigned threads = crew == NULL ? 1 : crew_size(crew);

    if (cpus < CPUS_LEAST)
        return 1;
    if (threads > cpus / 2)
        threads = cpus / 2;
    return threads < THREADS_MOST ? threads : THREADS_MOST;
}

size_t wide_read(unsigned cpus, struct crew *crew, int fd, void *buffer, size_t size)
{
    const unsigned threads = threads_for(cpus, crew);
    struct wide_read read = {.fd = fd, .buffer = buffer};
    off_t offset = threads < 2 ? -1 : lseek(fd, 0, SEEK_CUR);
    struct stat status;
    size_t pieces;
    size_t total;

    if (offset < 0 || fstat(fd, &status) != 0 || status.st_size <= offset)
        return 0;
    if (size > (uint64_t)(status.st_size - offset))
        size = (size_t)(status.st_size - offset);
    if (size < WIDE_READ_LEAST)
        return 0;
    /* The offset is moved before the read, in one step, as read() does: another process that
     * shares the descriptor then continues after this range. */
    offset = lseek(fd, (off_t)size, SEEK_CUR);
    if (offset < 0)
        return 0;
    read.offset = (uint64_t)offset - size;
    read.size = size;
    atomic_init(&read.next, 0);
    atomic_init(&read.end, size);
    pieces = (size + PIECE_BYTES - 1) / PIECE_BYTES;
    crew_run(crew, pieces < threads ? (unsigned)pieces : threads, read_pieces, &read);
    total = atomic_load(&read.end);
    if (total < size)
        (void)lseek(fd, -(off_t)(size - total), SEEK_CUR);
    return total;
}
