/* SPDX-License-Identifier: MIT */
/* Functions that engines share: the positions of chunks, and engines in plain memory. */
#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>

#include "base/pages.h"

static void set_piece(struct chunk *chunk, const struct engine_setup *setup, uint64_t first,
                      uint64_t count)
{
    chunk->piece = piece_make(&setup->window, first, count);
    chunk->out_frames = setup->emits.count > 0 ? (size_t)chunk->piece.pick.kept : 0;
}

void chunk_place(struct chunk *chunk, const struct engine_setup *setup, uint64_t from)
{
    chunk->stream_frames = from + chunk->in_frames;
    set_piece(chunk, setup, from, chunk->in_frames);
}

void chunk_place_tail(struct chunk *chunk, const struct engine_setup *setup, uint64_t frames,
                      uint64_t first, uint64_t count)
{
    chunk->in_frames = 0;
    chunk->stream_frames = frames;
    set_piece(chunk, setup, first, count);
}

void chunk_mute(struct chunk *chunk)
{
    chunk->piece.pick = (struct window_pick){0, 0};
    chunk->out_frames = 0;
}

/* ---- plain memory */

int plain_attach(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const struct engine_setup *setup = (const struct engine_setup *)engine;

    chunk->in = pages_malloc(setup->chunk_frames * engine_in_bytes(setup), PAGES_LINE);
    chunk->out = pages_malloc(setup->chunk_frames * engine_out_bytes(setup), PAGES_LINE);
    chunk->out_is_ours = true;
    if (chunk->in == NULL || chunk->out == NULL) {
        plain_detach(engine, chunk);
        return error_system(error, ERROR_RESOURCE, "buffers", ENOMEM);
    }
    return 0;
}

void plain_detach(struct engine *engine, struct chunk *chunk)
{
    (void)engine;
    free(chunk->in);
    free(chunk->out);
    chunk->in = NULL;
    chunk->out = NULL;
}

int plain_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)engine;
    (void)chunk;
    (void)error;
    return 0;
}
