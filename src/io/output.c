/* SPDX-License-Identifier: MIT */
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/read_at.h"
#include "io/temporary.h"

enum {
    LINKS_MOST = 40, /* the most links that the kernel follows */
};

/* The descriptor that a name like /dev/fd/N stands for; -1 for any other name. The name means the
 * descriptor itself, with its offset and its append mode; opening the name would give a new
 * descriptor, at offset 0 of the file. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        const char *digits = path + length;

        if (strncmp(path, folders[i], length) == 0 && *digits != '\0' && strlen(digits) < 9 &&
            digits[strspn(digits, "0123456789")] == '\0')
            return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

/* The target of the link at `path`, relative to the current folder. Returns NULL, with errno set,
 * on failure; EINVAL if it is not a link. */
static char *read_link(const char *path)
{
    char target[4096];
    ssize_t length = readlink(path, target, sizeof target);
    char *whole;

    if (length < 0)
        return NULL;
    if (length == 0 || (size_t)length == sizeof target) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (asprintf(&whole, "%.*s%.*s", target[0] == '/' ? 0 : (int)(basename(path) - path), path,
                 (int)length, target) < 0)
        return NULL;
    return whole;
}

/* The path that a shell redirection to `path` would write to: the end of a chain of links, whether
 * or not a file exists there. A link to a descriptor ends the chain. Returns NULL on failure. */
