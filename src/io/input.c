/* SPDX-License-Identifier: MIT */
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/min_max.h"
#include "io/read_at.h"

enum {
    DISCARD_BYTES = 64 * 1024,
    UNPACKED_BYTES = 256 * 1024, /* bytes of the pipe */
    SHARED_CPUS = 8,             /* with fewer CPUs, an engine makes better use of them */
    SHARED_READERS = 8,          /* the most readers beside an engine on the CPUs */
    READER_LEAST = 512 * 1024,  /* bytes a thread: fewer would be read before the thread is awake */
    SHARED_LEAST = 1024 * 1024, /* a smaller read is done before the other threads are awake */
};

void pipe_enlarge(int fd)
{
    const int bytes = cpus_want_small_blocks() ? 256 * 1024 : 1024 * 1024;

    if (fcntl(fd, F_GETPIPE_SZ) < bytes)
        (void)fcntl(fd, F_SETPIPE_SZ, bytes);
}

static bool is_standard(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || strcmp(path, "/dev/fd/0") == 0 ||
           strcmp(path, "/proc/self/fd/0") == 0;
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
        input->standard = is_standard(path);
    }
    if (fstat(input->fd, &input->status) != 0) {
        error_system(error, ERROR_FILE, input->name, errno);
        goto error;
    }
    if (S_ISDIR(input->status.st_mode)) {
        error_set(error, ERROR_FILE, input->name,
                  "is a folder: --recursive takes the files in it, --out-dir DIR their outputs");
        goto error;
    }
    if (!input->owned && !force && isatty(input->fd)) {
        error_set(error, ERROR_FILE, input->name, "is a terminal: give a file, a pipe, or --force");
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
    program_stop(&input->unpacker.program);
}

int input_unpack(struct input *input, struct error *error)
{
    if (unpack_begin(&input->unpacker, input->name, &input->fd, error) != 0)
        return -1;
    if (input->unpacker.program.name == NULL)
        return 0;
    input->regular = false;
    (void)fcntl(input->fd, F_SETPIPE_SZ, UNPACKED_BYTES); /* only for speed */
    return fstat(input->fd, &input->status) == 0
               ? 0
               : error_system(error, ERROR_FILE, input->name, errno);
}

void input_share(struct input *input, struct threads *threads)
{
    const unsigned cpus = cpus_available();

    input->threads = threads;
    if (cpus >= SHARED_CPUS)
        input->readers =
            (unsigned)min_u64(min_u64(threads_size(threads), cpus / 2), SHARED_READERS);
}

void input_share_idle(struct input *input)
{
    input->readers = (unsigned)min_u64(threads_size(input->threads), READ_AT_THREADS);
    input->idle = true;
}

