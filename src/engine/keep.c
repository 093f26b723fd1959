#include "engine/keep.h"

#include <pthread.h>
#include <stdlib.h>

enum { DEVICES = 16 }; /* of which starts are noted; others count as never started */

struct starts {
    bool any;
    bool under_way; /* the first */
    bool measured;
    double least; /* seconds of the warm ones */
    bool given_up;
    bool helped;
    struct keep_cost cost;
};

struct keep {
    pthread_mutex_t lock;

    /* All under `lock`. */
    struct kept *first;
    struct starts starts[DEVICES];
    unsigned cores;
    bool ended;
    unsigned holders;
};

struct keep *keep_open(void)
{
    struct keep *keep = calloc(1, sizeof *keep);

    if (keep == NULL)
        return NULL;
    pthread_mutex_init(&keep->lock, NULL);
    keep->holders = 1;
    return keep;
}

struct keep *keep_hold(struct keep *keep)
{
    if (keep == NULL)
        return NULL;
    pthread_mutex_lock(&keep->lock);
    keep->holders++;
    pthread_mutex_unlock(&keep->lock);
    return keep;
}

void keep_drop(struct keep *keep)
{
    bool last;

    if (keep == NULL)
        return;
    pthread_mutex_lock(&keep->lock);
    last = --keep->holders == 0;
    pthread_mutex_unlock(&keep->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&keep->lock);
    free(keep);
}

struct kept *keep_take(struct keep *keep, unsigned device)
{
    struct kept **link;
    struct kept *kept;

    if (keep == NULL)
        return NULL;
    pthread_mutex_lock(&keep->lock);
    link = &keep->first;
    while (*link != NULL && (*link)->device != device)
        link = &(*link)->next;
    kept = *link;
    if (kept != NULL)
        *link = kept->next;
    pthread_mutex_unlock(&keep->lock);
    return kept;
}

/* Closing waits for a device, so it is done without the lock. */
void keep_give(struct keep *keep, struct kept *kept)
{
    bool taken = false;

    if (keep != NULL) {
        pthread_mutex_lock(&keep->lock);
        taken = !keep->ended;
        if (taken) {
            kept->next = keep->first;
            keep->first = kept;
        }
        pthread_mutex_unlock(&keep->lock);
    }
    if (!taken)
        kept->close(kept);
}

void keep_clear(struct keep *keep, unsigned device)
{
    struct kept *kept;

    while ((kept = keep_take(keep, device)) != NULL)
        kept->close(kept);
}

/* Takes the lock, which the caller gives back. NULL, and nothing is taken: nothing is noted of the
 * device. */
static struct starts *lock_starts(struct keep *keep, unsigned device)
{
    if (keep == NULL || device >= DEVICES)
        return NULL;
    pthread_mutex_lock(&keep->lock);
    return &keep->starts[device];
}

bool keep_find_start(struct keep *keep, unsigned device, double *seconds)
{
    const struct starts *starts = lock_starts(keep, device);
    bool any;

    if (starts == NULL)
        return false;
    any = starts->any;
    if (starts->measured)
        *seconds = starts->least;
    pthread_mutex_unlock(&keep->lock);
    return any;
}

bool keep_begin_start(struct keep *keep, unsigned device)
{
    struct starts *starts = lock_starts(keep, device);
    bool begins;

    if (starts == NULL)
        return true;
    begins = !starts->under_way;
    if (!starts->any)
        starts->under_way = true;
    pthread_mutex_unlock(&keep->lock);
    return begins;
}

void keep_end_start(struct keep *keep, unsigned device)
{
    struct starts *starts = lock_starts(keep, device);

    if (starts == NULL)
        return;
    starts->under_way = false;
    pthread_mutex_unlock(&keep->lock);
}

unsigned keep_add_cores(struct keep *keep, int cores)
{
    unsigned now;

    if (keep == NULL)
        return 0;
    pthread_mutex_lock(&keep->lock);
    keep->cores += (unsigned)cores;
    now = keep->cores;
    pthread_mutex_unlock(&keep->lock);
    return now;
}

/* The least: chance makes a start longer, never shorter, and a device that seems slow to start
 * would not be started again, and never be measured again. */
void keep_note_start(struct keep *keep, unsigned device, bool warm, double seconds)
{
    struct starts *starts = lock_starts(keep, device);

    if (starts == NULL)
        return;
    if (warm && (!starts->measured || seconds < starts->least)) {
        starts->measured = true;
        starts->least = seconds;
    }
    starts->any = true;
    starts->under_way = false;
    starts->given_up = false;
    pthread_mutex_unlock(&keep->lock);
}

bool keep_find_cost(struct keep *keep, unsigned device, struct keep_cost *cost)
{
    const struct starts *starts = lock_starts(keep, device);
    bool found;

    if (starts == NULL)
        return false;
    found = starts->helped;
    if (found)
        *cost = starts->cost;
    pthread_mutex_unlock(&keep->lock);
    return found;
}

void keep_note_cost(struct keep *keep, unsigned device, const struct keep_cost *cost)
{
    struct starts *starts = lock_starts(keep, device);

    if (starts == NULL)
        return;
    starts->helped = cost != NULL;
    if (cost != NULL)
        starts->cost = *cost;
    pthread_mutex_unlock(&keep->lock);
}

void keep_give_up(struct keep *keep, unsigned device)
{
    struct starts *starts = lock_starts(keep, device);

    if (starts == NULL)
        return;
    starts->given_up = true;
    pthread_mutex_unlock(&keep->lock);
}

bool keep_has_given_up(struct keep *keep, unsigned device)
{
    const struct starts *starts = lock_starts(keep, device);
    bool given_up;

    if (starts == NULL)
        return false;
    given_up = starts->given_up;
    pthread_mutex_unlock(&keep->lock);
    return given_up;
}

void keep_end(struct keep *keep)
{
    struct kept *kept;

    if (keep == NULL)
        return;
    pthread_mutex_lock(&keep->lock);
    keep->ended = true;
    kept = keep->first;
    keep->first = NULL;
    pthread_mutex_unlock(&keep->lock);
    while (kept != NULL) {
        struct kept *next = kept->next;

        kept->close(kept);
        kept = next;
    }
    keep_drop(keep);
}
