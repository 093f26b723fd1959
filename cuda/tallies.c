/* SPDX-License-Identifier: MIT */
#include "cuda/tallies.h"

#include <stdlib.h>

#include "base/pages.h"
#include "cpu/block.h"

struct tallies {
    struct block_plan plan;
    unsigned char *states;
    unsigned char *scratch;
    uint64_t next; /* next frame */
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

void tallies_take(struct tallies *tallies, const struct chunk *chunk)
{
    const struct engine_setup *setup = &tallies->plan.setup;
    struct stretch stretch = {
        .frames = chunk->in_frames > 0 ? chunk->in : NULL,
        .piece = chunk->piece,
        .stream_frames = chunk->stream_frames,
        .channel_end = setup->channels,
    };

    emit_out_frames(&stretch.out, setup, chunk->piece.pick.kept > 0 ? chunk->out : NULL);
    if (chunk->piece.first > tallies->next)
        block_jump(&tallies->plan, tallies->states, chunk->piece.first);
    block_run(&tallies->plan, tallies->states, tallies->scratch, &stretch);
    tallies->next = chunk->piece.first + chunk->piece.count;
}
