#include "base/thread.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WATCH_MILLISECONDS = 250 };

/* glibc gives each thread that calls malloc() an arena, which reserves 64 MiB of address space.
 * Under a limit on address space, a few threads would leave nothing for the buffers. */
static void share_one_arena(void)
{
#ifdef M_ARENA_MAX
    struct rlimit space;

    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        (void)mallopt(M_ARENA_MAX, 1);
#endif
}

/* Crash signals stay unblocked: the kernel delivers them in any case, and if they were blocked, it
 * would end the process without calling the handler. */
static void block_signals(sigset_t *old)
{
    static const int crashing[] = {THREAD_CRASH_SIGNALS};
    sigset_t all;

    sigfillset(&all);
    for (size_t i = 0; i < sizeof crashing / sizeof *crashing; i++)
        sigdelset(&all, crashing[i]);
    pthread_sigmask(SIG_SETMASK, &all, old);
}

int thread_start(pthread_t *thread, void *(*main)(void *), void *context)
{
    static pthread_once_t arena = PTHREAD_ONCE_INIT;
    pthread_attr_t attributes;
    sigset_t old;
    int number = pthread_attr_init(&attributes);

    if (number != 0)
        return number;
    pthread_once(&arena, share_one_arena);
    number = pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    block_signals(&old);
    if (number == 0)
        number = pthread_create(thread, &attributes, main, context);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    return number;
}

int thread_watch(void *(*main)(void *), void (*tick)(void *), void *context,
                 const struct flag *done)
{
    struct pollfd ends = {.fd = done->wait, .events = POLLIN};
    pthread_t thread;
    int number = thread_start(&thread, main, context);

    if (number != 0)
        return number;
    for (;;) {
        int ready = poll(&ends, 1, WATCH_MILLISECONDS);

        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        tick(context);
    }
    pthread_join(thread, NULL);
    return 0;
}

int thread_error(struct error *error, int number)
{
    if (number != EAGAIN)
        return error_system(error, ERROR_RESOURCE, "threads", number);
    return error_set(error, ERROR_RESOURCE, "threads",
                     "cannot start one, which takes %d KiB of memory: see ulimit -v and "
                     "ulimit -u, or free some memory",
                     THREAD_STACK_BYTES / 1024);
}
