#include "base/thread.h"

#include <signal.h>

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
