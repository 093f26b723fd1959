#include "engine/keep.h"

#include <pthread.h>
#include <stdlib.h>

struct keep {
    pthread_mutex_t lock;
    struct kept *first; /* under `lock` */
};

struct keep *keep_open(void)
{
    struct keep *keep = calloc(1, sizeof *keep);

    if (keep == NULL)
        return NULL;
    pthread_mutex_init(&keep->lock, NULL);
    return keep;
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

void keep_give(struct keep *keep, struct kept *kept)
{
    if (keep == NULL) {
        kept->close(kept);
        return;
    }
    pthread_mutex_lock(&keep->lock);
    kept->next = keep->first;
    keep->first = kept;
    pthread_mutex_unlock(&keep->lock);
}

void keep_clear(struct keep *keep, unsigned device)
{
    struct kept *kept;

    while ((kept = keep_take(keep, device)) != NULL)
        kept->close(kept);
}

void keep_end(struct keep *keep)
{
    if (keep == NULL)
        return;
    while (keep->first != NULL) {
        struct kept *kept = keep->first;

        keep->first = kept->next;
        kept->close(kept);
    }
    pthread_mutex_destroy(&keep->lock);
    free(keep);
}
