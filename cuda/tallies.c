#include "cuda/tallies.h"

#include <stdlib.h>

#include "base/pages.h"
#include "cpu/block.h"

struct tallies {
    struct block_plan plan;
    unsigned char *states;
    unsigned char *scratch;
    uint64_t next; /* frame */
};

struct tallies *tallies_open(const struct machine *machine, const struct engine_setup *setup)
{
    struct tallies *tallies = calloc(1, sizeof *tallies);

    if (tallies == NULL)
        return NULL;
    block_plan(&tallies->plan, setup, cpu_kernels_pick(machine->isa, setup->value));
    tallies->states = pages_malloc((size_t)tallies->plan.state_bytes * setup->channels, PAGES_LINE);
    tallies->scratch = pages_malloc(tallies->plan.scratch.bytes, PAGES_LINE);
    if (tallies->states != NULL && tallies->scratch != NULL)
        return tallies;
    tallies_close(tallies);
    return NULL;
}

void tallies_close(struct tallies *tallies)
{
    if (tallies == NULL)
        return;
    free(tallies->scratch);
    free(tallies->states);
    free(tallies);
}

void tallies_restart(struct tallies *tallies, uint64_t first)
{
    block_start(&tallies->plan, tallies->states, first);
    tallies->next = first;
}

/* `count` frames, or windows past the end of the stream, from offset `done` of the chunk on. */
static void take_frames(struct tallies *tallies, const struct chunk *chunk, uint64_t done,
                        uint64_t count, struct emit_out *out)
{
    const struct engine_setup *setup = &tallies->plan.setup;
    struct stretch stretch = {
        .piece = piece_make(&setup->window, chunk->piece.first + done, count),
        .stream_frames = chunk->stream_frames,
        .channel_end = setup->channels,
        .out = *out,
    };

    if (count == 0)
        return;
    if (chunk->in_frames > 0)
        stretch.frames = chunk->in + done * engine_in_bytes(setup);
    block_run(&tallies->plan, tallies->states, tallies->scratch, &stretch);
    *out = stretch.out;
}

void tallies_take(struct tallies *tallies, const struct chunk *chunk)
{
    const struct engine_setup *setup = &tallies->plan.setup;
    struct emit_out out;
    uint64_t done = 0;

    emit_out_frames(&out, setup, chunk->piece.pick.kept > 0 ? chunk->out : NULL);
    if (chunk->piece.first > tallies->next)
        block_jump(&tallies->plan, tallies->states, chunk->piece.first);
    for (size_t i = 0; i < chunk->parts.count; i++) {
        const struct stats_part *part = &chunk->parts.part[i];

        take_frames(tallies, chunk, done, part->first - done, &out);
        if (block_take_part(&tallies->plan, tallies->states, part,
                            chunk->parts.values + i * setup->channels, &out))
            emit_out_skip(&out, setup, 1);
        done = part->first + part->frames;
    }
    take_frames(tallies, chunk, done, chunk->piece.count - done, &out);
    tallies->next = chunk->piece.first + chunk->piece.count;
}
