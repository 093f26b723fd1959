#include "tool/growth_priv.h"

#include <time.h>

#include "base/clock.h"
#include "base/min_max.h"

enum { WORKERS_LEAST = 16 };
static const double LOOK_SECONDS = 0.01;
/* Files that each take n times as long keep n threads busy before these wait for one another: a new
 * file holds the lock of its folder for a good part of this time. */
static const double SECONDS_A_THREAD = 20e-6;

void growth_open(struct growth *growth, unsigned threads, bool given)
{
    pthread_condattr_t monotonic;

    *growth = (struct growth){
        .threads = threads,
        .working = given ? threads : (unsigned)min_u64(threads, (uint64_t)WORKERS_LEAST),
        .looked = clock_seconds(),
    };
    pthread_mutex_init(&growth->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&growth->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void growth_close(struct growth *growth)
{
    pthread_cond_destroy(&growth->changed);
    pthread_mutex_destroy(&growth->lock);
}

unsigned growth_size(const struct growth *growth, double seconds, uint64_t files)
{
    const unsigned working = growth->working;
    const double share = (double)files * SECONDS_A_THREAD;
    const double pay = files > 0 ? seconds * working / share : (double)growth->threads;

    if (pay >= growth->threads)
        return growth->threads;
    return pay > working ? (unsigned)pay : working;
}

/* Lets more threads work if files take long enough. Call with the lock held. */
static void look(struct growth *growth, struct ledger *ledger)
{
    const double now = clock_seconds();
    const uint64_t files = ledger_ended(ledger);
    unsigned threads;

    if (now - growth->looked < LOOK_SECONDS)
        return;
    threads = growth_size(growth, now - growth->looked, files - growth->files);
    if (threads > growth->working) {
        growth->working = threads;
        pthread_cond_broadcast(&growth->changed);
    }
    growth->looked = now;
    growth->files = files;
}

bool growth_wait(struct growth *growth, struct ledger *ledger, unsigned number)
{
    bool wanted;

    pthread_mutex_lock(&growth->lock);
    while (number >= growth->working && !growth->ended) {
        const double due = clock_seconds() + LOOK_SECONDS;
        const struct timespec end = {
            .tv_sec = (time_t)due,
            .tv_nsec = (long)((due - (double)(time_t)due) * 1e9),
        };

        if (number > growth->working) {
            pthread_cond_wait(&growth->changed, &growth->lock);
        } else { /* the next one that would work looks */
            pthread_cond_timedwait(&growth->changed, &growth->lock, &end);
            look(growth, ledger);
        }
    }
    wanted = number < growth->working;
    pthread_mutex_unlock(&growth->lock);
    return wanted;
}

void growth_end(struct growth *growth)
{
    pthread_mutex_lock(&growth->lock);
    growth->ended = true;
    pthread_cond_broadcast(&growth->changed);
    pthread_mutex_unlock(&growth->lock);
}
