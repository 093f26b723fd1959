#include "bytes/wide_read.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/read_at.h"

enum {
    PIECE_BYTES = 256 * 1024,
    CPUS_LEAST = 8, /* with fewer, the engine makes better use of them */
    THREADS_MOST = 8,
};

struct wide_reader {
    struct crew *crew;
    unsigned threads; /* the most for one read */

    /* The current read; each piece sets its own `got`. */
    atomic_size_t next; /* the next piece to take */
    size_t pieces;
    int fd;
    off_t offset;
    unsigned char *buffer;
    size_t size;
    size_t *got;
    size_t room; /* pieces that `got` has room for */
};

struct wide_reader *wide_reader_open(unsigned cpus, struct crew *crew)
{
    unsigned threads = crew == NULL ? 1 : crew_size(crew);
    struct wide_reader *reader;

    if (threads > cpus / 2)
        threads = cpus / 2;
    if (threads > THREADS_MOST)
        threads = THREADS_MOST;
    if (cpus < CPUS_LEAST || threads < 2)
        return NULL;
    reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return NULL;
    reader->crew = crew;
    reader->threads = threads;
    return reader;
}

void wide_reader_close(struct wide_reader *reader)
{
    if (reader == NULL)
        return;
    free(reader->got);
    free(reader);
}

static void read_piece(const struct wide_reader *reader, size_t index)
{
    size_t from = index * PIECE_BYTES;
    size_t size = reader->size - from < PIECE_BYTES ? reader->size - from : PIECE_BYTES;

    reader->got[index] =
        read_at(reader->fd, reader->buffer + from, size, (uint64_t)reader->offset + from);
}

static void read_pieces(void *context, unsigned index)
{
    struct wide_reader *reader = context;
    size_t piece;

    (void)index;
    while ((piece = atomic_fetch_add(&reader->next, 1)) < reader->pieces)
        read_piece(reader, piece);
}

static bool make_room(struct wide_reader *reader, size_t pieces)
{
    size_t *got;

    if (pieces <= reader->room)
        return true;
    got = realloc(reader->got, pieces * sizeof *got);
    if (got == NULL)
        return false;
    reader->got = got;
    reader->room = pieces;
    return true;
}

size_t wide_read(struct wide_reader *reader, int fd, void *buffer, size_t size)
{
    struct stat status;
    off_t offset = lseek(fd, 0, SEEK_CUR);
    size_t pieces;
    size_t total = 0;

    if (offset < 0 || fstat(fd, &status) != 0 || status.st_size <= offset)
        return 0;
    if (size > (uint64_t)(status.st_size - offset))
        size = (size_t)(status.st_size - offset);
    pieces = (size + PIECE_BYTES - 1) / PIECE_BYTES;
    if (size < WIDE_READ_LEAST || !make_room(reader, pieces))
        return 0;
    /* The offset is moved before the read, in one step, as read() does: another process that
     * shares the descriptor then continues after this range. */
    offset = lseek(fd, (off_t)size, SEEK_CUR);
    if (offset < 0)
        return 0;
    reader->fd = fd;
    reader->offset = offset - (off_t)size;
    reader->buffer = buffer;
    reader->size = size;
    reader->pieces = pieces;
    atomic_store(&reader->next, 0);
    crew_run(reader->crew, pieces < reader->threads ? (unsigned)pieces : reader->threads,
             read_pieces, reader);
    /* Bytes after a short piece do not count. */
    for (size_t i = 0; i < pieces; i++) {
        total += reader->got[i];
        if (reader->got[i] < PIECE_BYTES)
            break;
    }
    if (total < size)
        (void)lseek(fd, -(off_t)(size - total), SEEK_CUR);
    return total;
}
