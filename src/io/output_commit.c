/* SPDX-License-Identifier: MIT */
/* The end of an output: the temporary file gets its final name. Calls are repeated, because some
 * file systems (FUSE, NFS) return EINTR for any signal that a thread receives. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/min_max.h"
#include "io/output.h"
#include "io/read_at.h"
#include "io/temporary.h"

static int refuse_older(const struct output *output, struct error *error)
{
    return error_set(error, ERROR_FILE, output->name, "exists already, and is left alone");
}

int output_keep(struct output *output, struct error *error)
{
    struct stat status;

    output->keeps = true;
    if (output->path != NULL && lstat(output->path, &status) == 0)
        return refuse_older(output, error);
    return 0;
}

int output_read_older(const struct output *output, char *bytes, size_t capacity, size_t *size,
                      struct error *error)
{
    struct stat status;
    int result = 0;
    int fd;

    *size = 0;
    if (output->path == NULL || stat(output->path, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size == 0)
        return 0;
    fd = (int)TEMP_FAILURE_RETRY(open(output->path, O_RDONLY | O_CLOEXEC));
    if (fd < 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    errno = EIO; /* errno if the file ends early */
    *size = read_at(fd, bytes, (size_t)min_u64(capacity, (uint64_t)status.st_size), 0);
    if (*size == 0)
        result = error_system(error, ERROR_FILE, output->name, errno);
    close(fd);
    return result;
}

int output_step_aside(struct output *output, bool *aside, struct error *error)
{
    struct stat status;
    char *path;

    *aside = output->path != NULL && lstat(output->path, &status) == 0;
    if (!*aside)
        return 0;
    if (asprintf(&path, "%s.part", output->path) < 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    free(output->path);
    output->path = path;
    output->name = path;
    return 0;
}

/* Some file systems (NFS, quotas) report only at close() that the data did not fit. Closing a copy
 * of the descriptor reports that as well, and the descriptor stays open. */
static int close_copy(const struct output *output)
{
    int fd = fcntl(output->fd, F_DUPFD_CLOEXEC, 0);

    return fd < 0 ? 0 : close(fd);
}

/* Does the temporary name now belong to another file? */
static bool was_swapped(const struct output *output)
{
    struct stat written;
    struct stat named;

    return fstat(output->fd, &written) == 0 && lstat(output->temporary, &named) == 0 &&
           (named.st_dev != written.st_dev || named.st_ino != written.st_ino);
}

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

/* Trades names with the older file. Returns false if there is none, or if the file system cannot do
 * it; in the second case the output cannot be undone. (musl has no renameat2().) */
static bool trade_names(struct output *output)
{
    output->has_older = syscall(SYS_renameat2, AT_FDCWD, output->temporary, AT_FDCWD, output->path,
                                RENAME_EXCHANGE) == 0;
    output->undoable = output->has_older || errno == ENOENT;
    return output->has_older;
}

static int rename_temporary(struct output *output, struct error *error)
{
    if (output->undoable && trade_names(output))
        return 0;
    if (TEMP_FAILURE_RETRY(rename(output->temporary, output->path)) == 0)
        return 0;
    /* A signal handler may have removed the file; then the process is about to end. */
    return error_system(error, ERROR_FILE, output->name, temporary_all_go() ? EINTR : errno);
}

/* A file system may reuse the inode number of a removed file, so the number alone does not
 * identify a file. */
struct identity {
    uint64_t number[5];
};

static struct identity identity_of(const struct stat *status)
{
    return (struct identity){{(uint64_t)status->st_dev, (uint64_t)status->st_ino,
                              (uint64_t)status->st_size, (uint64_t)status->st_mtim.tv_sec,
                              (uint64_t)status->st_mtim.tv_nsec}};
}

bool made_has(struct made *made, const struct stat *status)
{
    const struct identity identity = identity_of(status);

    return seen_has(&made->files, &identity, sizeof identity);
}

/* Replaces an older file, unless it is another output of this run. */
static int replace(struct output *output, struct error *error)
{
    struct made *made = output->made;
    struct stat older;
    int result;

    if (made == NULL)
        return rename_temporary(output, error);
    pthread_mutex_lock(&made->replacing);
    if (lstat(output->path, &older) == 0 && made_has(made, &older))
        result = error_set(error, ERROR_FILE, output->name, "is the output of another input, too");
    else
        result = rename_temporary(output, error);
    pthread_mutex_unlock(&made->replacing);
    return result;
}

/* Joins the files of the run before this one appears, so that no other output can replace it. */
static int join_made(const struct output *output, struct error *error)
{
    struct identity identity;
    struct stat status;

    if (output->made == NULL)
        return 0;
    if (fstat(output->fd, &status) == 0) {
        identity = identity_of(&status);
        if (seen_add(&output->made->files, &identity, sizeof identity, NULL) == 0)
            return 0;
    }
    return error_system(error, ERROR_FILE, output->name, errno);
}

/* Gives the file its name. To replace an existing file, a nameless one needs a temporary name. */
static int appear(struct output *output, struct error *error)
{
    if (output->temporary == NULL) {
        if (temporary_link(output->fd, output->path) == 0)
            return 0;
        if (errno == EEXIST && output->keeps)
            return refuse_older(output, error);
        if (errno != EEXIST)
            return error_system(error, ERROR_FILE, output->name, errno);
        output->temporary = temporary_create(output->path, 0, &output->fd);
        if (output->temporary == NULL)
            return error_system(error, ERROR_FILE, output->name, errno);
    }
    if (was_swapped(output)) {
        error_set(error, ERROR_FILE, output->name, "another program has replaced %s",
                  output->temporary);
        temporary_release(output->temporary);
        output->temporary = NULL;
        return -1;
    }
    /* A link replaces no file; output_close() removes the temporary name. */
    if (output->keeps && TEMP_FAILURE_RETRY(link(output->temporary, output->path)) == 0)
        return 0;
    if (output->keeps && errno == EEXIST)
        return refuse_older(output, error);
    if (replace(output, error) != 0)
        return -1;
    if (output->has_older)
        return 0;
    temporary_release(output->temporary);
    output->temporary = NULL;
    return 0;
}

void output_take_back(struct output *output)
{
    if (output->path == NULL || !output->undoable || output->fd >= 0)
        return;
    if (!output->has_older) {
        (void)unlink(output->path);
    } else if (TEMP_FAILURE_RETRY(rename(output->temporary, output->path)) == 0) {
        temporary_release(output->temporary);
        output->temporary = NULL;
    }
}

/* No fsync(): as with cp, a machine that loses power may lose the newest files. */
int output_commit(struct output *output, struct error *error)
{
    const uint64_t end = output->base + output->bytes;

    output_unmap(output);
    /* Less may have been written than was reserved. */
    if ((output->reserved > end && TEMP_FAILURE_RETRY(ftruncate(output->fd, (off_t)end)) != 0) ||
        (output->hidden && TEMP_FAILURE_RETRY(fchmod(output->fd, output->mode)) != 0) ||
        TEMP_FAILURE_RETRY(close_copy(output)) != 0)
        return output_write_error(output, errno, error);
    if (output->path != NULL && (join_made(output, error) != 0 || appear(output, error) != 0))
        return -1;
    if (output->owned) {
        (void)close(output->fd);
        output->fd = -1;
    }
    return 0;
}
