/* SPDX-License-Identifier: MIT */
/* The tables below are the only state that a signal handler shares with the threads, so they have
 * no lock: the thread or handler that takes a path out of one, by an atomic exchange, owns that
 * path. A path that the handler took is never freed, because the process is about to end.
 *
 * A file or process that is not in a table would be left behind. A thread that creates a file or a
 * process therefore blocks signals (a handler in the same thread could not wait for it) and
 * increments `creating`, for a handler that runs in another thread: either the handler sees the
 * counter and waits, or the thread sees `ending` and creates nothing. */
#include "io/temporary.h"

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
#include <sys/wait.h>
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
static atomic_int processes[PLACES];
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

/* Makes ".NAME.XXXXXX" in the folder of `path`. NAME is truncated if the result would be too long
 * for a file name. */
static char *beside(const char *path)
{
    const char *name = basename(path);
    char *temporary;

    if (*name == '\0') {
        errno = *path == '\0' ? ENOENT : EISDIR;
        return NULL;
    }
    if (asprintf(&temporary, "%.*s.%.*s.XXXXXX", (int)(name - path), path, NAME_MAX - SUFFIX - 2,
                 name) < 0)
        return NULL;
    return temporary;
}

/* Random, so that concurrent runs rarely collide; O_EXCL makes it safe. */
static void new_suffix(char *temporary)
{
    unsigned chance;

    if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        chance = (unsigned)getpid();
    (void)snprintf(temporary + strlen(temporary) - SUFFIX, SUFFIX + 1, "%06x", chance & 0xffffff);
}

/* A nameless file gets a name by linking its descriptor's entry here. */
#define DESCRIPTORS "/proc/self/fd"

int temporary_open_nameless(const char *path, mode_t mode)
{
    const char *name = basename(path);
    char *folder;
    int fd;

    /* A path that cannot name a file is reported when the file is created with a name. */
    if (*name == '\0' || asprintf(&folder, "%.*s.", (int)(name - path), path) < 0)
        return -1;
    fd = (int)TEMP_FAILURE_RETRY(open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, mode));
    free(folder);
    if (fd < 0)
        return -1;
    if (access(DESCRIPTORS, F_OK) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

int temporary_link(int fd, const char *path)
{
    char descriptor[32];

    (void)snprintf(descriptor, sizeof descriptor, DESCRIPTORS "/%d", fd);
    return (int)TEMP_FAILURE_RETRY(linkat(AT_FDCWD, descriptor, AT_FDCWD, path, AT_SYMLINK_FOLLOW));
}

/* Gives a name to `*fd`, or creates a file if it is -1. mkostemp() would not do: the mode has to
 * come from the umask and the folder's default ACL. */
static int name_and_keep(char *temporary, mode_t mode, int *fd)
{
    int result = -1;

    errno = EINTR;
    for (int i = 0; i < TRIES && result < 0 && (errno == EEXIST || errno == EINTR) &&
                    atomic_load(&ending) == 0;
         i++) {
        new_suffix(temporary);
        result = *fd < 0 ? open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                         : temporary_link(*fd, temporary);
    }
    if (result >= 0 && !keep(temporary)) {
        (void)unlink(temporary);
        if (*fd < 0)
            (void)close(result);
        errno = EMFILE;
        return -1;
    }
    if (result >= 0 && *fd < 0)
        *fd = result;
    return result < 0 ? -1 : 0;
}

static void begin_creating(sigset_t *old)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, old);
    atomic_fetch_add(&creating, 1);
}

static void end_creating(const sigset_t *old)
{
    atomic_fetch_sub(&creating, 1);
    pthread_sigmask(SIG_SETMASK, old, NULL);
}

char *temporary_create(const char *path, mode_t mode, int *fd)
{
    char *temporary = beside(path);
    sigset_t old;
    int result;
    int number;

    if (temporary == NULL)
        return NULL;
    begin_creating(&old);
    result = name_and_keep(temporary, mode, fd);
    number = errno;
    end_creating(&old);
    if (result == 0)
        return temporary;
    free(temporary);
    errno = number;
    return NULL;
}

void temporary_release(char *temporary)
{
    for (int i = 0; i < PLACES; i++) {
        const char *expected = temporary;

        if (atomic_compare_exchange_strong(&places[i], &expected, NULL)) {
            free(temporary);
            return;
        }
    }
}

void temporary_remove(char *temporary)
{
    /* The file goes first: a handler removes only the names in the table. */
    (void)unlink(temporary);
    temporary_release(temporary);
}

/* Replaces `from` in the table of processes by `to`. Returns false if it is not there. */
static bool change_process(int from, int to)
{
    for (int i = 0; i < PLACES; i++) {
        int expected = from;

        if (atomic_compare_exchange_strong(&processes[i], &expected, to))
            return true;
    }
    return false;
}

int temporary_spawn(pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
                    const posix_spawnattr_t *attributes, char *const arguments[])
{
    sigset_t old;
    int number = EINTR;

    begin_creating(&old);
    if (atomic_load(&ending) == 0)
        number = posix_spawnp(process, program, actions, attributes, arguments, environ);
    if (number != 0) {
        *process = 0;
    } else if (!change_process(0, *process)) {
        (void)kill(-*process, SIGKILL);
        (void)temporary_wait(process, &number);
        number = EMFILE;
    }
    end_creating(&old);
    return number;
}

int temporary_wait(pid_t *process, int *status)
{
    const id_t id = (id_t)*process;
    siginfo_t ended;
    int result;

    /* The process leaves the table before waitpid() frees its number for another process. */
    result = (int)TEMP_FAILURE_RETRY(waitid(P_PID, id, &ended, WEXITED | WNOWAIT));
    (void)change_process(*process, 0);
    if (result == 0)
        result = (int)TEMP_FAILURE_RETRY(waitpid(*process, status, 0));
    *process = 0;
    return result < 0 ? -1 : 0;
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

        const int process = atomic_load(&processes[i]);

        if (temporary != NULL)
            (void)unlink(temporary);
        if (process > 0)
            (void)kill(-process, SIGKILL);
    }
    errno = number;
}

bool temporary_all_go(void)
{
    return atomic_load(&ending) != 0;
}
