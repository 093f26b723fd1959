/* Threads of this process: all of them are started here. */
#ifndef GPUENV_BASE_THREAD_H
#define GPUENV_BASE_THREAD_H

#include <pthread.h>

/* Starts a thread that gets no signals: those are for the thread that main() runs in. Returns 0 or
 * an errno value. */
int thread_start(pthread_t *thread, void *(*main)(void *), void *context);

#endif
