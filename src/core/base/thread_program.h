/* SPDX-License-Identifier: MIT */
/* Functions that a program may call, but a library may not: they wait for signals, and change how
 * malloc() works. */
#ifndef GPUENV_BASE_THREAD_PROGRAM_H
#define GPUENV_BASE_THREAD_PROGRAM_H

#include "base/error.h"

/* Under a limit on address space, makes all threads share one arena. glibc gives each thread that
 * calls malloc() an arena of its own, which reserves 64 MiB: a few would leave nothing for the
 * buffers. Call this before there are threads. */
void thread_share_arena(void);

/* Makes free() keep memory for the next malloc(): every file of a batch needs buffers of equal
 * sizes, and returning them to the system stops all threads for a moment. */
void thread_keep_memory(void);

/* Runs `work` on a thread of its own, while this one, which gets the signals, calls tick(context)
 * four times a second and after each signal. Returns an error only if the work has not begun. */
int thread_watch(void (*work)(void *), void (*tick)(void *), void *context, struct error *error);

#endif
