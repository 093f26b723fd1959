/* SPDX-License-Identifier: MIT */
/* A fake engine that works as another one does, or fails at any of its calls. */
#ifndef GPUENV_TESTS_JOB_FAKE_ENGINE_H
#define GPUENV_TESTS_JOB_FAKE_ENGINE_H

#include "job/fakes.h"

enum { FLYING = 3 }; /* chunks that may be in flight */

/* How the engine behaves, and what happened to it. */
static struct {
    const struct engine_class *like;
    bool open_fails;
    int submit_fails_at; /* from 1 */
    int collect_fails_at;
    atomic_int submits;
    atomic_int collects;
    struct chunk *flying[FLYING];
    atomic_int engines; /* open */
    atomic_uint given;  /* engines that were asked for pages to give away */
} fake;

static struct engine_class fake_engine;

static int engine_open(const struct machine *machine, const struct engine_setup *setup,
                       uint64_t start, struct engine **engine, struct error *error)
{
    int failed;

    atomic_fetch_add(&fake.given, setup->gives_pages);
    if (fake.open_fails)
        return error_set(error, ERROR_DEVICE, "fake", "open failed");
    failed = fake.like->open(machine, setup, start, engine, error);
    if (failed == 0)
        atomic_fetch_add(&fake.engines, 1);
    return failed;
}

static void engine_close(struct engine *engine)
{
    fake.like->close(engine);
    atomic_fetch_sub(&fake.engines, 1);
}

static int engine_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const int number = atomic_fetch_add(&fake.submits, 1);

    if (number + 1 == fake.submit_fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "submit failed");
    fake.flying[number % FLYING] = chunk;
    return fake.like->submit(engine, chunk, error);
}

static int engine_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const int number = atomic_fetch_add(&fake.collects, 1);

    if (number + 1 == fake.collect_fails_at)
        return error_set(error, ERROR_RESOURCE, "fake", "collect failed");
    if (fake.flying[number % FLYING] != chunk)
        return error_set(error, ERROR_RESOURCE, "fake", "this is not the oldest chunk");
    return fake.like->collect(engine, chunk, error);
}

static void reset_engine(const struct engine_class *like)
{
    reset_fakes();
    fake_engine = *like;
    fake_engine.name = "fake";
    fake_engine.open = engine_open;
    fake_engine.close = engine_close;
    fake_engine.in_flight = FLYING;
    fake_engine.submit = engine_submit;
    fake_engine.collect = engine_collect;
    fake.like = like;
    fake.open_fails = false;
    fake.submit_fails_at = fake.collect_fails_at = 0;
    atomic_store(&fake.submits, 0);
    atomic_store(&fake.collects, 0);
}

#endif
