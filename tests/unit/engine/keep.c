/* engine/keep: what is given back is taken again, by one taker only, and closed once. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/keep.h"

enum { TAKERS = 4, ROUNDS = 2000 };

struct thing {
    struct kept kept;
    atomic_int users;
};

static atomic_int made;
static atomic_int closed;
static atomic_int shared; /* things that two had at one time */

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

static double warm_start(struct keep *keep, unsigned device)
{
    double seconds = 7;

    return keep_find_start(keep, device, &seconds) ? seconds : -1;
}

/* The first start says nothing of those after it, whenever it ends. */
static void check_starts(void)
{
    struct keep *keep = keep_open();

    CHECK(warm_start(keep, 1) < 0);
    keep_note_start(keep, 1, false, 0.3);
    CHECK(warm_start(keep, 1) == 7);
    CHECK(warm_start(keep, 0) < 0);
    keep_note_start(keep, 1, true, 0.02);
    keep_note_start(keep, 1, false, 0.001);
    keep_note_start(keep, 1, true, 0.5);
    CHECK(warm_start(keep, 1) == 0.02);
    keep_note_start(keep, 1, true, 0.01);
    CHECK(warm_start(keep, 1) == 0.01);
    keep_note_start(keep, 1000, false, 0.3);
    CHECK(warm_start(keep, 1000) < 0);
    keep_note_start(NULL, 1, false, 0.3);
    CHECK(warm_start(NULL, 1) < 0);
    keep_end(keep);
}

/* The first start is one stream's; later ones are anybody's. */
static void check_begun(void)
{
    struct keep *keep = keep_open();

    CHECK(keep_begin_start(keep, 1));
    CHECK(!keep_begin_start(keep, 1));
    CHECK(keep_begin_start(keep, 0));
    keep_end_start(keep, 1);
    CHECK(keep_begin_start(keep, 1));
    keep_note_start(keep, 1, false, 0.3);
    CHECK(keep_begin_start(keep, 1) && keep_begin_start(keep, 1));
    CHECK(keep_begin_start(keep, 1000) && keep_begin_start(keep, 1000));
    CHECK(keep_begin_start(NULL, 1) && keep_begin_start(NULL, 1));
    keep_end_start(NULL, 1);
    CHECK(keep_add_cores(keep, 3) == 3 && keep_add_cores(keep, -2) == 1);
    CHECK(keep_add_cores(NULL, 3) == 0);
    keep_end(keep);
}

/* What was noted last, of each device; nothing once it did not help. */
static void check_cost(void)
{
    const struct keep_cost dear = {.kind = 1, .channels = 2, .all = 3, .reading = 1, .writing = 1};
    struct keep *keep = keep_open();
    struct keep_cost found;

    CHECK(!keep_find_cost(keep, 1, &found));
    keep_note_cost(keep, 1, &dear);
    CHECK(!keep_find_cost(keep, 0, &found));
    CHECK(keep_find_cost(keep, 1, &found) && found.all == 3 && found.channels == 2);
    keep_note_cost(keep, 1, NULL);
    CHECK(!keep_find_cost(keep, 1, &found));
    keep_note_cost(keep, 1000, &dear);
    CHECK(!keep_find_cost(keep, 1000, &found));
    keep_note_cost(NULL, 1, &dear);
    CHECK(!keep_find_cost(NULL, 1, &found));
    keep_end(keep);
}

/* One that does start after all is worth a start again. */
static void check_given_up(void)
{
    struct keep *keep = keep_open();

    CHECK(!keep_has_given_up(keep, 1));
    keep_give_up(keep, 1);
    CHECK(keep_has_given_up(keep, 1));
    CHECK(!keep_has_given_up(keep, 0));
    CHECK(warm_start(keep, 1) < 0);
    keep_note_start(keep, 1, false, 0.3);
    CHECK(!keep_has_given_up(keep, 1));
    keep_give_up(keep, 1000);
    CHECK(!keep_has_given_up(keep, 1000));
    keep_give_up(NULL, 1);
    CHECK(!keep_has_given_up(NULL, 1));
    keep_end(keep);
}

static void check_one(void)
{
    struct keep *keep = keep_open();
    struct kept *first = make_thing(0);
    struct kept *second = make_thing(0);

    CHECK(keep_take(keep, 0) == NULL);
    keep_give(keep, first);
    CHECK(keep_take(keep, 1) == NULL);
    keep_give(keep, second);
    CHECK(keep_take(keep, 0) == second);
    CHECK(keep_take(keep, 0) == first);
    CHECK(keep_take(keep, 0) == NULL);
    keep_give(keep, first);
    keep_give(keep, make_thing(1));
    CHECK(atomic_load(&closed) == 0);
    keep_clear(keep, 0);
    CHECK(atomic_load(&closed) == 1);
    CHECK(keep_hold(keep) == keep);
    keep_end(keep);
    CHECK(atomic_load(&closed) == 2);
    /* It comes back when the owner has gone. */
    keep_give(keep, second);
    CHECK(atomic_load(&closed) == 3);
    CHECK(keep_take(keep, 0) == NULL);
    keep_drop(keep);
}

static void check_none(void)
{
    int before = atomic_load(&closed);

    CHECK(keep_take(NULL, 0) == NULL);
    keep_give(NULL, make_thing(0));
    CHECK(atomic_load(&closed) == before + 1);
    CHECK(keep_hold(NULL) == NULL);
    keep_clear(NULL, 0);
    keep_drop(NULL);
    keep_end(NULL);
}

static void *take_and_give(void *context)
{
    struct keep *keep = context;

    for (int i = 0; i < ROUNDS; i++) {
        struct kept *kept = keep_take(keep, 0);

        if (kept == NULL)
            kept = make_thing(0);
        if (atomic_fetch_add(&((struct thing *)kept)->users, 1) != 0)
            atomic_fetch_add(&shared, 1);
        atomic_fetch_sub(&((struct thing *)kept)->users, 1);
        keep_give(keep, kept);
        if (i % 100 == 0)
            keep_clear(keep, 1);
    }
    keep_drop(keep);
    return NULL;
}

static void check_threads(void)
{
    struct keep *keep = keep_open();
    pthread_t threads[TAKERS];
    int before;

    for (int i = 0; i < TAKERS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_and_give, keep_hold(keep)) == 0);
    keep_end(keep);
    for (int i = 0; i < TAKERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&shared) == 0);
    CHECK(atomic_load(&closed) == atomic_load(&made));

    keep = keep_open();
    before = atomic_load(&made);
    for (int i = 0; i < TAKERS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_and_give, keep_hold(keep)) == 0);
    for (int i = 0; i < TAKERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&made) - before <= TAKERS);
    keep_end(keep);
    CHECK(atomic_load(&closed) == atomic_load(&made));
}

int main(void)
{
    check_starts();
    check_begun();
    check_cost();
    check_given_up();
    check_one();
    check_none();
    check_threads();
    return check_result();
}
