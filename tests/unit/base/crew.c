/* base/crew: every part runs once, for nested and concurrent callers. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/crew.h"

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
static void check_job(struct crew *crew, unsigned parts, bool in_steps)
{
    struct job *job = calloc(2, sizeof *job);
    struct crew_job begun;

    if (in_steps) {
        crew_begin(crew, &begun, parts, do_part, job);
        crew_run(crew, 3, do_part, job + 1);
        crew_end(crew, &begun);
    } else {
        crew_run(crew, parts, do_part, job);
    }
    for (unsigned i = 0; i < PARTS; i++) {
        if (atomic_load(&job[0].done[i]) != (i < parts ? 1 : 0) ||
            atomic_load(&job[1].done[i]) != (in_steps && i < 3 ? 1 : 0))
            atomic_fetch_add(&wrong, 1);
    }
    free(job);
}

static void *caller(void *crew)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        check_job(crew, i * 7 % PARTS, false);
        check_job(crew, i * 5 % PARTS, true);
    }
    return NULL;
}

/* A part that calls crew_run() itself. */
static void call(void *crew, unsigned index)
{
    check_job(crew, index + 1, false);
}

int main(void)
{
    for (unsigned threads = 1; threads <= 5; threads++) {
        struct crew *crew = crew_open(threads);
        pthread_t callers[CALLERS];

        CHECK(crew_size(crew) == threads);
        for (int i = 0; i < CALLERS; i++)
            CHECK(pthread_create(&callers[i], NULL, caller, crew) == 0);
        for (int i = 0; i < CALLERS; i++)
            pthread_join(callers[i], NULL);
        crew_run(crew, 10, call, crew);
        crew_close(crew);
        CHECK(atomic_load(&wrong) == 0);
    }
    crew_close(NULL);
    return check_result();
}