static char *resolve(const char *path, bool *exists, struct error *error)
{
    char *place = strdup(path);

    if (place == NULL)
        error_system(error, ERROR_FILE, path, errno);
    for (int links = 0; place != NULL && descriptor_of(place) < 0; links++) {
        char *next = read_link(place);

        *exists = next != NULL || errno != ENOENT;
        if (next == NULL && (errno == EINVAL || errno == ENOENT))
            return place;
        if (next == NULL || links == LINKS_MOST) {
            error_system(error, ERROR_FILE, path, next == NULL ? errno : ELOOP);
            free(next);
            free(place);
            return NULL;
        }
        free(place);
        place = next;
    }
    return place;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_input(const struct stat *status, const struct input *input)
{
    return input != NULL && S_ISREG(status->st_mode) &&
           ((input->regular && same_file(status, &input->status)) ||
            (input->unpacker.program.name != NULL && same_file(status, &input->unpacker.file)));
}

static int refuse_input(const struct output *output, struct error *error)
{
    return error_set(error, ERROR_FILE, output->name,
                     "is the input file too: write to another name");
}

/* Opens a device, a FIFO or a terminal, but not a plain file that has replaced it meanwhile: that
 * would be overwritten in place. */
static int open_device(struct output *output, const char *path, struct error *error)
{
    struct stat status;

    /* Opening a FIFO waits for its reader. */
    output->fd = (int)TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (output->fd < 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    output->owned = true;
    if (fstat(output->fd, &status) == 0 && S_ISREG(status.st_mode))
        return error_set(error, ERROR_FILE, output->name, "has just been created: try again");
    return 0;
}

/* The new file gets the rights of the older one. Only root can keep its owner, too. The rights of
 * a group that cannot be kept are not passed on to another group. */
static int keep_rights(const struct output *output, const struct stat *older, struct error *error)
{
    mode_t mode = older->st_mode & 0777;

    if (fchown(output->fd, older->st_uid, older->st_gid) != 0 &&
        fchown(output->fd, (uid_t)-1, older->st_gid) != 0)
        mode &= (mode_t)~S_IRWXG;
    if (fchmod(output->fd, mode) != 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    return 0;
}

/* Opens a file that will be renamed to output->path. `older` is the file that stands there now; may
 * be NULL. */
static int open_beside(struct output *output, const struct stat *older, struct error *error)
{
    struct stat status;

    /* A file that may not be written may not be replaced either. */
    if (older != NULL && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    /* The new file must never be open to more users than the older one. */
    output->fd = temporary_open_nameless(output->path, older != NULL ? 0600 : 0666);
    if (output->fd < 0)
        output->temporary =
            temporary_create(output->path, older != NULL ? 0600 : 0666, &output->fd);
    if (output->fd < 0 && older != NULL)
        return error_set(error, ERROR_FILE, output->name,
                         "cannot be replaced: a new file beside it: %s", strerror(errno));
    if (output->fd < 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    output->owned = true;
    if (older != NULL && keep_rights(output, older, error) != 0)
        return -1;
    /* Only the owner may read the file until it is complete. The mode that the kernel gave it (by
     * the umask, or the folder's default ACL) is kept for then. */
    output->hidden = fstat(output->fd, &status) == 0 && fchmod(output->fd, 0600) == 0;
    if (output->hidden)
        output->mode = status.st_mode & 0777;
    return 0;
}

/* Sets `*inherited` if the descriptor was open before: the user may then not have
 * meant a terminal. */
static int open_named(struct output *output, const char *path, const struct input *input,
                      bool *inherited, struct error *error)
{
    struct stat status;
    bool exists = true;
    int fd;

    output->path = resolve(path, &exists, error);
    if (output->path == NULL)
        return -1;
    fd = descriptor_of(output->path);
    if (fd >= 0) {
        free(output->path);
        output->path = NULL;
        output->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        if (output->fd < 0)
            return error_system(error, ERROR_FILE, output->name, errno);
        output->owned = true;
        return 0;
    }
    *inherited = false;
    /* resolve() has looked already: each look at a missing name takes a lock of the folder. */
    if (exists && stat(path, &status) != 0) {
        if (errno != ENOENT)
            return error_system(error, ERROR_FILE, path, errno);
        exists = false;
    }
    if (exists && S_ISDIR(status.st_mode))
        return error_system(error, ERROR_FILE, path, EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        free(output->path);
        output->path = NULL;
        return open_device(output, path, error);
    }
    if (exists && is_input(&status, input))
        return refuse_input(output, error);
    return open_beside(output, exists ? &status : NULL, error);
}

/* Checks the open descriptor, and finds out what can be done with it. */
static int look_at(struct output *output, bool refuse_terminal, const struct input *input,
                   struct error *error)
{
    struct stat status;
    int mode = fcntl(output->fd, F_GETFL);
    off_t base = 0;

    if (mode < 0 || fstat(output->fd, &status) != 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    if ((mode & O_ACCMODE) == O_RDONLY)
        return error_set(error, ERROR_FILE, output->name, "is not open for writing");
    if (is_input(&status, input))
        return refuse_input(output, error);
    if (refuse_terminal && isatty(output->fd))
        return error_set(error, ERROR_FILE, output->name,
                         "is a terminal: redirect it, or use -o FILE or --force");
    output->pipe = S_ISFIFO(status.st_mode);
    if (output->pipe)
        pipe_enlarge(output->fd);
    /* A plain file can be written to anywhere; but in append mode every write goes to its end. */
    output->patchable = S_ISREG(status.st_mode) && (mode & O_APPEND) == 0;
    if (output->patchable)
        base = lseek(output->fd, 0, SEEK_CUR);
    if (base < 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    output->base = (uint64_t)base;
    return 0;
}

int output_open(struct output *output, const char *path, bool force, const struct input *input,
                struct error *error)
{
    bool inherited = true;
    int result = 0;

    *output = (struct output){.fd = -1};
    if (path == NULL || strcmp(path, "-") == 0) {
        output->name = "standard output";
        output->fd = STDOUT_FILENO;
    } else {
        output->name = path[0] == '\0' ? "''" : path;
        result = open_named(output, path, input, &inherited, error);
    }
    if (result == 0)
        result = look_at(output, inherited && !force, input, error);
    if (result != 0)
        output_close(output);
    return result;
}

int output_check_loop(const char *path, const char *input, struct error *error)
{
    struct stat status;
    struct stat read;

    if (input == NULL || strcmp(input, "-") == 0)
        input = "/dev/stdin";
    if (path == NULL || stat(input, &read) != 0 || !S_ISFIFO(read.st_mode) ||
        stat(path, &status) != 0 || !same_file(&read, &status))
        return 0;
    return error_set(error, ERROR_FILE, path,
                     "is the input too: a pipe needs another program at "
                     "its other end");
}

int output_folder(const char *path, struct stat *status)
{
    char *folder;
    int result;

    if (asprintf(&folder, "%.*s.", (int)(basename(path) - path), path) < 0)
        return -1;
    result = stat(folder, status);
    free(folder);
    return result;
}

/* Are these two paths one name in one folder? */
static bool same_path(const char *a, const char *b)
{
    struct stat folders[2];

    return strcmp(basename(a), basename(b)) == 0 && output_folder(a, &folders[0]) == 0 &&
           output_folder(b, &folders[1]) == 0 && same_file(&folders[0], &folders[1]);
}

bool output_same_place(const struct output *a, const struct output *b)
{
    struct stat places[2];

    if (a->path != NULL && b->path != NULL)
        return same_path(a->path, b->path);
    if ((a->path != NULL ? stat(a->path, &places[0]) : fstat(a->fd, &places[0])) != 0 ||
        (b->path != NULL ? stat(b->path, &places[1]) : fstat(b->fd, &places[1])) != 0)
        return false;
    return !S_ISCHR(places[0].st_mode) && same_file(&places[0], &places[1]);
}

int output_join(struct output *output, struct made *made, struct error *error)
{
    output->made = made;
    for (size_t i = 0; i < made->open_count; i++) {
        if (made->open[i].fd >= 0 && output_same_place(output, &made->open[i]))
            return error_set(error, ERROR_FILE, output->name, "is where %s goes",
                             made->open[i].name);
    }
    return 0;
}

/* ---- writing ---- */

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
            return fail_write(output, EIO, error); /* a device that never takes anything */
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            /* A failed wait does not matter: the write is tried again in any case. */
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

/* ---- the end ---- */

void output_unmap(struct output *output)
{
    if (output->map != NULL)
        (void)munmap(output->map, output->reserved);
    output->map = NULL;
}

void output_close(struct output *output)
{
    output_unmap(output);
    if (output->owned && output->fd >= 0)
        close(output->fd);
    output->fd = -1;
    if (output->temporary != NULL)
        temporary_remove(output->temporary);
    output->temporary = NULL;
    free(output->path);
    output->path = NULL;
}
