/* SPDX-License-Identifier: MIT */
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/min_max.h"
#include "base/rounding.h"
#include "base/thread.h"

/* To fall asleep and to be woken takes as long as the work of many calls. */
#define SPIN_SECONDS 50e-6

struct helper {
    struct threads *threads;
    pthread_t thread;

    /* Protected by the lock of the threads. */
    pthread_cond_t wake;
    bool idle;
    struct helper *below; /* of those that are idle */
};

struct threads {
    pthread_mutex_t lock;
    pthread_cond_t done; /* signalled when the last part of a job has returned */
    unsigned helpers_most;
    bool spins;          /* each thread has a CPU */
    atomic_uint changes; /* jobs that have begun, and the end */
    atomic_uint ended;   /* jobs */

    /* Protected by `lock`. */
    unsigned helper_count;
    unsigned wanted;           /* helpers, by all jobs that have begun and not ended */
    bool full;                 /* the system cannot start more threads */
    struct threads_job *first; /* of the jobs that helpers may join */
    struct helper *idle;       /* the last one first: its CPU is awake, and its caches are warm */
    bool leaving;
    struct helper helpers[];
};

static void take_off(struct threads *threads, struct threads_job *job)
{
    struct threads_job **at = &threads->first;

    while (*at != NULL && *at != job)
        at = &(*at)->next;
    if (*at == job)
        *at = job->next;
}

/* Runs parts of the job until all are taken. Then, or when all its helpers have joined, the job is
 * not offered any more. Called and returns with the lock held. */
static void work_on(struct threads *threads, struct threads_job *job)
{
    while (job->taken < job->parts) {
        unsigned index = job->taken++;

        if (job->taken == job->parts)
            take_off(threads, job);
        pthread_mutex_unlock(&threads->lock);
        job->part(job->context, index);
        pthread_mutex_lock(&threads->lock);
        /* The job belongs to the caller of threads_run(), and may be gone once its last part is
         * counted. */
        if (++job->finished == job->parts) {
            atomic_fetch_add(&threads->ended, 1);
            pthread_cond_broadcast(&threads->done);
            break;
        }
    }
}

/* Called and returns with the lock held. */
static void wait_idly(struct threads *threads, struct helper *helper)
{
    helper->idle = true;
    helper->below = threads->idle;
    threads->idle = helper;
    while (helper->idle)
        pthread_cond_wait(&helper->wake, &threads->lock);
}

/* Wakes up to `count` helpers. Called with the lock held. */
static void wake(struct threads *threads, unsigned count)
{
    for (; count > 0 && threads->idle != NULL; count--) {
        struct helper *helper = threads->idle;

        threads->idle = helper->below;
        helper->idle = false;
        pthread_cond_signal(&helper->wake);
    }
}

/* Waits for a while until a number is another one. */
static void spin(const atomic_uint *number, unsigned from)
{
    const double end = clock_seconds() + SPIN_SECONDS;

    while (atomic_load_explicit(number, memory_order_acquire) == from && clock_seconds() < end) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

/* Called and returns with the lock held. */
static void spin_unlocked(struct threads *threads, const atomic_uint *number)
{
    const unsigned from = atomic_load(number);

    pthread_mutex_unlock(&threads->lock);
    spin(number, from);
    pthread_mutex_lock(&threads->lock);
}

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    struct threads *threads = helper->threads;
    bool worked = false; /* just now */

    (void)rounding_begin();
    pthread_mutex_lock(&threads->lock);
    while (!threads->leaving) {
        struct threads_job *job = threads->first;

        if (job == NULL) {
            if (worked && threads->spins)
                spin_unlocked(threads, &threads->changes);
            else
                wait_idly(threads, helper);
            worked = false;
            continue;
        }
        if (++job->joined == job->helpers)
            take_off(threads, job);
        work_on(threads, job);
        worked = true;
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

struct threads *threads_open(unsigned most)
{
    const unsigned helpers = most > 1 ? most - 1 : 0;
    struct threads *threads = calloc(1, sizeof *threads + helpers * sizeof threads->helpers[0]);

    if (threads == NULL)
        return NULL;
    threads->helpers_most = helpers;
    threads->spins = helpers < cpus_available();
    pthread_mutex_init(&threads->lock, NULL);
    pthread_cond_init(&threads->done, NULL);
    return threads;
}

void threads_close(struct threads *threads)
{
    if (threads == NULL)
        return;
    pthread_mutex_lock(&threads->lock);
    threads->leaving = true;
    atomic_fetch_add(&threads->changes, 1);
    wake(threads, threads->helper_count);
    pthread_mutex_unlock(&threads->lock);
    for (unsigned i = 0; i < threads->helper_count; i++) {
        pthread_join(threads->helpers[i].thread, NULL);
        pthread_cond_destroy(&threads->helpers[i].wake);
    }
    pthread_cond_destroy(&threads->done);
    pthread_mutex_destroy(&threads->lock);
    free(threads);
}

unsigned threads_size(const struct threads *threads)
{
    return threads == NULL ? 1 : threads->helpers_most + 1;
}

/* Called with the lock held. */
static void start_helpers(struct threads *threads)
{
    while (threads->helper_count < threads->wanted &&
           threads->helper_count < threads->helpers_most && !threads->full) {
        struct helper *helper = &threads->helpers[threads->helper_count];

        helper->threads = threads;
        pthread_cond_init(&helper->wake, NULL);
        if (thread_start(&helper->thread, helper_main, helper) == 0) {
            threads->helper_count++;
        } else {
            pthread_cond_destroy(&helper->wake);
            threads->full = true;
        }
    }
}

/* Offers a job to its helpers, of which it wants one at least. */
static void begin(struct threads *threads, struct threads_job *job)
{
    struct threads_job **at = &threads->first;

    pthread_mutex_lock(&threads->lock);
    threads->wanted += job->helpers;
    start_helpers(threads);
    while (*at != NULL)
        at = &(*at)->next;
    *at = job;
    atomic_fetch_add(&threads->changes, 1);
    wake(threads, job->helpers);
    pthread_mutex_unlock(&threads->lock);
}

void threads_begin(struct threads *threads, struct threads_job *job, unsigned parts, unsigned most,
                   void (*part)(void *context, unsigned index), void *context)
{
    *job = (struct threads_job){.part = part,
                                .context = context,
                                .parts = parts,
                                .helpers = (unsigned)min_u64(parts, most)};
    if (parts > 0)
        begin(threads, job);
}

void threads_end(struct threads *threads, struct threads_job *job)
{
    pthread_mutex_lock(&threads->lock);
    work_on(threads, job);
    if (job->finished < job->parts && threads->spins)
        spin_unlocked(threads, &threads->ended);
    while (job->finished < job->parts)
        pthread_cond_wait(&threads->done, &threads->lock);
    threads->wanted -= job->helpers;
    pthread_mutex_unlock(&threads->lock);
}

void threads_run(struct threads *threads, unsigned parts, unsigned most,
                 void (*part)(void *context, unsigned index), void *context)
{
    struct threads_job job;

    if (threads == NULL || parts == 1 || most <= 1) {
        for (unsigned i = 0; i < parts; i++)
            part(context, i);
    } else if (parts > 1) {
        threads_begin(threads, &job, parts, (unsigned)min_u64(parts, most) - 1, part, context);
        threads_end(threads, &job);
    }
}
