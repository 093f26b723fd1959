/* SPDX-License-Identifier: MIT */
#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/min_max.h"

enum { DRAIN_BYTES = 64 * 1024 };

/* If more bytes than this are left, an error of the reader is reported without waiting for the
 * program's exit status. */
static const uint64_t DRAIN_MOST = UINT64_C(64) << 20;

static const struct packed {
    const char *ending;
    const char *program;
    int warning; /* an exit status after which all is unpacked; 0 if there is none */
} programs[] = {
    {".gz", "gzip", 2}, {".bz2", "bzip2", 0}, {".xz", "xz", 2}, {".zst", "zstd", 0}, {"", NULL, 0}};

/* The row of the path's ending; the last row for a path without one. */
static const struct packed *find_row(const char *path)
{
    const struct packed *row = programs;
    const size_t length = strlen(path);
    size_t ending;

    while ((ending = strlen(row->ending)) > 0 &&
           (length <= ending || strcasecmp(path + length - ending, row->ending) != 0))
        row++;
    return row;
}

const char *unpack_program(const char *path)
{
    return find_row(path)->program;
}

size_t unpack_stem(const char *path)
{
    return strlen(path) - strlen(find_row(path)->ending);
}

int unpack_begin(struct unpacker *unpacker, const char *name, int *fd, struct error *error)
{
    char *arguments[] = {(char *)unpack_program(name), "-dc", NULL};
    int ends[2];
    int number;

    *unpacker = (struct unpacker){.name = name};
    if (arguments[0] == NULL)
        return 0;
    if (fstat(*fd, &unpacker->file) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return error_system(error, ERROR_FILE, name, errno);
    number = program_start(&unpacker->program, arguments, *fd, ends[1]);
    close(ends[1]);
    if (number == 0) {
        close(*fd);
        *fd = unpacker->pipe = ends[0];
        return 0;
    }
    close(ends[0]);
    if (number == ENOENT)
        return error_set(error, ERROR_FILE, name,
                         "is unpacked by the program %s, which is not installed", arguments[0]);
    return error_system(error, ERROR_FILE, name, number);
}

/* Do these words say that the file is cut off? After any other damage, the bytes that were unpacked
 * may be wrong. */
static bool say_cut(const char *words)
{
    return strcasestr(words, "unexpected end") != NULL ||
           strstr(words, "ends unexpectedly") != NULL || strstr(words, "premature end") != NULL;
}

static void fail(struct unpacker *unpacker, int status)
{
    struct error *error = &unpacker->error;
    const char *program = unpacker->program.name;
    char words[PROGRAM_WORDS];
    const char *first = program_words(&unpacker->program, words);
    const enum error_code code = unpacker->any && say_cut(first) ? ERROR_DAMAGED : ERROR_FILE;

    unpacker->warned =
        WIFEXITED(status) && WEXITSTATUS(status) == find_row(unpacker->name)->warning;
    unpacker->failed = !unpacker->warned;
    if (WIFSIGNALED(status))
        error_set(error, ERROR_FILE, unpacker->name,
                  "cannot be unpacked: %s was ended by signal %d", program, WTERMSIG(status));
    else if (first[0] == '\0')
        error_set(error, code, unpacker->name, "%s: %s failed with status %d",
                  unpacker->warned ? "may be damaged" : "cannot be unpacked", program,
                  WEXITSTATUS(status));
    else
        error_set(error, code, unpacker->name, "%s%s: %s",
                  unpacker->warned ? "" : "cannot be unpacked: ", program, first);
}

/* Copies the error, if there is one. */
static bool tell(const struct unpacker *unpacker, struct error *error)
{
    if (unpacker->failed)
        *error = unpacker->error;
    return unpacker->failed;
}

int unpack_end(struct unpacker *unpacker, struct error *error)
{
    int status;

    if (unpacker->program.process > 0) {
        if (program_wait(&unpacker->program, &status) != 0) {
            error_system(&unpacker->error, ERROR_FILE, unpacker->name, errno);
            unpacker->failed = true;
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fail(unpacker, status);
        }
    }
    return tell(unpacker, error) ? -1 : 0;
}

bool unpack_has_failed(struct unpacker *unpacker, struct error *error)
{
    char bytes[DRAIN_BYTES];
    uint64_t left = S_ISREG(unpacker->file.st_mode) ? DRAIN_MOST : 0;
    struct error of_end;

    while (left > 0 && unpacker->program.process > 0) {
        const ssize_t got = TEMP_FAILURE_RETRY(read(unpacker->pipe, bytes, sizeof bytes));

        if (got == 0)
            unpack_end(unpacker, &of_end);
        left = got > 0 ? left - min_u64(left, (uint64_t)got) : 0;
    }
    return tell(unpacker, error);
}
