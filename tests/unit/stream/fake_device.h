/* A fake device that helps, fails at any of its calls, hangs, starts too late or does not help; and
 * cores that wait for it. It is based on the cpu engine. For tests of devices next to the cores. */
#ifndef GPUENV_TESTS_STREAM_FAKE_DEVICE_H
#define GPUENV_TESTS_STREAM_FAKE_DEVICE_H

#include <semaphore.h>
#include <unistd.h>

#include "base/clock.h"
#include "stream/fakes.h"

enum {
    THREADS = 3,
    SUBMITS_AWAITED = 6,
    CHUNK = 30000,
    BEGUN = FRAMES / 4, /* frames that a device claims if it is to begin first */
};

/* Seconds until a device that hangs counts as hung. Others may have to wait for a busy machine. */
static const double PATIENCE = 0.5;
static const double PATIENCE_IF_BUSY = 20;

/* Seconds that the cores wait for the first chunk of a device, and then for each of the next. */
static const double FIRST_AWAITED = 10;
static const double NEXT_AWAITED = 0.5;

/* How the device behaves, and what happened to it. */
static struct {
    int open_fails;
    int submit_fails_at; /* from 1 */
    int collect_fails_at;
    int hangs_at;              /* at this submit, until `go` */
    atomic_int comes_back;     /* from a hang, when the cores take over; 2: it is returning */
    int waits_to_open;         /* until `go` */
    void (*spend_start)(void); /* what else it does while it opens */
    double awaited;            /* how many seconds the cores wait for the first chunk */
    _Atomic double until;      /* they stop waiting then */
    sem_t go;
    int is_drag; /* it slows the cores down */
    atomic_int submits;
    atomic_int collects;
    atomic_int gone;    /* failed, or about to hang */
    atomic_int engines; /* open, or being opened */
    atomic_uint given;  /* devices that were asked for pages to give away */
} fake;

static struct engine_class device_class;
static struct engine_class gated_class;

static int device_open(const struct machine *machine, const struct engine_setup *setup,
                       uint64_t start, struct engine **engine, struct error *error)
{
    int result;

    atomic_fetch_add(&fake.engines, 1);
    atomic_fetch_add(&fake.given, setup->gives_pages);
    if (fake.spend_start != NULL)
        fake.spend_start();
    if (fake.waits_to_open)
        sem_wait(&fake.go);
    if (fake.open_fails) {
        atomic_store(&fake.gone, 1);
        result = error_set(error, ERROR_DEVICE, "fake", "no device");
    } else {
        result = engine_cpu.open(machine, setup, start, engine, error);
    }
    if (result != 0)
        atomic_fetch_sub(&fake.engines, 1);
    return result;
}

static void device_close(struct engine *engine)
{
    engine_cpu.close(engine);
    atomic_fetch_sub(&fake.engines, 1);
}

static int device_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    int call = atomic_fetch_add(&fake.submits, 1) + 1;

    atomic_store(&fake.until, clock_seconds() + NEXT_AWAITED);
    if (call == fake.hangs_at) {
        atomic_store(&fake.gone, 1);
        sem_wait(&fake.go);
    }
    if (call == fake.submit_fails_at) {
        atomic_store(&fake.gone, 1);
        return error_set(error, ERROR_RESOURCE, "fake", "submit failed");
    }
    if (fake.is_drag)
        usleep(100000);
    return engine_cpu.submit(engine, chunk, error);
}

static int device_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    if (atomic_fetch_add(&fake.collects, 1) + 1 == fake.collect_fails_at) {
        atomic_store(&fake.gone, 1);
        return error_set(error, ERROR_RESOURCE, "fake", "collect failed");
    }
    return engine_cpu.collect(engine, chunk, error);
}

/* For a core that has taken over one of the device's pieces: the device returns and leaves before
 * the cores take the others. */
static void let_come_back(const struct chunk *chunk)
{
    int one = 1;

    if (chunk->piece.first >= BEGUN)
        return;
    if (atomic_compare_exchange_strong(&fake.comes_back, &one, 2))
        sem_post(&fake.go);
    for (int i = 0; i < 10000 && atomic_load(&fake.engines) > 0; i++)
        usleep(200);
}

/* A device that returns must begin before the cores. */
static int gated_open(const struct machine *machine, const struct engine_setup *setup,
                      uint64_t start, struct engine **engine, struct error *error)
{
    while (atomic_load(&fake.comes_back) && !atomic_load(&fake.gone))
        usleep(200);
    return engine_cpu.open(machine, setup, start, engine, error);
}

/* The cores wait until the device has submitted, or until a timeout. */
static int gated_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    while (atomic_load(&fake.submits) < SUBMITS_AWAITED && !atomic_load(&fake.gone) &&
           clock_seconds() < atomic_load(&fake.until))
        usleep(200);
    if (atomic_load(&fake.comes_back))
        let_come_back(chunk);
    if (fake.is_drag)
        usleep(atomic_load(&fake.submits) > 0 ? 300000 : 50000);
    return engine_cpu.submit(engine, chunk, error);
}

static void make_classes(void)
{
    device_class = engine_cpu;
    device_class.name = "fake";
    device_class.open = device_open;
    device_class.close = device_close;
    device_class.in_flight = THREADS;
    device_class.submit = device_submit;
    device_class.collect = device_collect;
    gated_class = engine_cpu;
    gated_class.open = gated_open;
    gated_class.submit = gated_submit;
}

static void reset(void)
{
    reset_fakes();
    fake.open_fails = fake.submit_fails_at = fake.collect_fails_at = fake.hangs_at = 0;
    fake.waits_to_open = fake.is_drag = 0;
    fake.awaited = FIRST_AWAITED;
    atomic_store(&fake.comes_back, 0);
    atomic_store(&fake.submits, 0);
    atomic_store(&fake.collects, 0);
    atomic_store(&fake.gone, 0);
}

/* A thread that was left behind ends soon, and frees everything. */
static void wait_for_end(void)
{
    for (int i = 0; i < 10000 && atomic_load(&fake.engines) > 0; i++)
        usleep(1000);
    CHECK(atomic_load(&fake.engines) == 0);
}

#endif
