/* job/ring: order, bounds, ends and failures, with real threads. */
#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "job/ring_priv.h"

enum { SLOTS = 3, ROUNDS = 20000 };

struct belt {
    struct ring *ring;
    int values[SLOTS];
    int read;
    int written;
    int fail_at; /* the writer fails at this value; -1: never */
    int held;    /* slots that the engine takes before it passes on the first */
};

static bool readable(int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};

    return poll(&one, 1, 0) == 1;
}

static void *reader(void *context)
{
    struct belt *belt = context;
    int slot;

    while (belt->read < ROUNDS && (slot = ring_take(belt->ring, STAGE_READER)) >= 0) {
        belt->values[slot] = belt->read++;
        ring_pass(belt->ring, STAGE_READER);
    }
    ring_end(belt->ring, STAGE_READER);
    return NULL;
}

static void *engine(void *context)
{
    struct belt *belt = context;
    int held[SLOTS];
    int count = 0;
    bool over = false;

    while (!over || count > 0) {
        if (!over && count < belt->held &&
            (count == 0 || ring_can_take(belt->ring, STAGE_ENGINE))) {
            int slot = ring_take(belt->ring, STAGE_ENGINE);

            if (slot < 0)
                over = true;
            else
                held[count++] = slot;
        } else {
            belt->values[held[0]] *= 2;
            ring_pass(belt->ring, STAGE_ENGINE);
            memmove(held, held + 1, sizeof held - sizeof *held);
            count--;
        }
    }
    ring_end(belt->ring, STAGE_ENGINE);
    return NULL;
}

static void *writer(void *context)
{
    struct belt *belt = context;
    int slot;

    while ((slot = ring_take(belt->ring, STAGE_WRITER)) >= 0) {
        if (belt->written == belt->fail_at)
            break;
        CHECK(belt->values[slot] == belt->written * 2);
        belt->written++;
        ring_pass(belt->ring, STAGE_WRITER);
    }
    ring_end(belt->ring, STAGE_WRITER);
    return NULL;
}

static void run_belt(int fail_at, int held)
{
    struct belt belt = {.ring = ring_open(SLOTS), .fail_at = fail_at, .held = held};
    pthread_t threads[3];

    CHECK(belt.ring != NULL);
    if (belt.ring == NULL)
        return;
    CHECK(!readable(ring_stop_fd(belt.ring)));
    CHECK(pthread_create(&threads[0], NULL, reader, &belt) == 0);
    CHECK(pthread_create(&threads[1], NULL, engine, &belt) == 0);
    CHECK(pthread_create(&threads[2], NULL, writer, &belt) == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (fail_at < 0) {
        CHECK(belt.written == ROUNDS);
        CHECK(!readable(ring_stop_fd(belt.ring)));
    } else {
        CHECK(belt.written == fail_at && belt.read < ROUNDS);
        CHECK(readable(ring_stop_fd(belt.ring)));
    }
    CHECK(ring_waited(belt.ring, STAGE_WRITER) >= 0);
    ring_close(belt.ring);
}

int main(void)
{
    run_belt(-1, 1);
    run_belt(-1, 2);
    run_belt(-1, 3);
    run_belt(0, 1);
    run_belt(100, 2);
    return check_result();
}
