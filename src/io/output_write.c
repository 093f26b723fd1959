#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "io/output.h"
#include "io/read_at.h"

int output_write_error(const struct output *output, int number, struct error *error)
{
    error_system(error, ERROR_FILE, output->name, number);
    error->quiet = number == EPIPE;
    return -1;
}

static int fail_write(struct output *output, int number, struct error *error)
{
    output->failed = true;
    return output_write_error(output, number, error);
}

int output_write(struct output *output, const void *bytes, size_t size, struct error *error)
{
    const unsigned char *from = bytes;
    struct pollfd writable = {.fd = output->fd, .events = POLLOUT};

    while (size > 0) {
        ssize_t written = write(output->fd, from, size);

        if (written > 0) {
            from += written;
            size -= (size_t)written;
            output->bytes += (size_t)written;
        } else if (written == 0) {
            return fail_write(output, EIO, error); /* a device that takes nothing, for ever */
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            /* A failed wait is no matter: the write is tried again in any case. */
            (void)poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            return fail_write(output, errno, error);
        }
    }
    return 0;
}

int output_patch(struct output *output, uint64_t at, const void *bytes, size_t size,
                 struct error *error)
{
    int number = write_at(output->fd, bytes, size, output->base + at);

    return number == 0 ? 0 : output_write_error(output, number, error);
}
