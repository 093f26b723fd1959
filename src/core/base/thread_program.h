/* SPDX-License-Identifier: MIT */
/* What a program does with its threads, and a library must not do: it waits for signals, and
 * changes how malloc() works. */
#ifndef GPUENV_BASE_THREAD_PROGRAM_H
#define GPUENV_BASE_THREAD_PROGRAM_H

#include "base/error.h"

/* Under a limit on address space, makes all threads share one arena. glibc gives each thread that
 * calls malloc() its own, which reserves 64 MiB: a few would leave nothing for the buffers. Call it
 * before there are threads. */
void thread_share_arena(void);

/* Makes free() keep memory for the next malloc(): every file of a batch needs the same buffers, and
 * to return them to the system stops all threads for a moment. */
void thread_keep_memory(void);

/* Runs `work` on a thread of its own, while this one, which gets the signals, calls tick(context)
 * four times a second and after each signal. An error is that the work has not begun. */
int thread_watch(void (*work)(void *), void (*tick)(void *), void *context, struct error *error);

#endif
