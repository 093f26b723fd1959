#include "engine/keep.h"

#include <pthread.h>
#include <stdlib.h>

enum { DEVICES = 16 }; /* with a state of their own; others count as cold */

struct keep {
    pthread_mutex_t lock;

    /* Protected by `lock`. */
    struct kept *first;
    enum keep_state states[DEVICES];
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

/* Closing waits for the device, so it happens without the lock. */
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

bool keep_claim(struct keep *keep, unsigned device, enum keep_state *found)
{
    bool claimed;

    *found = KEEP_COLD;
    if (keep == NULL || device >= DEVICES)
        return true;
    pthread_mutex_lock(&keep->lock);
    *found = keep->states[device];
    claimed = *found == KEEP_COLD || *found == KEEP_WARM;
    if (claimed)
        keep->states[device] = KEEP_STARTING;
    pthread_mutex_unlock(&keep->lock);
    return claimed;
}

void keep_note(struct keep *keep, unsigned device, enum keep_state state)
{
    if (keep == NULL || device >= DEVICES)
        return;
    pthread_mutex_lock(&keep->lock);
    /* While one stream decides about a start, the device may fail in another. */
    if (keep->states[device] != KEEP_DEAD)
        keep->states[device] = state;
    pthread_mutex_unlock(&keep->lock);
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
