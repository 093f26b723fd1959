/* SPDX-License-Identifier: MIT */
/* A folder to work in, files, pipes with slow peers, and a timer that interrupts system calls. */
#ifndef GPUENV_TESTS_SCRATCH_H
#define GPUENV_TESTS_SCRATCH_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char scratch_folder[] = "/tmp/gpuenv-test-XXXXXX";

static void scratch_need(bool fine, const char *what)
{
    if (!fine) {
        perror(what);
        exit(99);
    }
}

/* How many files are in the folder; `hidden`: only those whose names begin with a dot. */
static inline int scratch_count(const char *folder, bool hidden)
{
    DIR *directory = opendir(folder);
    int count = 0;

    scratch_need(directory != NULL, folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count += !hidden || entry->d_name[0] == '.';
    }
    closedir(directory);
    return count;
}

static pid_t scratch_owner;

static void scratch_leave(void)
{
    char command[64];

    if (getpid() != scratch_owner)
        return;
    (void)snprintf(command, sizeof command, "rm -rf %s", scratch_folder);
    (void)!system(command);
}

/* Changes into a new folder, which is removed at exit. A peer that leaves is no signal. */
static inline void scratch_enter(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    scratch_need(mkdtemp(scratch_folder) != NULL, "mkdtemp");
    scratch_owner = getpid();
    (void)atexit(scratch_leave);
    scratch_need(chdir(scratch_folder) == 0, "chdir");
}

static inline void scratch_write(const char *path, const void *bytes, size_t size)
{
    int fd;

    /* A file system may wait for a disk where a file is truncated and written anew. */
    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    scratch_need(fd >= 0, path);
    scratch_need(write(fd, bytes, size) == (ssize_t)size, path);
    close(fd);
}

/* The contents of a file, with two NUL behind them; to be freed. */
static inline char *scratch_contents(const char *path, size_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *bytes;

    scratch_need(fd >= 0 && fstat(fd, &status) == 0, path);
    *size = (size_t)status.st_size;
    bytes = calloc(*size + 2, 1);
    scratch_need(bytes != NULL && read(fd, bytes, *size) == status.st_size, path);
    close(fd);
    return bytes;
}

/* Is this what the file contains? */
static inline bool scratch_holds(const char *path, const char *text)
{
    size_t size;
    char *bytes = scratch_contents(path, &size);
    const bool holds = size == strlen(text) && memcmp(bytes, text, size) == 0;

    free(bytes);
    return holds;
}

/* Bytes that differ from place to place. */
static inline void scratch_fill(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + (i >> 16));
}

static inline void scratch_nonblocking(int fd)
{
    scratch_need(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0, "O_NONBLOCK");
}

static inline void scratch_pipe(int *read_end, int *write_end)
{
    int ends[2];

    scratch_need(pipe2(ends, O_CLOEXEC) == 0, "pipe");
    *read_end = ends[0];
    *write_end = ends[1];
}

static void scratch_sleep(long microseconds)
{
    struct timespec time = {.tv_nsec = microseconds * 1000};

    (void)nanosleep(&time, NULL);
}

/* A thread that writes `size` bytes to fd in pieces and closes it, or reads them. */
struct scratch_peer {
    pthread_t thread;
    int fd;
    unsigned char *bytes;
    size_t size;
    size_t piece;
    long pause; /* microseconds before each piece */
    size_t done;
};

static inline bool scratch_moves(struct scratch_peer *peer, bool out)
{
    const size_t left = peer->size - peer->done;
    const size_t piece = left < peer->piece ? left : peer->piece;
    ssize_t moved;

    if (left == 0)
        return false;
    scratch_sleep(peer->pause);
    moved = out ? write(peer->fd, peer->bytes + peer->done, piece)
                : read(peer->fd, peer->bytes + peer->done, piece);
    peer->done += moved > 0 ? (size_t)moved : 0;
    return moved > 0;
}

static inline void *scratch_feeder(void *context)
{
    struct scratch_peer *peer = context;

    while (scratch_moves(peer, true))
        ;
    close(peer->fd);
    return NULL;
}

static inline void *scratch_drainer(void *context)
{
    while (scratch_moves(context, false))
        ;
    return NULL;
}

/* The timer interrupts only the thread under test. */
static inline void scratch_start(struct scratch_peer *peer, void *(*work)(void *))
{
    sigset_t all;
    sigset_t old;

    peer->done = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    scratch_need(pthread_create(&peer->thread, NULL, work, peer) == 0, "thread");
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static atomic_int scratch_alarms;

static void scratch_on_alarm(int number)
{
    int saved = errno;

    (void)number;
    atomic_fetch_add(&scratch_alarms, 1);
    errno = saved;
}

/* From now on SIGALRM interrupts this thread at this interval; 0: no more. */
static inline void scratch_interrupt(int microseconds)
{
    struct sigaction action = {.sa_handler = scratch_on_alarm}; /* no SA_RESTART */
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};

    sigaction(SIGALRM, &action, NULL);
    scratch_need(setitimer(ITIMER_REAL, &timer, NULL) == 0, "setitimer");
}

#endif
