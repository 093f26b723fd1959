#include "tool/growth_priv.h"

#include <time.h>

#include "base/clock.h"
#include "base/min_max.h"

enum {
    WORKERS_LEAST = 16,
    FILES_LEAST = 4, /* a thread and look */
};
static const double LOOK_SECONDS = 0.005;
static const double PATIENCE = 0.02; /* slower files do not wait for locks */
static const double GAIN = 1.1;

void growth_open(struct growth *growth, unsigned threads, bool given)
{
    pthread_condattr_t monotonic;

    *growth = (struct growth){
        .threads = threads,
        .settled = given || threads <= WORKERS_LEAST,
        .looked = clock_seconds(),
    };
    atomic_init(&growth->working, growth->settled ? threads : WORKERS_LEAST);
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

/* Is it time for a decision? The first few milliseconds, in which threads start, do not count. Call
 * with the lock held. */
static bool is_due(struct growth *growth, double passed, uint64_t files)
{
    const unsigned working = atomic_load(&growth->working);
    const bool first = growth->files == 0;

    if (passed >= PATIENCE)
        return true;
    if (passed < LOOK_SECONDS || files - growth->files < (uint64_t)FILES_LEAST * working)
        return false;
    if (first) {
        growth->looked += passed;
        growth->files = files;
    }
    return !first;
}

/* Decides about more threads. Call with the lock held. */
static void decide(struct growth *growth, struct ledger *ledger)
{
    const double passed = clock_seconds() - growth->looked;
    const unsigned working = atomic_load(&growth->working);
    const uint64_t files = ledger_ended(ledger);
    const double rate = (double)(files - growth->files) / passed;
    unsigned threads;

    if (!is_due(growth, passed, files))
        return;
    if (passed >= PATIENCE)
        threads = growth->threads;
    else if (rate > GAIN * growth->rate)
        threads = (unsigned)min_u64(UINT64_C(2) * working, growth->threads);
    else
        threads = working / 2;
    atomic_store(&growth->working, threads);
    growth->settled = threads < working || threads == growth->threads;
    growth->looked += passed;
    growth->files = files;
    growth->rate = rate;
    pthread_cond_broadcast(&growth->changed);
}

void growth_wait(struct growth *growth, struct ledger *ledger, unsigned number)
{
    pthread_mutex_lock(&growth->lock);
    while (!growth->settled && !growth_wants(growth, number)) {
        const double due = clock_seconds() + LOOK_SECONDS;
        const struct timespec end = {
            .tv_sec = (time_t)due,
            .tv_nsec = (long)((due - (double)(time_t)due) * 1e9),
        };

        pthread_cond_timedwait(&growth->changed, &growth->lock, &end);
        if (!growth->settled)
            decide(growth, ledger);
    }
    pthread_mutex_unlock(&growth->lock);
}

bool growth_wants(struct growth *growth, unsigned number)
{
    return number < atomic_load(&growth->working);
}

void growth_settle(struct growth *growth)
{
    pthread_mutex_lock(&growth->lock);
    growth->settled = true;
    pthread_cond_broadcast(&growth->changed);
    pthread_mutex_unlock(&growth->lock);
}
