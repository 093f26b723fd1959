/* The bytes are not consumed, because other processes may share the descriptor: tee() copies the
 * contents of a pipe, MSG_PEEK those of a socket, and pread() those of a file. */
#include "bytes/glimpse.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "bytes/read_at.h"

/* The copy preserves packet boundaries. */
static size_t look_into_pipe(int fd, unsigned char *bytes, size_t most)
{
    int own[2];
    ssize_t copied;
    size_t got = 0;

    if (pipe2(own, O_CLOEXEC) != 0)
        return 0;
    copied = tee(fd, own[1], most, SPLICE_F_NONBLOCK);
    while (copied > 0 && got < (size_t)copied) {
        ssize_t more = read(own[0], bytes + got, (size_t)copied - got);

        if (more <= 0)
            break;
        got += (size_t)more;
    }
    close(own[0]);
    close(own[1]);
    return got;
}

/* The bytes after those that were peeked. */
static size_t look_ahead(const struct input *input, void *bytes, size_t most)
{
    ssize_t got = 0;

    if (input->regular) {
        off_t offset = lseek(input->fd, 0, SEEK_CUR);

        return offset < 0 ? 0 : read_at(input->fd, bytes, most, (uint64_t)offset);
    }
    if (S_ISFIFO(input->status.st_mode))
        return look_into_pipe(input->fd, bytes, most);
    if (S_ISSOCK(input->status.st_mode))
        got = recv(input->fd, bytes, most, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 ? 0 : (size_t)got;
}

/* True if the writer has closed the pipe and it holds only these bytes. */
static bool is_last(const struct input *input, size_t ahead)
{
    struct pollfd poll_of = {.fd = input->fd, .events = POLLIN};
    int count = 0;

    if (!S_ISFIFO(input->status.st_mode) || poll(&poll_of, 1, 0) != 1 ||
        (poll_of.revents & POLLHUP) == 0)
        return false;
    /* The writer may have written again before it closed the pipe. */
    return ioctl(input->fd, FIONREAD, &count) == 0 && (size_t)count == ahead;
}

size_t input_glimpse(const struct input *input, void *bytes, size_t most, bool *ended)
{
    size_t peeked = input->peeked_size - input->peeked_used;
    size_t ahead;

    if (peeked > most)
        peeked = most;
    memcpy(bytes, input->peeked + input->peeked_used, peeked);
    ahead = look_ahead(input, (unsigned char *)bytes + peeked, most - peeked);
    *ended = peeked + ahead < most && (input->regular || is_last(input, ahead));
    return peeked + ahead;
}

void glimpse_wait(const struct input *input, unsigned microseconds)
{
    double until = clock_seconds() + 1e-6 * microseconds;
    int before = 0;
    int count = 0;

    if (!S_ISFIFO(input->status.st_mode) || ioctl(input->fd, FIONREAD, &before) != 0)
        return;
    /* poll() would return at once if bytes are already there. */
    do {
        struct pollfd poll_of = {.fd = input->fd};

        if (poll(&poll_of, 1, 1) != 0) /* the writer has gone */
            return;
        if (ioctl(input->fd, FIONREAD, &count) != 0)
            return;
    } while (count == before && clock_seconds() < until);
}
