/* SPDX-License-Identifier: MIT */
#include "base/threads.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/min_max.h"
#include "base/rounding.h"
#include "base/thread.h"

/* A thread spins before it sleeps: falling asleep and being woken takes as long as the work of many
 * calls. */
#define SPIN_SECONDS 50e-6

enum {
    WAKES = 4,       /* the most helpers that a thread wakes, if these wake the others */
    LOCK_TRIES = 64, /* before a thread sleeps until it has the lock, which is never held long */
};

struct helper {
    struct threads *threads;
    pthread_t thread;
    sem_t wake;
    struct helper *others; /* helpers that this one wakes first */
    struct helper *below;  /* next in the list of idle helpers, or of those that one thread wakes */
};

struct threads {
    pthread_mutex_t lock;
    pthread_cond_t done; /* signalled when the last helper has left a job */
    unsigned helpers_most;
    bool spins;          /* each thread has a CPU of its own, so it may spin */
    atomic_uint changes; /* jobs that have begun, and the end */

    /* Protected by `lock`. */
    unsigned helper_count;
    unsigned wanted;           /* helpers that all jobs want which have begun and not ended */
    bool full;                 /* the system cannot start more threads */
    struct threads_job *first; /* the first of the jobs that helpers may join */
    struct helper *idle;       /* the latest one first: its CPU is awake, and its caches are warm */
    bool leaving;
    struct helper helpers[];
};

static inline void rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void lock(struct threads *threads)
{
    for (unsigned i = 0; i < LOCK_TRIES; i++) {
        if (pthread_mutex_trylock(&threads->lock) == 0)
            return;
        rest();
    }
    pthread_mutex_lock(&threads->lock);
}

static void unlock(struct threads *threads)
{
    pthread_mutex_unlock(&threads->lock);
}

/* Waits for a while until a number is `value`, or until it no longer is. */
static void spin(const atomic_uint *number, unsigned value, bool is)
{
    const double end = clock_seconds() + SPIN_SECONDS;

    while ((atomic_load_explicit(number, memory_order_acquire) == value) != is &&
           clock_seconds() < end)
        rest();
}

/* Takes the job off the list, so that helpers do not join it any more. Called with the lock
 * held. */
static void take_off(struct threads *threads, struct threads_job *job)
{
    struct threads_job **at = &threads->first;

    while (*at != NULL && *at != job)
        at = &(*at)->next;
    if (*at == job)
        *at = job->next;
}

/* Runs parts of the job until all are taken. */
static void work_on(struct threads_job *job)
{
    unsigned index = atomic_fetch_add_explicit(&job->taken, 1, memory_order_relaxed);

    while (index < job->parts) {
        job->part(job->context, index);
        index = atomic_fetch_add_explicit(&job->taken, 1, memory_order_relaxed);
    }
}

/* Joins the job until its parts are taken. The job belongs to the caller of threads_run(), and may
 * be gone once its last helper has left. Called and returns with the lock held. */
static void join(struct threads *threads, struct threads_job *job)
{
    if (++job->joined == job->helpers)
        take_off(threads, job);
    atomic_fetch_add(&job->inside, 1);
    unlock(threads);
    work_on(job);
    lock(threads);
    take_off(threads, job);
    if (atomic_fetch_sub(&job->inside, 1) == 1)
        pthread_cond_broadcast(&threads->done);
}

/* Takes up to `count` of the idle helpers. Called with the lock held. */
static struct helper *take_idle(struct threads *threads, unsigned count)
{
    struct helper *const taken = threads->idle;
    struct helper **end = &threads->idle;

    for (; count > 0 && *end != NULL; count--)
        end = &(*end)->below;
    threads->idle = *end;
    if (end == &threads->idle)
        return NULL;
    *end = NULL;
    return taken;
}

/* Wakes helpers. Waking a helper takes longer than many a part, so some helpers wake others. */
static void wake(struct helper *helpers)
{
    struct helper *woken[WAKES] = {NULL};

    for (unsigned i = 0; helpers != NULL; i = (i + 1) % WAKES) {
        struct helper *const helper = helpers;

        helpers = helper->below;
        helper->below = woken[i] != NULL ? woken[i]->others : NULL;
        helper->others = NULL;
        *(woken[i] != NULL ? &woken[i]->others : &woken[i]) = helper;
    }
    for (unsigned i = 0; i < WAKES && woken[i] != NULL; i++)
        sem_post(&woken[i]->wake);
}

/* Called and returns with the lock held. */
static void wait_idly(struct threads *threads, struct helper *helper)
{
    helper->below = threads->idle;
    threads->idle = helper;
    unlock(threads);
    while (sem_wait(&helper->wake) != 0)
        ;
    wake(helper->others);
    lock(threads);
}

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    struct threads *threads = helper->threads;
    bool worked = false; /* the helper has just left a job */

    (void)rounding_begin();
    lock(threads);
    while (!threads->leaving) {
        if (threads->first != NULL) {
            join(threads, threads->first);
            worked = true;
            continue;
        }
        if (worked && threads->spins) {
            const unsigned from = atomic_load(&threads->changes);

            unlock(threads);
            spin(&threads->changes, from, false);
            lock(threads);
        } else {
            wait_idly(threads, helper);
        }
        worked = false;
    }
    unlock(threads);
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
    struct helper *idle;

    if (threads == NULL)
        return;
    lock(threads);
    threads->leaving = true;
    atomic_fetch_add(&threads->changes, 1);
    idle = take_idle(threads, threads->helper_count);
    unlock(threads);
    wake(idle);
    for (unsigned i = 0; i < threads->helper_count; i++) {
        pthread_join(threads->helpers[i].thread, NULL);
        sem_destroy(&threads->helpers[i].wake);
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
        sem_init(&helper->wake, 0, 0);
        if (thread_start(&helper->thread, helper_main, helper) == 0) {
            threads->helper_count++;
        } else {
            sem_destroy(&helper->wake);
            threads->full = true;
        }
    }
}

/* Offers a job to helpers. The job has at least one part. */
static void begin(struct threads *threads, struct threads_job *job)
{
    struct threads_job **at = &threads->first;
    struct helper *idle;

    lock(threads);
    threads->wanted += job->helpers;
    start_helpers(threads);
    while (*at != NULL)
        at = &(*at)->next;
    *at = job;
    atomic_fetch_add(&threads->changes, 1);
    idle = take_idle(threads, job->helpers);
    unlock(threads);
    wake(idle);
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
    bool busy;

    work_on(job);
    lock(threads);
    take_off(threads, job);
    threads->wanted -= job->helpers;
    busy = atomic_load(&job->inside) > 0;
    unlock(threads);
    if (busy && threads->spins)
        spin(&job->inside, 0, true);
    if (!busy || atomic_load(&job->inside) == 0)
        return;
    lock(threads);
    while (atomic_load(&job->inside) > 0)
        pthread_cond_wait(&threads->done, &threads->lock);
    unlock(threads);
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
