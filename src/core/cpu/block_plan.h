/* SPDX-License-Identifier: MIT */
/* How a setup is processed by the cpu engine: the plan of its blocks, and the stretches of frames
 * that follow it. */
#ifndef GPUENV_CPU_BLOCK_PLAN_H
#define GPUENV_CPU_BLOCK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "cpu/tally.h"
#include "engine/emit.h"
#include "engine/engine.h"

enum {
    /* Bytes of values in a block: those of one channel, so that a few planes fit in the L1 cache,
     * and those of all channels, which fit in the L2 cache, so that each has enough frames. */
    PLANE_BYTES = 8 * 1024,
    BLOCK_BYTES = 128 * 1024,
    BLOCK_CHANNELS = 256,     /* with more channels, a plan is wide */
    ACROSS_BYTES = 64 * 1024, /* bytes of a block whose channels slide across */
    ACROSS_CHANNELS = 8,      /* the fewest channels that slide across */

    /* The widest window of a stateless stretch: for samples of a byte, and for samples that are
     * decoded, which each block does again. */
    STATELESS_WIDTH = 128,
    STATELESS_DECODED = 10,
};

/* Where planes lie in the scratch memory of one thread, which is as large as the setup needs.
 * Decoded frames lie at 0. */
struct scratch_plan {
    size_t bytes;
    size_t plane; /* bytes of one plane; a multiple of 64, and so are the places */
    size_t samples;
    size_t low;
    size_t high;
    size_t places; /* places of extremes: a channel's low side, then its high side */
    size_t values;
    size_t value; /* bytes of a plane of values */
};

/* How a setup is processed, decided once. */
struct block_plan {
    struct engine_setup setup;
    const struct cpu_kernels *kernels;
    size_t value_bytes;  /* bytes of a result */
    size_t sample_bytes; /* bytes of a decoded sample */
    unsigned sides;      /* the sides that the sliders compute */
    bool pairs;          /* the minimum and the maximum are wanted, as they are */
    bool magnitudes;     /* only `abs` is wanted: the maximum of magnitudes suffices */

    /* A channel state is a tally if `sums` is set, a hopper if `hops` is, otherwise a slider. With
     * `finds`, hoppers and sliders also give places. */
    bool sums;
    bool hops;
    bool finds;

    const struct cpu_kernels *across; /* kernels that slide across channels; may be NULL */
    unsigned state_channels;          /* channels of a state; the last state may share some */
    bool wide;                        /* so many channels that each is decoded separately */
    size_t frames;                    /* frames that are processed at a time */
    uint64_t presence;                /* the offset of `struct presence` in a channel state */
    uint64_t state_bytes;             /* bytes of a channel state; UINT64_MAX on overflow */
    struct channel_samples of;        /* how tallies add samples */
    struct scratch_plan scratch;
};

/* Makes the setup's values a compact kind, the samples themselves, where the kernels of `isa` have
 * that kind and it changes no result: for positions, and for minima and maxima that are written as
 * `result` if that is the samples' type. Where places need more than 8 bits, samples of 8 bits
 * become values of 16. */
void block_keep_samples(struct engine_setup *setup, const char *isa, struct sample_type result);

/* Makes the plan. `kernels` are the kernels of the setup's value. */
void block_plan(struct block_plan *plan, const struct engine_setup *setup,
                const struct cpu_kernels *kernels);

/* Do channels that slide across need no decoding? Their frames are `frame` bytes apart. */
bool block_has_values(const struct block_plan *plan, const unsigned char *frames, size_t frame);

/* Is this emit the unchanged `side` of the slider? */
bool block_has_side(const struct block_plan *plan, unsigned item, enum emit side);

/* The number of channel states. */
static inline unsigned block_states(const struct block_plan *plan)
{
    return (plan->setup.channels - 1) / plan->state_channels + 1;
}

/* The memory of all channel states: state_bytes for each. UINT64_MAX on overflow. */
uint64_t block_states_bytes(const struct block_plan *plan);

/* A stretch: consecutive frames, in the stream or past its end. */
struct stretch {
    const unsigned char *frames; /* raw frames; NULL for windows past the end */
    size_t gap;                  /* bytes between frames, if the channels slide across */
    bool stateless; /* the channels slide across, and up to a window's width of earlier frames, as
                       far as they exist, lie before these in memory; `frames` is where the first
                       frame belongs, even past the end */
    struct piece piece;
    uint64_t stream_frames; /* frames in the stream so far, including these */

    /* The channels: `state_channels` or more, the first of which begins a channel state. */
    unsigned channel_first;
    unsigned channel_end;

    struct emit_out out; /* only the channel states are updated if item[0] is NULL */
};

#endif
