/* base/crew: every part runs once, for nested and concurrent callers. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
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

static void check_job(struct crew *crew, unsigned parts)
{
    struct job *job = calloc(1, sizeof *job);

    crew_run(crew, parts, do_part, job);
    for (unsigned i = 0; i < PARTS; i++) {
        if (atomic_load(&job->done[i]) != (i < parts ? 1 : 0))
            atomic_fetch_add(&wrong, 1);
    }
    free(job);
}

/* In two steps, with another job in between. */
static void check_steps(struct crew *crew, unsigned parts)
{
    struct job *job = calloc(1, sizeof *job);
    struct crew_job begun;

    crew_begin(crew, &begun, parts, do_part, job);
    check_job(crew, 3);
    crew_end(crew, &begun);
    for (unsigned i = 0; i < PARTS; i++) {
        if (atomic_load(&job->done[i]) != (i < parts ? 1 : 0))
            atomic_fetch_add(&wrong, 1);
    }
    free(job);
}

static void *caller(void *crew)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        check_job(crew, i * 7 % PARTS);
        check_steps(crew, i * 5 % PARTS);
    }
    return NULL;
}

/* A part that calls crew_run() itself. */
static void call(void *crew, unsigned index)
{
    check_job(crew, index + 1);
}

int main(void)
{
    for (unsigned threads = 1; threads <= 5; threads++) {
        struct crew *crew = crew_open(threads);
        pthread_t callers[CALLERS];

        CHECK(crew_size(crew) == threads && crew_call(crew, 1) == 1);
        CHECK(crew_call(crew, 3) == (threads < 3 ? threads : 3));
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
