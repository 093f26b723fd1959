#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of the process, as the threads are: those that nobody waits for, and that have not ended. */
static atomic_uint alone;

struct start {
    void *(*main)(void *);
    void *context;
};

int thread_start(pthread_t *thread, void *(*main)(void *), void *context)
{
    sigset_t all;
    sigset_t old;
    int number;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    number = pthread_create(thread, NULL, main, context);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return number;
}

static void *alone_main(void *context)
{
    const struct start start = *(struct start *)context;

    free(context);
    start.main(start.context);
    atomic_fetch_sub(&alone, 1);
    return NULL;
}

int thread_start_alone(void *(*main)(void *), void *context)
{
    struct start *start = malloc(sizeof *start);
    pthread_t thread;
    int number;

    if (start == NULL)
        return ENOMEM;
    *start = (struct start){main, context};
    atomic_fetch_add(&alone, 1);
    number = thread_start(&thread, alone_main, start);
    if (number == 0) {
        pthread_detach(thread);
        return 0;
    }
    atomic_fetch_sub(&alone, 1);
    free(start);
    return number;
}

void thread_exit(int status)
{
    if (atomic_load(&alone) == 0)
        exit(status);
    fflush(stdout);
    _exit(status);
}