bool input_is_ended(const struct input *input)
{
    struct pollfd end = {.fd = input->end_fd, .events = POLLIN};

    return input->end_fd >= 0 && poll(&end, 1, 0) > 0;
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

/* Reads a large amount by several threads. Returns 0 if a plain read has to do it instead: the end
 * is near, or something has failed, which the plain read then reports. */
static size_t read_shared(struct input *input, void *buffer, size_t size)
{
    struct shared_read awaited;
    struct shared_read *read = &awaited;
    unsigned readers = input->readers;
    uint64_t ahead;
    size_t got;
    off_t end;

    if (input->readers < 2 || size < SHARED_LEAST || !bytes_ahead(input, &ahead) ||
        ahead < SHARED_LEAST)
        return 0;
    if (input->reading != NULL && size <= ahead)
        read = input->reading;
    input->reading = NULL;
    size = (size_t)min_u64(size, ahead);
    /* The offset is moved before the read, in one step, as read() does: another process that
     * shares the descriptor then continues after this range. */
    end = lseek(input->fd, (off_t)size, SEEK_CUR);
    if (end < 0)
        return 0;
    if (!input->idle)
        readers = (unsigned)min_u64(readers, size / READER_LEAST + 1);
    shared_read_begin(read, input->threads, readers, input->fd, buffer, size, (uint64_t)end - size);
    if (read != &awaited)
        return size;
    got = size - shared_read_end(read);
    if (got < size)
        (void)lseek(input->fd, -(off_t)(size - got), SEEK_CUR);
    return got;
}

/* Reads up to `size` bytes from the descriptor, after the peeked ones. */
static int read_more(struct input *input, void *buffer, size_t size, size_t *got,
                     struct error *error)
{
    bool wait = !input->regular;

    *got = read_shared(input, buffer, size);
    while (*got == 0) {
        ssize_t result;

        if (wait && !wait_for_data(input))
            return 0;
        result = read(input->fd, buffer, size);
        if (result >= 0) {
            *got = (size_t)result;
            input->unpacker.any = input->unpacker.any || result > 0;
            return result > 0 || size == 0 ? 0 : unpack_end(&input->unpacker, error);
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            wait = true; /* another process has read the data first */
        else if (errno != EINTR)
            return error_system(error, ERROR_FILE, input->name, errno);
    }
    return 0;
}

int input_peek(struct input *input, size_t size, const unsigned char **bytes, size_t *got,
               struct error *error)
{
    if (size > INPUT_PEEK)
        size = INPUT_PEEK;
    /* The peeked bytes that are left move to the front. */
    input->peeked_size -= input->peeked_used;
    memmove(input->peeked, input->peeked + input->peeked_used, input->peeked_size);
    input->peeked_used = 0;
    while (input->peeked_size < size) {
        size_t more;

        if (read_more(input, input->peeked + input->peeked_size, size - input->peeked_size, &more,
                      error) != 0) {
            /* The bytes before a damaged place are shown; the next read reports the damage. */
            if (!input->unpacker.failed || input->peeked_size == 0)
                return -1;
            break;
        }
        if (more == 0)
            break;
        input->peeked_size += more;
    }
    *bytes = input->peeked;
    *got = input->peeked_size;
    return 0;
}

/* Takes up to `size` of the peeked bytes; `buffer` may be NULL. */
static size_t take_peeked(struct input *input, void *buffer, uint64_t size)
{
    size_t count = (size_t)min_u64(input->peeked_size - input->peeked_used, size);

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
    if (read_more(input, buffer, size, got, error) != 0)
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

int input_skip(struct input *input, uint64_t count, uint64_t *passed, struct error *error)
{
    unsigned char discarded[DISCARD_BYTES];
    uint64_t ahead;

    *passed = take_peeked(input, NULL, count);
    if (*passed < count && bytes_ahead(input, &ahead)) {
        ahead = min_u64(ahead, count - *passed);
        if (lseek(input->fd, (off_t)ahead, SEEK_CUR) >= 0)
            *passed += ahead;
    }
    while (*passed < count) {
        size_t got;

        if (input_read(input, discarded, (size_t)min_u64(count - *passed, sizeof discarded), &got,
                       error) != 0)
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

/* ---- a look without consuming: other processes may share the descriptor */

static size_t look_into_pipe(int fd, unsigned char *bytes, size_t most)
{
    ssize_t more = 1;
    ssize_t copied;
    size_t got = 0;
    int copy[2];

    if (pipe2(copy, O_CLOEXEC) != 0)
        return 0;
    copied = tee(fd, copy[1], most, SPLICE_F_NONBLOCK);
    close(copy[1]);
    while (more > 0 && copied > (ssize_t)got) {
        more = read(copy[0], bytes + got, (size_t)copied - got);
        got += more > 0 ? (size_t)more : 0;
    }
    close(copy[0]);
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
    size_t peeked = (size_t)min_u64(input->peeked_size - input->peeked_used, most);
    size_t ahead;

    memcpy(bytes, input->peeked + input->peeked_used, peeked);
    ahead = look_ahead(input, (unsigned char *)bytes + peeked, most - peeked);
    *ended = peeked + ahead < most && (input->regular || is_last(input, ahead));
    return peeked + ahead;
}

void input_wait_for_more(const struct input *input, unsigned microseconds)
{
    double until = clock_seconds() + 1e-6 * microseconds;
    struct pollfd poll_of = {.fd = input->fd};
    int before = 0;
    int count = 0;

    if (!S_ISFIFO(input->status.st_mode) || ioctl(input->fd, FIONREAD, &before) != 0)
        return;
    /* poll() would return at once if bytes are already there; without events it reports only that
     * the writer has gone. */
    do {
        if (poll(&poll_of, 1, 1) != 0 || ioctl(input->fd, FIONREAD, &count) != 0)
            return;
    } while (count == before && clock_seconds() < until);
}
