#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/read_at.h"

enum { WORDS_MOST = 400 };

static const struct packed {
    const char *ending;
    const char *program;
} programs[] = {{".gz", "gzip"}, {".bz2", "bzip2"}, {".xz", "xz"}, {".zst", "zstd"}, {"", NULL}};

/* The row of the path's ending; the last one has none. */
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

/* Starts "PROGRAM -dc -- FILE", with these descriptors as its output and its messages. A group of
 * its own keeps the terminal's signals away from it: it ends when nobody reads. Returns an errno
 * value. */
static int spawn(struct unpacker *unpacker, char *file, int to)
{
    char *arguments[] = {(char *)unpacker->program, "-dc", "--", file, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int number;

    sigemptyset(&signals);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    number = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (number == 0)
        number = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (number == 0)
        number = posix_spawn_file_actions_adddup2(&actions, unpacker->words, STDERR_FILENO);
    /* Our own descriptors are closed on exec already; inherited ones may not be. */
    (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (number == 0)
        number = posix_spawnp(&unpacker->process, unpacker->program, &actions, &attributes,
                              arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return number;
}

/* Resolves a link, because zstd does not follow one. To be freed; NULL, with errno set, after an
 * error. */
static char *path_without_link(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? realpath(path, NULL)
                                                                : strdup(path);
}

int unpack_begin(struct unpacker *unpacker, const char *name, int *fd, struct error *error)
{
    char *file;
    int ends[2];
    int number;

    *unpacker = (struct unpacker){.name = name, .program = unpack_program(name), .words = -1};
    if (unpacker->program == NULL)
        return 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_system(error, ERROR_FILE, name, errno);
    unpacker->words = memfd_create("gpuenv", MFD_CLOEXEC);
    file = path_without_link(name);
    number = unpacker->words < 0 || file == NULL ? errno : spawn(unpacker, file, ends[1]);
    free(file);
    close(ends[1]);
    if (number == 0) {
        close(*fd);
        *fd = ends[0];
        return 0;
    }
    close(ends[0]);
    if (number == ENOENT)
        return error_set(error, ERROR_FILE, name,
                         "is unpacked by the program %s, which is not installed",
                         unpacker->program);
    return error_system(error, ERROR_FILE, name, number);
}

/* The first line that the program has written to standard error, without its own name, or "". */
static const char *first_words(const struct unpacker *unpacker, char words[WORDS_MOST])
{
    const size_t size = read_at(unpacker->words, words, WORDS_MOST - 1, 0);
    const size_t name = strlen(unpacker->program);
    char *from = words;
    size_t length;

    words[size] = '\0';
    from += strspn(from, "\r\n");
    if (strncmp(from, unpacker->program, name) == 0 && from[name] == ':')
        from += name + 1 + strspn(from + name + 1, " ");
    for (length = strcspn(from, "\r\n"); length > 0 && from[length - 1] == ' '; length--)
        ;
    from[length] = '\0';
    return from;
}

/* Returns 0, or -1 with errno set. */
static int wait_for(pid_t process, int *status)
{
    pid_t ended;

    do
        ended = waitpid(process, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? -1 : 0;
}

static int fail(const struct unpacker *unpacker, int status, struct error *error)
{
    const enum error_code code = unpacker->any ? ERROR_DAMAGED : ERROR_FILE;
    char words[WORDS_MOST];
    const char *first = first_words(unpacker, words);

    if (WIFSIGNALED(status))
        return error_set(error, ERROR_FILE, unpacker->name,
                         "cannot be unpacked: %s was ended by signal %d", unpacker->program,
                         WTERMSIG(status));
    if (first[0] == '\0')
        return error_set(error, code, unpacker->name,
                         "cannot be unpacked: %s failed with status %d", unpacker->program,
                         WEXITSTATUS(status));
    return error_set(error, code, unpacker->name, "cannot be unpacked: %s: %s", unpacker->program,
                     first);
}

bool unpack_has_failed(const struct unpacker *unpacker, struct error *error)
{
    if (unpacker->failed)
        *error = unpacker->error;
    return unpacker->failed;
}

int unpack_end(struct unpacker *unpacker, struct error *error)
{
    int status;

    if (unpacker->process > 0) {
        if (wait_for(unpacker->process, &status) != 0)
            error_system(&unpacker->error, ERROR_FILE, unpacker->name, errno);
        else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail(unpacker, status, &unpacker->error);
        unpacker->failed = unpacker->error.reason[0] != '\0';
        unpacker->process = 0;
    }
    return unpack_has_failed(unpacker, error) ? -1 : 0;
}

void unpack_stop(struct unpacker *unpacker)
{
    int status;

    if (unpacker->process > 0) {
        (void)kill(unpacker->process, SIGTERM);
        (void)wait_for(unpacker->process, &status);
    }
    if (unpacker->program != NULL && unpacker->words >= 0)
        close(unpacker->words);
    unpacker->process = 0;
    unpacker->words = -1;
}
