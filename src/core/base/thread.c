/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

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
    pthread_attr_t attributes;
    sigset_t old;
    int number = pthread_attr_init(&attributes);

    if (number != 0)
        return number;
    number = pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    block_signals(&old);
    if (number == 0)
        number = pthread_create(thread, &attributes, main, context);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    return number;
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
