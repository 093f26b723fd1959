/* What engines in plain memory have in common. */
#include <errno.h>

#include "base/pages.h"
#include "engine/engine.h"

int engine_attach_plain(const struct engine_setup *setup, struct chunk *chunk, struct error *error)
{
    chunk->in = pages_borrow(setup->chunk_frames * engine_in_bytes(setup));
    chunk->out = pages_borrow(setup->chunk_frames * engine_out_bytes(setup));
    chunk->out_is_ours = true;
    if (chunk->in == NULL || chunk->out == NULL) {
        engine_detach_plain(setup, chunk);
        return error_system(error, ERROR_RESOURCE, "buffers", ENOMEM);
    }
    return 0;
}

void engine_detach_plain(const struct engine_setup *setup, struct chunk *chunk)
{
    pages_return(chunk->in, setup->chunk_frames * engine_in_bytes(setup));
    pages_return(chunk->out, setup->chunk_frames * engine_out_bytes(setup));
    chunk->in = NULL;
    chunk->out = NULL;
}

static const struct engine_setup *setup_of(const struct engine *engine)
{
    return (const struct engine_setup *)engine;
}

unsigned plain_chunks_in_flight(const struct engine *engine)
{
    (void)engine;
    return 1;
}

int plain_attach(struct engine *engine, struct chunk *chunk, struct error *error)
{
    return engine_attach_plain(setup_of(engine), chunk, error);
}

void plain_detach(struct engine *engine, struct chunk *chunk)
{
    engine_detach_plain(setup_of(engine), chunk);
}

int plain_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)engine;
    (void)chunk;
    (void)error;
    return 0;
}
