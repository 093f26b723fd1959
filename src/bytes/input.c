#include "bytes/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "bytes/wide_read.h"

enum {
    DISCARD_BYTES = 64 * 1024,
};

void pipe_enlarge(int fd)
{
    const int bytes = cpus_want_small_blocks() ? 256 * 1024 : 1024 * 1024;

    if (fcntl(fd, F_GETPIPE_SZ) < bytes)
        (void)fcntl(fd, F_SETPIPE_SZ, bytes);
}

/* True if the next read of this pipe could lose bytes with room for less than PACKET_MOST, or if
 * the system does not say. Consumes nothing.
 *
 * The reading end cannot ask for packet mode: the mode belongs to the data. tee() copies the first
 * two bytes, with their mode, into a pipe of our own. If both belong to one packet, a read of one
 * byte discards the other. (After a packet of one byte, tee() also copies the first byte of the
 * next packet, but then the read returns the first byte alone.) */
static bool packet_waits(int pipe)
{
    char bytes[2];
    int own[2];
    bool waits = true;
    ssize_t copied;

    if (pipe2(own, O_CLOEXEC | O_NONBLOCK) != 0)
        return true;
    copied = tee(pipe, own[1], 2, SPLICE_F_NONBLOCK);
    if (copied == 0 || copied == 1)
        waits = false;
    if (copied == 2)
        waits = read(own[0], bytes, 1) != 1 || read(own[0], bytes + 1, 1) != 1;
    close(own[0]);
    close(own[1]);
    return waits;
}

/* A datagram socket: a read discards what does not fit into its buffer. */
static bool comes_in_datagrams(const struct input *input)
{
    int type = SOCK_STREAM;
    socklen_t size = sizeof type;

    return S_ISSOCK(input->status.st_mode) &&
           getsockopt(input->fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type != SOCK_STREAM;
}

int input_open(struct input *input, const char *path, bool force, struct error *error)
{
    *input = (struct input){.fd = STDIN_FILENO, .stop_fd = -1, .end_fd = -1};
    if (path == NULL || strcmp(path, "-") == 0) {
        input->name = INPUT_STANDARD;
        input->standard = true;
    } else {
        input->name = path[0] == '\0' ? "''" : path;
        /* Opening a FIFO waits for its writer. */
        input->fd = (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY));
        if (input->fd < 0)
            return error_system(error, ERROR_FILE, input->name, errno);
        input->owned = true;
    }
    if (fstat(input->fd, &input->status) != 0) {
        error_system(error, ERROR_FILE, input->name, errno);
        goto error;
    }
    if (S_ISDIR(input->status.st_mode)) {
        error_set(error, ERROR_FOLDER, input->name, "is a folder");
        goto error;
    }
    if (!input->owned && !force && isatty(input->fd)) {
        error_set(error, ERROR_TERMINAL_INPUT, input->name, "is a terminal");
        goto error;
    }
    if (comes_in_datagrams(input)) {
        error_set(error, ERROR_FILE, input->name,
                  "delivers packets, parts of which would be lost: put cat in between");
        goto error;
    }
    input->regular = S_ISREG(input->status.st_mode);
    /* Only for speed, so failures are ignored. */
    if (input->regular)
        (void)posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (S_ISFIFO(input->status.st_mode))
        pipe_enlarge(input->fd);
    return 0;

error:
    input_close(input);
    return -1;
}

