/* SPDX-License-Identifier: MIT */
/* Starting threads. All threads of this process are started here. */
#ifndef GPUENV_BASE_THREAD_H
#define GPUENV_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>

#include "base/error.h"

/* Enough for a thread, including decoders, which keep tables on the stack. With the usual 8 MiB,
 * stacks would take most of a limited address space. */
enum { THREAD_STACK_BYTES = 1024 * 1024 };

/* Signals that the kernel sends to the faulting thread. */
#define THREAD_CRASH_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS

/* Starts a thread that gets no signals except those of a crash; the others go to the main thread.
 * Returns 0 or an errno value. */
int thread_start(pthread_t *thread, void *(*main)(void *), void *context);

/* Sets the error for an errno value returned by thread_start(). Returns -1. */
int thread_error(struct error *error, int number);

#endif
