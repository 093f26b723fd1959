/* SPDX-License-Identifier: MIT */
/* engine/devices: each resource is taken by one taker at a time, and closed once. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/devices.h"

enum { TAKERS = 4, ROUNDS = 2000 };

struct thing {
    struct kept kept;
    atomic_int users;
};

static atomic_int made;
static atomic_int closed;
static atomic_int shared; /* resources that two takers had at one time */

static void close_thing(struct kept *kept)
{
    atomic_fetch_add(&closed, 1);
    free(kept);
}

static struct kept *make_thing(unsigned device)
{
    struct thing *thing = calloc(1, sizeof *thing);

    if (thing == NULL)
        abort();
    thing->kept = (struct kept){.device = device, .close = close_thing};
    atomic_fetch_add(&made, 1);
    return &thing->kept;
}

static void check_one(void)
{
    struct devices *devices = devices_open();
    struct kept *first = make_thing(0);
    struct kept *second = make_thing(0);

    CHECK(devices_take(devices, 0) == NULL);
    devices_give(devices, first);
    CHECK(devices_take(devices, 1) == NULL);
    devices_give(devices, second);
    CHECK(devices_take(devices, 0) == second);
    CHECK(devices_take(devices, 0) == first);
    CHECK(devices_take(devices, 0) == NULL);
    devices_give(devices, first);
    devices_give(devices, make_thing(1));
    CHECK(atomic_load(&closed) == 0);
    devices_clear(devices, 0);
    CHECK(atomic_load(&closed) == 1);
    devices_give(devices, second);
    devices_end(devices);
    CHECK(atomic_load(&closed) == 3);
}

static void check_none(void)
{
    int before = atomic_load(&closed);

    CHECK(devices_take(NULL, 0) == NULL);
    devices_give(NULL, make_thing(0));
    CHECK(atomic_load(&closed) == before + 1);
    devices_clear(NULL, 0);
    devices_end(NULL);
}

static void *take_and_give(void *context)
{
    struct devices *devices = context;

    for (int i = 0; i < ROUNDS; i++) {
        struct kept *kept = devices_take(devices, 0);

        if (kept == NULL)
            kept = make_thing(0);
        if (atomic_fetch_add(&((struct thing *)kept)->users, 1) != 0)
            atomic_fetch_add(&shared, 1);
        atomic_fetch_sub(&((struct thing *)kept)->users, 1);
        devices_give(devices, kept);
        if (i % 100 == 0)
            devices_clear(devices, 1);
    }
    return NULL;
}

static void check_threads(void)
{
    struct devices *devices = devices_open();
    pthread_t threads[TAKERS];
    int before = atomic_load(&made);

    for (int i = 0; i < TAKERS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_and_give, devices) == 0);
    for (int i = 0; i < TAKERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&shared) == 0);
    CHECK(atomic_load(&made) - before <= TAKERS);
    devices_end(devices);
    CHECK(atomic_load(&closed) == atomic_load(&made));
}

CHECK_MAIN(check_one, check_none, check_threads)
