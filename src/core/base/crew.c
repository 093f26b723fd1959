#include "base/crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/rounding.h"
#include "base/thread.h"

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t work; /* signalled when there are parts to take, or on shutdown */
    pthread_cond_t done; /* signalled when the last part of a job has returned */
    unsigned helpers_most;

    /* Protected by `lock`. */
    unsigned helper_count;
    bool full;              /* the system cannot start more threads */
    struct crew_job *first; /* of the jobs that have parts left to take */
    bool leaving;
    pthread_t helpers[];
};

static void take_off(struct crew *crew, struct crew_job *job)
{
    struct crew_job **at = &crew->first;

    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

/* Runs parts of the job until all are taken. Called and returns with the lock held. */
static void work_on(struct crew *crew, struct crew_job *job)
{
    while (job->taken < job->parts) {
        unsigned index = job->taken++;

        if (job->taken == job->parts)
            take_off(crew, job);
        pthread_mutex_unlock(&crew->lock);
        job->part(job->context, index);
        pthread_mutex_lock(&crew->lock);
        /* The job belongs to the caller of crew_run(), and may be gone once its last part is
         * counted. */
        if (++job->finished == job->parts) {
            pthread_cond_broadcast(&crew->done);
            break;
        }
    }
}

static void *helper_main(void *argument)
{
    struct crew *crew = argument;

    (void)rounding_begin();
    pthread_mutex_lock(&crew->lock);
    while (!crew->leaving) {
        if (crew->first != NULL)
            work_on(crew, crew->first);
        else
            pthread_cond_wait(&crew->work, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

struct crew *crew_open(unsigned threads)
{
    const unsigned helpers = threads > 1 ? threads - 1 : 0;
    struct crew *crew = calloc(1, sizeof *crew + helpers * sizeof crew->helpers[0]);

    if (crew == NULL)
        return NULL;
    crew->helpers_most = helpers;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->done, NULL);
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
    free(crew);
}

unsigned crew_size(const struct crew *crew)
{
    return crew->helpers_most + 1;
}

/* Called with the lock held. */
static void start_helpers(struct crew *crew, unsigned wanted)
{
    if (wanted > crew->helpers_most)
        wanted = crew->helpers_most;
    while (crew->helper_count < wanted && !crew->full) {
        if (thread_start(&crew->helpers[crew->helper_count], helper_main, crew) == 0)
            crew->helper_count++;
        else
            crew->full = true;
    }
}

/* Offers a job to so many helpers. */
static void begin(struct crew *crew, struct crew_job *job, unsigned helpers)
{
    struct crew_job **at = &crew->first;

    pthread_mutex_lock(&crew->lock);
    start_helpers(crew, helpers);
    while (*at != NULL)
        at = &(*at)->next;
    *at = job;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
}

void crew_begin(struct crew *crew, struct crew_job *job, unsigned parts,
                void (*part)(void *context, unsigned index), void *context)
{
    *job = (struct crew_job){.part = part, .context = context, .parts = parts};
    if (parts > 0)
        begin(crew, job, parts);
}

void crew_end(struct crew *crew, struct crew_job *job)
{
    pthread_mutex_lock(&crew->lock);
    work_on(crew, job);
    while (job->finished < job->parts)
        pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void crew_run(struct crew *crew, unsigned parts, void (*part)(void *context, unsigned index),
              void *context)
{
    struct crew_job job = {.part = part, .context = context, .parts = parts};

    if (parts == 1) {
        part(context, 0);
    } else if (parts > 1) {
        begin(crew, &job, parts - 1);
        crew_end(crew, &job);
    }
}