void input_close(struct input *input)
{
    if (input->owned && input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}

/* Waits until there is something to read. Returns false if there is nothing more to read. */
static bool wait_for_data(struct input *input)
{
    struct pollfd all[] = {
        {.fd = input->fd, .events = POLLIN},
        {.fd = input->stop_fd, .events = POLLIN}, /* poll() ignores -1 */
        {.fd = input->end_fd, .events = POLLIN},
    };

    for (;;) {
        double from = clock_seconds();
        int ready = poll(all, sizeof all / sizeof *all, -1);

        input->waited += clock_seconds() - from;

        if (ready < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (ready < 0)
            return true; /* the read itself reports the error */
        if (all[1].revents != 0 || all[2].revents != 0) {
            input->stopped = true;
            return false;
        }
        if (all[0].revents != 0)
            return true;
    }
}

/* How much of the room to use for the next read, if `size` bytes are wanted: all of it if a packet
 * is next, so that no byte of it is lost. */
static size_t read_size(struct input *input, size_t size, size_t room)
{
    if (size >= PACKET_MOST || room < PACKET_MOST || !S_ISFIFO(input->status.st_mode))
        return size;
    input->packets = input->packets || packet_waits(input->fd);
    return input->packets ? room : size;
}

/* Reads from the descriptor, after the peeked bytes: `size` bytes, or a whole packet if one is
 * next, but never more than `room`. */
static int read_more(struct input *input, void *buffer, size_t size, size_t room, size_t *got,
                     struct error *error)
{
    bool wait = !input->regular;

    *got = 0;
    if (input->regular && input->crew != NULL && size >= WIDE_READ_LEAST)
        *got = wide_read(cpus_available(), input->crew, input->fd, buffer, size);
    while (*got == 0) {
        ssize_t result;

        if (wait && !wait_for_data(input))
            return 0;
        result = read(input->fd, buffer, read_size(input, size, room));
        if (result >= 0) {
            *got = (size_t)result;
            break;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            wait = true; /* another process has read the data first */
        else if (errno != EINTR)
            return error_system(error, ERROR_FILE, input->name, errno);
    }
    return 0;
}

/* Reads up to `size` bytes, or a packet, behind those that are peeked. */
static int peek_more(struct input *input, size_t size, size_t *got, struct error *error)
{
    unsigned char *end = input->peeked + input->peeked_size;

    if (read_more(input, end, size, sizeof input->peeked - input->peeked_size, got, error) != 0)
        return -1;
    input->peeked_size += *got;
    return 0;
}

/* Moves the peeked bytes that are left to the front. */
static void tidy_peeked(struct input *input)
{
    input->peeked_size -= input->peeked_used;
    memmove(input->peeked, input->peeked + input->peeked_used, input->peeked_size);
    input->peeked_used = 0;
}

int input_peek(struct input *input, size_t size, const unsigned char **bytes, size_t *got,
               struct error *error)
{
    if (size > INPUT_PEEK)
        size = INPUT_PEEK;
    tidy_peeked(input);
    while (input->peeked_size < size) {
        size_t more;

        if (peek_more(input, size - input->peeked_size, &more, error) != 0)
            return -1;
        if (more == 0)
            break;
    }
    *bytes = input->peeked;
    *got = input->peeked_size;
    return 0;
}

/* Takes up to `size` of the peeked bytes; `buffer` may be NULL. */
static size_t take_peeked(struct input *input, void *buffer, uint64_t size)
{
    size_t count = input->peeked_size - input->peeked_used;

    if (count > size)
        count = (size_t)size;
    if (buffer != NULL)
        memcpy(buffer, input->peeked + input->peeked_used, count);
    input->peeked_used += count;
    input->bytes += count;
    return count;
}

int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *error)
{
    *got = take_peeked(input, buffer, size);
    if (*got > 0)
        return 0;
    /* A packet may not fit into the buffer. */
    if (S_ISFIFO(input->status.st_mode) && size < PACKET_MOST) {
        tidy_peeked(input);
        if (peek_more(input, size, got, error) != 0)
            return -1;
        *got = take_peeked(input, buffer, size);
        return 0;
    }
    if (read_more(input, buffer, size, size, got, error) != 0)
        return -1;
    input->bytes += *got;
    return 0;
}

int input_read_all(struct input *input, void *buffer, size_t size, size_t *got, struct error *error)
{
    unsigned char *bytes = buffer;

    *got = 0;
    while (*got < size) {
        size_t more;

        if (input_read(input, bytes + *got, size - *got, &more, error) != 0)
            return -1;
        if (more == 0)
            break;
        *got += more;
    }
    return 0;
}

bool input_ready(const struct input *input, unsigned microseconds)
{
    const struct timespec wait = {.tv_nsec = (long)microseconds * 1000};
    struct pollfd ready = {.fd = input->fd, .events = POLLIN};

    if (input->regular || input->peeked_used < input->peeked_size)
        return true;
    return ppoll(&ready, 1, &wait, NULL) == 1 && (ready.revents & POLLIN) != 0;
}

uint64_t input_waiting(const struct input *input)
{
    int count = 0;

    if (input->regular || ioctl(input->fd, FIONREAD, &count) != 0 || count < 0)
        return UINT64_MAX;
    return (uint64_t)count + (input->peeked_size - input->peeked_used);
}

/* Bytes between the descriptor's offset and the end of the file. False if that is unknown: some
 * files report no size (those in /proc have size 0 and still contain data). */
static bool bytes_ahead(const struct input *input, uint64_t *ahead)
{
    struct stat status;
    off_t offset;

    if (!input->regular || fstat(input->fd, &status) != 0 || status.st_size <= 0)
        return false;
    offset = lseek(input->fd, 0, SEEK_CUR);
    if (offset < 0)
        return false;
    *ahead = offset < status.st_size ? (uint64_t)(status.st_size - offset) : 0;
    return true;
}

/* Moves the descriptor's offset, but not past the end. Returns the number of bytes skipped. */
static uint64_t seek_ahead(const struct input *input, uint64_t count)
{
    uint64_t ahead;

    if (!bytes_ahead(input, &ahead))
        return 0;
    if (count > ahead)
        count = ahead;
    return lseek(input->fd, (off_t)count, SEEK_CUR) < 0 ? 0 : count;
}

int input_skip(struct input *input, uint64_t count, uint64_t *passed, struct error *error)
{
    unsigned char discarded[DISCARD_BYTES];

    *passed = take_peeked(input, NULL, count);
    if (*passed < count)
        *passed += seek_ahead(input, count - *passed);
    while (*passed < count) {
        uint64_t left = count - *passed;
        size_t size = left < sizeof discarded ? (size_t)left : sizeof discarded;
        size_t got;

        if (input_read(input, discarded, size, &got, error) != 0)
            return -1;
        if (got == 0)
            break;
        *passed += got;
    }
    return 0;
}

uint64_t input_remaining(const struct input *input)
{
    uint64_t ahead;

    if (!bytes_ahead(input, &ahead))
        return UINT64_MAX;
    return ahead + (input->peeked_size - input->peeked_used);
}

uint64_t input_position(const struct input *input)
{
    off_t offset = lseek(input->fd, 0, SEEK_CUR);
    uint64_t ahead = input->peeked_size - input->peeked_used;

    return offset < 0 || (uint64_t)offset < ahead ? 0 : (uint64_t)offset - ahead;
}

int input_rewind(struct input *input, uint64_t position, struct error *error)
{
    input->peeked_size = 0;
    input->peeked_used = 0;
    if (lseek(input->fd, (off_t)position, SEEK_SET) < 0)
        return error_system(error, ERROR_FILE, input->name, errno);
    return 0;
}
