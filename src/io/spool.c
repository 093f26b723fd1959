/* SPDX-License-Identifier: MIT */
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/min_max.h"
#include "io/read_at.h"
#include "io/temporary.h"

enum { COPY_BYTES = 64 * 1024 };

static const char *folder(void)
{
    const char *named = getenv("TMPDIR");

    return named != NULL && named[0] != '\0' ? named : "/tmp";
}

int spool_error(const char *name, const char *words, int number, struct error *error)
{
    error_set(error, ERROR_FILE, name,
              "is %s, and needs a temporary file in %s: %s: choose another folder by TMPDIR%s",
              words != SPOOL_ORDER ? words : "put in order", folder(), strerror(number),
              words != SPOOL_ORDER ? ", or give a plain file" : "");
    error->number = number;
    return -1;
}

/* On file systems without nameless files, the file has a name for a moment. */
static int open_named(void)
{
    char *path;
    char *temporary;
    int fd = -1;

    if (asprintf(&path, "%s/gpuenv", folder()) < 0)
        return -1;
    temporary = temporary_create(path, 0600, &fd);
    free(path);
    if (temporary != NULL)
        temporary_remove(temporary);
    return fd;
}

int spool_open(const char *name, const char *words, struct error *error)
{
    int fd = (int)TEMP_FAILURE_RETRY(open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));

    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))
        fd = open_named();
    if (fd < 0)
        spool_error(name, words, errno, error);
    return fd;
}

int spool_write(int fd, const char *name, const char *words, const void *bytes, size_t size,
                uint64_t at, struct error *error)
{
    int number = write_at(fd, bytes, size, at);

    return number == 0 ? 0 : spool_error(name, words, number, error);
}

int spool_copy_out(int fd, uint64_t from, uint64_t size, struct output *output, struct error *error)
{
    unsigned char bytes[COPY_BYTES];
    size_t got;

    for (uint64_t done = 0; done < size; done += got) {
        errno = EIO; /* errno if the file ends early */
        got = read_at(fd, bytes, (size_t)min_u64(size - done, sizeof bytes), from + done);
        if (got == 0)
            return error_system(error, ERROR_FILE, output->name, errno);
        if (output_write(output, bytes, got, error) != 0)
            return -1;
    }
    return 0;
}

int spool_output(struct output *output, const char *name, const char *words, struct error *error)
{
    int fd = output->fd;

    if (fd < 0)
        fd = spool_open(name, words, error);
    else if (TEMP_FAILURE_RETRY(ftruncate(fd, 0)) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        return error_system(error, ERROR_FILE, name, errno);
    *output = (struct output){.name = name, .fd = fd, .owned = true};
    return fd >= 0 ? 0 : -1;
}

/* Copies the input into the file, from offset `at` on. */
static int copy_in(struct input *input, const char *words, int fd, uint64_t at, struct error *error)
{
    unsigned char bytes[COPY_BYTES];
    size_t got = 0;

    do {
        int number;

        /* Bytes that could be unpacked are used; the error is reported at the end of the stream. */
        if (input_read(input, bytes, sizeof bytes, &got, error) != 0 && !input->unpacker.failed)
            return -1;
        number = write_at(fd, bytes, got, at);
        if (number != 0)
            return spool_error(input->name, words, number, error);
        at += got;
    } while (got > 0);
    return 0;
}

/* From now on the input reads from this file. */
static int become(struct input *input, int fd, struct error *error)
{
    if (lseek(fd, 0, SEEK_SET) != 0 || fstat(fd, &input->status) != 0)
        return error_system(error, ERROR_FILE, input->name, errno);
    input_close(input);
    input->fd = fd;
    input->owned = true;
    input->regular = true;
    input->peeked_size = 0;
    input->peeked_used = 0;
    input->bytes = 0;
    return 0;
}

int spool_input(struct input *input, const char *words, const struct bytes_taken *taken,
                struct error *error)
{
    int number = 0;
    int fd;

    if (input->regular)
        return 0;
    fd = spool_open(input->name, words, error);
    if (fd < 0)
        return -1;
    if (taken != NULL)
        number = write_at(fd, taken->bytes, taken->size, 0);
    if (number != 0) {
        spool_error(input->name, words, number, error);
        goto error;
    }
    if (copy_in(input, words, fd, taken == NULL ? 0 : taken->size, error) != 0 ||
        become(input, fd, error) != 0)
        goto error;
    return 0;

error:
    close(fd);
    return -1;
}
