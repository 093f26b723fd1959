/* SPDX-License-Identifier: MIT */
/* The engine for runs without output frames: it accepts every chunk and computes nothing. */
#include <errno.h>
#include <stdlib.h>

#include "engine/engine.h"

struct engine {
    struct engine_setup setup;
};

static uint64_t none_memory(const struct machine *machine, const struct engine_setup *setup)
{
    (void)machine;
    (void)setup;
    return 0;
}

static int none_open(const struct machine *machine, const struct engine_setup *setup,
                     uint64_t start, struct engine **engine, struct error *error)
{
    (void)machine;
    (void)start;
    *engine = malloc(sizeof **engine);
    if (*engine == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
    (*engine)->setup = *setup;
    return 0;
}

static void none_close(struct engine *engine)
{
    free(engine);
}

static void none_restart(struct engine *engine, uint64_t start)
{
    (void)engine;
    (void)start;
}

static void none_describe(const struct engine *engine, char *text, size_t size)
{
    (void)engine;
    if (size > 0)
        text[0] = '\0';
}

const struct engine_class engine_none = {
    .name = "none",
    .chunk_bytes = ENGINE_CHUNK_BYTES,
    .in_flight = 1,
    .memory = none_memory,
    .open = none_open,
    .close = none_close,
    .restart = none_restart,
    .describe = none_describe,
    .attach = plain_attach,
    .detach = plain_detach,
    .submit = plain_collect, /* does nothing */
    .collect = plain_collect,
};
