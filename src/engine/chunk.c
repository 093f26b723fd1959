#include "engine/engine.h"

static void place(struct chunk *chunk, const struct engine_setup *setup, uint64_t first,
                  uint64_t count)
{
    chunk->piece = piece_make(&setup->window, first, count);
    chunk->out_frames = setup->emits.count > 0 ? (size_t)chunk->piece.pick.kept : 0;
}

void chunk_place(struct chunk *chunk, const struct engine_setup *setup, uint64_t from)
{
    chunk->stream_frames = from + chunk->in_frames;
    place(chunk, setup, from, chunk->in_frames);
}

void chunk_place_tail(struct chunk *chunk, const struct engine_setup *setup, uint64_t frames,
                      uint64_t first, uint64_t count)
{
    chunk->in_frames = 0;
    chunk->stream_frames = frames;
    place(chunk, setup, first, count);
}

void chunk_mute(struct chunk *chunk)
{
    chunk->piece.pick = (struct window_pick){0, 0};
    chunk->out_frames = 0;
}
