#include "base/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t work; /* there are parts to take, or it is time to go */
    pthread_cond_t done; /* the last part of the job has returned */
    pthread_t *helpers;
    unsigned helper_count;

    /* The job; all under `lock`. */
    void (*part)(void *context, unsigned index);
    void *context;
    unsigned parts;
    unsigned taken;
    unsigned finished;
    bool leaving;
};

/* Does parts until none is left. Called and returns with the lock held. */
static void work_on_parts(struct crew *crew)
{
    while (crew->taken < crew->parts) {
        unsigned index = crew->taken++;

        pthread_mutex_unlock(&crew->lock);
        crew->part(crew->context, index);
        pthread_mutex_lock(&crew->lock);
        if (++crew->finished == crew->parts)
            pthread_cond_signal(&crew->done);
    }
}

static void *helper_main(void *argument)
{
    struct crew *crew = argument;

    pthread_mutex_lock(&crew->lock);
    while (!crew->leaving) {
        if (crew->taken < crew->parts)
            work_on_parts(crew);
        else
            pthread_cond_wait(&crew->work, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

struct crew *crew_open(unsigned threads)
{
    struct crew *crew = calloc(1, sizeof *crew);
    sigset_t all;
    sigset_t old;

    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->done, NULL);
    crew->helpers = threads > 1 ? calloc(threads - 1, sizeof *crew->helpers) : NULL;
    if (crew->helpers == NULL)
        return crew;
    /* Signals are for the thread that watches the run. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (crew->helper_count < threads - 1) {
        if (pthread_create(&crew->helpers[crew->helper_count], NULL, helper_main, crew) != 0)
            break;
        crew->helper_count++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return crew;
}

void crew_close(struct crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->leaving = true;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->helper_count; i++)
        pthread_join(crew->helpers[i], NULL);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->work);
    pthread_mutex_destroy(&crew->lock);
    free(crew->helpers);
    free(crew);
}

unsigned crew_size(const struct crew *crew)
{
    return crew->helper_count + 1;
}

void crew_run(struct crew *crew, unsigned parts, void (*part)(void *context, unsigned index),
              void *context)
{
    pthread_mutex_lock(&crew->lock);
    crew->part = part;
    crew->context = context;
    crew->parts = parts;
    crew->taken = 0;
    crew->finished = 0;
    if (parts > 1)
        pthread_cond_broadcast(&crew->work);
    work_on_parts(crew);
    while (crew->finished < crew->parts)
        pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}
