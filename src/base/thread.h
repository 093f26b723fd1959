/* Threads of this process: all of them are started here. */
#ifndef GPUENV_BASE_THREAD_H
#define GPUENV_BASE_THREAD_H

#include <pthread.h>

/* Starts a thread that gets no signals: those are for the thread that main() runs in. Returns 0 or
 * an errno value. */
int thread_start(pthread_t *thread, void *(*main)(void *), void *context);

/* The same for a thread that nobody waits for. */
int thread_start_alone(void *(*main)(void *), void *context);

/* Ends the process, also while such threads are at work: what libraries do at an exit() is not safe
 * then, and might wait for them. */
_Noreturn void thread_exit(int status);

#endif
