/* A fake device that works, or fails at any of its calls. It is based on the cpu engine. */
#ifndef GPUENV_TESTS_STREAM_FAKE_DEVICE_H
#define GPUENV_TESTS_STREAM_FAKE_DEVICE_H

#include "job/fakes.h"

enum { THREADS = 3, CHUNK = 30000 };

/* How the device behaves, and what happened to it. */
static struct {
    int open_fails;
    int submit_fails_at; /* from 1 */
    int collect_fails_at;
    atomic_int submits;
    atomic_int collects;
    atomic_int engines; /* open */
    atomic_uint given;  /* devices that were asked for pages to give away */
} fake;

static struct engine_class device_class;

static int device_open(const struct machine *machine, const struct engine_setup *setup,
                       uint64_t start, struct engine **engine, struct error *error)
{
    int failed;

    atomic_fetch_add(&fake.given, setup->gives_pages);
    if (fake.open_fails)
        return error_set(error, ERROR_DEVICE, "fake", "no device");
    failed = engine_cpu.open(machine, setup, start, engine, error);
    if (failed == 0)
        atomic_fetch_add(&fake.engines, 1);
    return failed;
}

static void device_close(struct engine *engine)
{
    engine_cpu.close(engine);
    atomic_fetch_sub(&fake.engines, 1);
}

static int device_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    if (atomic_fetch_add(&fake.submits, 1) + 1 == fake.submit_fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "submit failed");
    return engine_cpu.submit(engine, chunk, error);
}

static int device_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    if (atomic_fetch_add(&fake.collects, 1) + 1 == fake.collect_fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "collect failed");
    return engine_cpu.collect(engine, chunk, error);
}

static void make_class(void)
{
    device_class = engine_cpu;
    device_class.name = "fake";
    device_class.open = device_open;
    device_class.close = device_close;
    device_class.in_flight = THREADS;
    device_class.submit = device_submit;
    device_class.collect = device_collect;
}

static void reset(void)
{
    reset_fakes();
    fake.open_fails = fake.submit_fails_at = fake.collect_fails_at = 0;
    atomic_store(&fake.submits, 0);
    atomic_store(&fake.collects, 0);
}

#endif
