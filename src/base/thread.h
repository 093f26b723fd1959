/* Threads of this process: all of them are started here. */
#ifndef GPUENV_BASE_THREAD_H
#define GPUENV_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>

#include "base/error.h"

/* What a thread needs for itself, decoders included, which keep tables there. The usual 8 MiB would
 * be more than all else together where the address space is limited. */
enum { THREAD_STACK_BYTES = 1024 * 1024 };

/* By which the kernel ends a process at fault, in the thread where the fault is. */
#define THREAD_CRASH_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS

/* Starts a thread that gets no signals, but for those of a crash: they are for the thread that
 * main() runs in. Returns 0 or an errno value. */
int thread_start(pthread_t *thread, void *(*main)(void *), void *context);

/* The same for a thread that nobody waits for. */
int thread_start_alone(void *(*main)(void *), void *context);

/* Ends the process, also while such threads are at work: what libraries do at an exit() is not safe
 * then, and might wait for them. */
_Noreturn void thread_exit(int status);

/* What that value means, and what to do. Returns -1. */
int thread_error(struct error *error, int number);

#endif
