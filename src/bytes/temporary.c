/* The table below is the only state that a signal handler shares with the threads, so it has no
 * lock: the thread or handler that takes a path out of it, by an atomic exchange, owns that path.
 * A path that the handler took is never freed, because the process is about to end.
 *
 * A file that exists but is not in the table would be left behind. A thread that creates one
 * therefore blocks signals (a handler in the same thread could not wait for it) and increments
 * `creating`, for a handler that runs in another thread: either the handler sees the counter and
 * waits, or the thread sees `ending` and creates nothing. */
#include "bytes/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PLACES = 256,
    TRIES = 100,
    SUFFIX = 6,
    PATIENCE = 1000, /* milliseconds */
};

_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2,
               "a signal handler must not meet a lock");

static _Atomic(const char *) places[PLACES];
static atomic_int creating;
static atomic_int ending;

static bool keep(const char *path)
{
    for (int i = 0; i < PLACES; i++) {
        const char *expected = NULL;

        if (atomic_compare_exchange_strong(&places[i], &expected, path))
            return true;
    }
    return false;
}

/* Takes the path out of the table. Returns false if it is not there any more. */
static bool take_back(const char *path)
{
    for (int i = 0; i < PLACES; i++) {
        const char *expected = path;

        if (atomic_compare_exchange_strong(&places[i], &expected, NULL))
            return true;
    }
    return false;
}

/* Makes ".NAME.XXXXXX" in the folder of `path`. NAME is truncated if the result would be too long
 * for a file name. */
static char *beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t name_most = NAME_MAX - SUFFIX - 2;
    size_t size = strlen(path) + SUFFIX + 3;
    char *temporary;

    if (*name == '\0') {
        errno = *path == '\0' ? ENOENT : EISDIR;
        return NULL;
    }
    temporary = malloc(size);
    if (temporary != NULL)
        (void)snprintf(temporary, size, "%.*s.%.*s.XXXXXX", (int)(name - path), path,
                       (int)name_most, name);
    return temporary;
}

/* Random, so that concurrent runs rarely collide; O_EXCL makes it safe. */
static void new_suffix(char *temporary)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char *suffix = temporary + strlen(temporary) - SUFFIX;
    unsigned char chance[SUFFIX];

    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        memset(chance, getpid() & 0xff, sizeof chance);
    for (int i = 0; i < SUFFIX; i++)
        suffix[i] = letters[chance[i] % (sizeof letters - 1)];
}

enum { DESCRIPTOR_PATH = 32 };

/* A nameless file gets a name by linking its descriptor's entry in /proc. */
static void descriptor_path(int fd, char path[DESCRIPTOR_PATH])
{
    (void)snprintf(path, DESCRIPTOR_PATH, "/proc/self/fd/%d", fd);
}

static bool has_entry(int fd)
{
    char descriptor[DESCRIPTOR_PATH];
    struct stat status;

    descriptor_path(fd, descriptor);
    return stat(descriptor, &status) == 0;
}

int temporary_open_nameless(const char *path, mode_t mode)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    int fd;

    /* A path that cannot name a file is reported when the file is created with a name. */
    if (folder == NULL || path[0] == '\0' || (slash != NULL && slash[1] == '\0')) {
        free(folder);
        return -1;
    }
    fd = (int)TEMP_FAILURE_RETRY(open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, mode));
    free(folder);
    if (fd < 0)
        return -1;
    if (has_entry(fd))
        return fd;
    (void)close(fd);
    return -1;
}

int temporary_link(int fd, const char *path)
{
    char descriptor[DESCRIPTOR_PATH];
    int result;

    descriptor_path(fd, descriptor);
    do
        result = linkat(AT_FDCWD, descriptor, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
    while (result < 0 && errno == EINTR && atomic_load(&ending) == 0);
    return result;
}

/* Gives the file `*fd` a new name, or creates it under that name if it is -1, and enters the name
 * in the table. Not by mkostemp(): the mode has to come from the umask and the folder's default
 * ACL. */
static int name_and_keep(char *temporary, mode_t mode, int *fd)
{
    bool create = *fd < 0;
    int result = -1;

    errno = EINTR;
    if (atomic_load(&ending) != 0)
        return -1;
    for (int i = 0; i < TRIES && result < 0 && (errno == EEXIST || errno == EINTR); i++) {
        new_suffix(temporary);
        result = create ? open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                        : temporary_link(*fd, temporary);
    }
    if (result < 0)
        return -1;
    if (keep(temporary)) {
        *fd = create ? result : *fd;
        return 0;
    }
    (void)unlink(temporary);
    if (create)
        (void)close(result);
    errno = EMFILE;
    return -1;
}

/* A name beside `path` for the file `*fd`, or for a new one. Signals are blocked meanwhile. */
static char *named_beside(const char *path, mode_t mode, int *fd)
{
    char *temporary = beside(path);
    sigset_t all;
    sigset_t old;
    int result;
    int number;

    if (temporary == NULL)
        return NULL;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    atomic_fetch_add(&creating, 1);
    result = name_and_keep(temporary, mode, fd);
    number = errno;
    atomic_fetch_sub(&creating, 1);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (result == 0)
        return temporary;
    free(temporary);
    errno = number;
    return NULL;
}

char *temporary_name(int fd, const char *path)
{
    return named_beside(path, 0, &fd);
}

char *temporary_create(const char *path, mode_t mode, int *fd)
{
    *fd = -1;
    return named_beside(path, mode, fd);
}

void temporary_release(char *temporary)
{
    if (take_back(temporary))
        free(temporary);
}

void temporary_remove(char *temporary)
{
    /* In this order: a handler removes only the names in the table. */
    (void)unlink(temporary);
    temporary_release(temporary);
}

void temporary_remove_all(void)
{
    int number = errno;

    atomic_store(&ending, 1);
    /* A file system that does not respond must not keep the process alive forever. */
    for (int i = 0; i < PATIENCE && atomic_load(&creating) > 0; i++)
        (void)poll(NULL, 0, 1);
    for (int i = 0; i < PLACES; i++) {
        const char *temporary = atomic_exchange(&places[i], NULL);

        if (temporary != NULL)
            (void)unlink(temporary);
    }
    errno = number;
}

bool temporary_all_go(void)
{
    return atomic_load(&ending) != 0;
}
