/* SPDX-License-Identifier: MIT */
/* The thread pool: one for the whole process.
 *
 * The caller of threads_run() works on the parts of its job, and idle helper threads join in. Any
 * number of threads may call at once. Helpers are started on demand, so a process with little work
 * has none. */
#ifndef GPUENV_BASE_THREADS_H
#define GPUENV_BASE_THREADS_H

#include <stdatomic.h>

struct threads;

/* One job of the threads. Between threads_begin() and threads_end(), `joined` and `next` are
 * protected by the lock of the threads. */
struct threads_job {
    void (*part)(void *context, unsigned index);
    void *context;
    unsigned parts;
    atomic_uint taken;
    unsigned helpers;   /* helpers that may join the job */
    atomic_uint inside; /* helpers that have not left the job; changes with the lock held */
    unsigned joined;
    struct threads_job *next;
};

/* Opens a pool of at most `most` threads, the caller's included. Returns NULL, with errno set, when
 * out of memory. */
struct threads *threads_open(unsigned most);
void threads_close(struct threads *threads);

/* The most threads that can work on a job, the caller included; 1 if `threads` is NULL. */
unsigned threads_size(const struct threads *threads);

/* Calls part(context, i) for i = 0 .. parts-1 and returns when all have returned. Parts start in
 * order, on at most `most` threads, the caller's included. Parts must not wait for each other: one
 * thread may run them all, as the caller does where `threads` is NULL. */
void threads_run(struct threads *threads, unsigned parts, unsigned most,
                 void (*part)(void *context, unsigned index), void *context);

/* threads_run() in two steps: `most` helpers begin, and threads_end() joins in. */
void threads_begin(struct threads *threads, struct threads_job *job, unsigned parts, unsigned most,
                   void (*part)(void *context, unsigned index), void *context);
void threads_end(struct threads *threads, struct threads_job *job);

#endif
