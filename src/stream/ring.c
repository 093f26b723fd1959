#include "stream/ring.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t changed[RING_STAGES]; /* there may be something for this stage */
    unsigned slots;
    int stop_fd;
    int done_fd;

    /* All under `lock`. Counts only grow; slot number n lies at index n % slots. */
    uint64_t taken[RING_STAGES];
    uint64_t passed[RING_STAGES];
    bool waiting[RING_STAGES];
    bool ended[RING_STAGES];
    bool stopped[RING_STAGES];
    double waited[RING_STAGES];
    bool failed;
    enum ring_stage failed_stage;
    struct error error;
};

/* Makes an event descriptor readable for good. */
static void raise_flag(int fd)
{
    const uint64_t one = 1;

    /* The only way to fail is a counter at its limit, which is readable too. */
    if (write(fd, &one, sizeof one) != (ssize_t)sizeof one)
        return;
}

struct ring *ring_open(unsigned slots)
{
    struct ring *ring = calloc(1, sizeof *ring);
    int saved;

    if (ring == NULL)
        return NULL;
    ring->slots = slots;
    ring->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    ring->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (ring->stop_fd < 0 || ring->done_fd < 0)
        goto error;
    pthread_mutex_init(&ring->lock, NULL);
    for (unsigned i = 0; i < RING_STAGES; i++)
        pthread_cond_init(&ring->changed[i], NULL);
    return ring;

error:
    saved = errno;
    if (ring->stop_fd >= 0)
        close(ring->stop_fd);
    free(ring);
    errno = saved;
    return NULL;
}

void ring_close(struct ring *ring)
{
    if (ring == NULL)
        return;
    for (unsigned i = 0; i < RING_STAGES; i++)
        pthread_cond_destroy(&ring->changed[i]);
    pthread_mutex_destroy(&ring->lock);
    close(ring->stop_fd);
    close(ring->done_fd);
    free(ring);
}

static enum ring_stage stage_after(enum ring_stage stage)
{
    return stage == RING_WRITER ? RING_READER : (enum ring_stage)(stage + 1);
}

/* How many slots the stage can ever have taken, by now. */
static uint64_t takeable(const struct ring *ring, enum ring_stage stage)
{
    if (stage == RING_READER)
        return ring->passed[RING_WRITER] + ring->slots;
    return ring->passed[stage - 1];
}

static bool nothing_more(const struct ring *ring, enum ring_stage stage)
{
    return ring->stopped[stage] || (stage != RING_READER && ring->ended[stage - 1]);
}

int ring_take(struct ring *ring, enum ring_stage stage)
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

bool ring_can_take(struct ring *ring, enum ring_stage stage)
{
    bool can;

    pthread_mutex_lock(&ring->lock);
    can = !ring->stopped[stage] && ring->taken[stage] < takeable(ring, stage);
    pthread_mutex_unlock(&ring->lock);
    return can;
}

void ring_pass(struct ring *ring, enum ring_stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->passed[stage]++;
    pthread_cond_signal(&ring->changed[stage_after(stage)]);
    pthread_mutex_unlock(&ring->lock);
}

void ring_end(struct ring *ring, enum ring_stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->ended[stage] = true;
    if (stage == RING_WRITER)
        raise_flag(ring->done_fd);
    else
        pthread_cond_signal(&ring->changed[stage_after(stage)]);
    pthread_mutex_unlock(&ring->lock);
}

bool ring_is_hungry(struct ring *ring, enum ring_stage stage)
{
    enum ring_stage next = stage_after(stage);
    bool hungry;

    pthread_mutex_lock(&ring->lock);
    hungry = ring->waiting[next] && ring->taken[next] == takeable(ring, next);
    pthread_mutex_unlock(&ring->lock);
    return hungry;
}

void ring_fail(struct ring *ring, enum ring_stage stage, const struct error *error)
{
    pthread_mutex_lock(&ring->lock);
    /* The later stage is at work on an earlier part of the stream. */
    if (!ring->failed || stage > ring->failed_stage) {
        ring->failed = true;
        ring->failed_stage = stage;
        ring->error = *error;
    }
    for (int before = (int)stage - 1; before >= 0; before--) {
        ring->stopped[before] = true;
        pthread_cond_signal(&ring->changed[before]);
    }
    if (stage != RING_READER)
        raise_flag(ring->stop_fd);
    pthread_mutex_unlock(&ring->lock);
}

const struct error *ring_error(const struct ring *ring)
{
    return ring->failed ? &ring->error : NULL;
}

int ring_stop_fd(const struct ring *ring)
{
    return ring->stop_fd;
}

int ring_done_fd(const struct ring *ring)
{
    return ring->done_fd;
}

double ring_waited(struct ring *ring, enum ring_stage stage)
{
    double waited;

    pthread_mutex_lock(&ring->lock);
    waited = ring->waited[stage];
    pthread_mutex_unlock(&ring->lock);
    return waited;
}
