/* SPDX-License-Identifier: MIT */
/* base/threads: every part runs once, for nested and concurrent callers. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/threads.h"

enum { PARTS = 1000, CALLERS = 4, ROUNDS = 200 };

struct job {
    atomic_int done[PARTS];
};

static atomic_int
    wrong; /* parts that did not run exactly once; checked when all threads have ended */

static void do_part(void *context, unsigned index)
{
    struct job *job = context;

    atomic_fetch_add(&job->done[index], 1);
}

/* In one step, or in two with another job in between. */
static void check_job(struct threads *threads, unsigned parts, bool in_steps)
{
    struct job *job = calloc(2, sizeof *job);
    struct threads_job begun;

    if (in_steps) {
        threads_begin(threads, &begun, parts, parts, do_part, job);
        threads_run(threads, 3, 3, do_part, job + 1);
        threads_end(threads, &begun);
    } else {
        threads_run(threads, parts, 1 + parts % 4, do_part, job);
    }
    for (unsigned i = 0; i < PARTS; i++) {
        if (atomic_load(&job[0].done[i]) != (i < parts ? 1 : 0) ||
            atomic_load(&job[1].done[i]) != (in_steps && i < 3 ? 1 : 0))
            atomic_fetch_add(&wrong, 1);
    }
    free(job);
}

static void *caller(void *threads)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        check_job(threads, i * 7 % PARTS, false);
        check_job(threads, i * 5 % PARTS, true);
    }
    return NULL;
}

struct crowd {
    atomic_uint at_work;
    atomic_uint most;
};

/* A part that takes long enough for all helpers to join in. */
static void stay(void *context, unsigned index)
{
    struct crowd *crowd = context;
    const unsigned now = atomic_fetch_add(&crowd->at_work, 1) + 1;
    unsigned most = atomic_load(&crowd->most);

    (void)index;
    while (now > most && !atomic_compare_exchange_weak(&crowd->most, &most, now))
        ;
    usleep(500);
    atomic_fetch_sub(&crowd->at_work, 1);
}

static void check_limit(struct threads *threads, unsigned most)
{
    struct crowd crowd = {.at_work = 0};
    struct threads_job job;

    threads_run(threads, 40, most, stay, &crowd);
    CHECK(atomic_load(&crowd.most) <= most);
    threads_begin(threads, &job, 40, most, stay, &crowd);
    threads_end(threads, &job);
    CHECK(atomic_load(&crowd.most) <= most + 1); /* threads_end() joins in */
}

/* A part that calls threads_run() itself. */
static void call(void *threads, unsigned index)
{
    check_job(threads, index + 1, false);
}

int main(void)
{
    for (unsigned most = 1; most <= 5; most++) {
        struct threads *threads = threads_open(most);
        pthread_t callers[CALLERS];

        CHECK(threads_size(threads) == most);
        for (int i = 0; i < CALLERS; i++)
            CHECK(pthread_create(&callers[i], NULL, caller, threads) == 0);
        for (int i = 0; i < CALLERS; i++)
            pthread_join(callers[i], NULL);
        threads_run(threads, 10, 10, call, threads);
        check_limit(threads, 2);
        threads_close(threads);
        CHECK(atomic_load(&wrong) == 0);
    }
    check_job(NULL, PARTS, false);
    CHECK(threads_size(NULL) == 1);
    threads_close(NULL);
    return check_result();
}
