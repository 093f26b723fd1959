/* SPDX-License-Identifier: MIT */
#include "engine/devices.h"

#include <pthread.h>
#include <stdlib.h>

struct devices {
    pthread_mutex_t lock;
    struct kept *first; /* protected by `lock` */
};

struct devices *devices_open(void)
{
    struct devices *devices = calloc(1, sizeof *devices);

    if (devices == NULL)
        return NULL;
    pthread_mutex_init(&devices->lock, NULL);
    return devices;
}

struct kept *devices_take(struct devices *devices, unsigned device)
{
    struct kept **link;
    struct kept *kept;

    if (devices == NULL)
        return NULL;
    pthread_mutex_lock(&devices->lock);
    link = &devices->first;
    while (*link != NULL && (*link)->device != device)
        link = &(*link)->next;
    kept = *link;
    if (kept != NULL)
        *link = kept->next;
    pthread_mutex_unlock(&devices->lock);
    return kept;
}

void devices_give(struct devices *devices, struct kept *kept)
{
    if (devices == NULL) {
        kept->close(kept);
        return;
    }
    pthread_mutex_lock(&devices->lock);
    kept->next = devices->first;
    devices->first = kept;
    pthread_mutex_unlock(&devices->lock);
}

void devices_clear(struct devices *devices, unsigned device)
{
    struct kept *kept;

    while ((kept = devices_take(devices, device)) != NULL)
        kept->close(kept);
}

void devices_end(struct devices *devices)
{
    if (devices == NULL)
        return;
    while (devices->first != NULL) {
        struct kept *kept = devices->first;

        devices->first = kept->next;
        kept->close(kept);
    }
    pthread_mutex_destroy(&devices->lock);
    free(devices);
}
