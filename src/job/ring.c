#include "job/ring_priv.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t changed[STAGES]; /* the stage may have something to do */
    unsigned slots;
    struct flag stop_flag; /* raised under `lock` */

    /* All under `lock`. Counts only grow; slot number n lies at index n % slots. */
    uint64_t taken[STAGES];
    uint64_t passed[STAGES];
    bool waiting[STAGES];
    bool ended[STAGES];
    bool stopped[STAGES]; /* a later stage has ended */
    double waited[STAGES];
};

struct ring *ring_open(unsigned slots)
{
    struct ring *ring = calloc(1, sizeof *ring);

    if (ring == NULL)
        return NULL;
    ring->slots = slots;
    if (flag_open(&ring->stop_flag) != 0) {
        int number = errno;

        free(ring);
        errno = number;
        return NULL;
    }
    pthread_mutex_init(&ring->lock, NULL);
    for (unsigned i = 0; i < STAGES; i++)
        pthread_cond_init(&ring->changed[i], NULL);
    return ring;
}

void ring_close(struct ring *ring)
{
    for (unsigned i = 0; i < STAGES; i++)
        pthread_cond_destroy(&ring->changed[i]);
    pthread_mutex_destroy(&ring->lock);
    flag_close(&ring->stop_flag);
    free(ring);
}

static enum stage stage_after(enum stage stage)
{
    return stage == STAGE_WRITER ? STAGE_READER : (enum stage)(stage + 1);
}

/* How many slots the stage may have taken in all so far. */
static uint64_t takeable(const struct ring *ring, enum stage stage)
{
    if (stage == STAGE_READER)
        return ring->passed[STAGE_WRITER] + ring->slots;
    return ring->passed[stage - 1];
}

static bool nothing_more(const struct ring *ring, enum stage stage)
{
    return ring->stopped[stage] || (stage != STAGE_READER && ring->ended[stage - 1]);
}

int ring_take(struct ring *ring, enum stage stage)
{
    int slot = -1;

    pthread_mutex_lock(&ring->lock);
    if (ring->taken[stage] == takeable(ring, stage) && !nothing_more(ring, stage)) {
        double from = clock_seconds();

        ring->waiting[stage] = true;
        while (ring->taken[stage] == takeable(ring, stage) && !nothing_more(ring, stage))
            pthread_cond_wait(&ring->changed[stage], &ring->lock);
        ring->waiting[stage] = false;
        ring->waited[stage] += clock_seconds() - from;
    }
    if (!ring->stopped[stage] && ring->taken[stage] < takeable(ring, stage))
        slot = (int)(ring->taken[stage]++ % ring->slots);
    pthread_mutex_unlock(&ring->lock);
    return slot;
}

bool ring_can_take(struct ring *ring, enum stage stage)
{
    bool can;

    pthread_mutex_lock(&ring->lock);
    can = !ring->stopped[stage] && ring->taken[stage] < takeable(ring, stage);
    pthread_mutex_unlock(&ring->lock);
    return can;
}

void ring_pass(struct ring *ring, enum stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->passed[stage]++;
    pthread_cond_signal(&ring->changed[stage_after(stage)]);
    pthread_mutex_unlock(&ring->lock);
}

void ring_end(struct ring *ring, enum stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->ended[stage] = true;
    pthread_cond_signal(&ring->changed[stage_after(stage)]);
    for (int before = (int)stage - 1; before >= 0; before--) {
        ring->stopped[before] = true;
        pthread_cond_signal(&ring->changed[before]);
    }
    if (!ring->ended[STAGE_READER])
        flag_raise(&ring->stop_flag);
    pthread_mutex_unlock(&ring->lock);
}

bool ring_is_hungry(struct ring *ring, enum stage stage)
{
    enum stage next = stage_after(stage);
    bool hungry;

    pthread_mutex_lock(&ring->lock);
    hungry = ring->waiting[next] && ring->taken[next] == takeable(ring, next);
    pthread_mutex_unlock(&ring->lock);
    return hungry;
}

int ring_stop_fd(const struct ring *ring)
{
    return ring->stop_flag.wait;
}

double ring_waited(struct ring *ring, enum stage stage)
{
    double waited;

    pthread_mutex_lock(&ring->lock);
    waited = ring->waited[stage];
    pthread_mutex_unlock(&ring->lock);
    return waited;
}
