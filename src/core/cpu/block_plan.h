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
    PLANE_BYTES =
        8 * 1024, /* of values, of one channel at a time; a few planes fit in the L1 cache */
    BLOCK_BYTES = 128 * 1024, /* the same for all channels: in the L2 cache, so that many channels
                               * have enough frames each */
    BLOCK_CHANNELS = 256,     /* with more channels, a plan is wide */
    ACROSS_BYTES = 64 * 1024, /* of a block whose channels slide across */
    ACROSS_CHANNELS = 8,      /* from so many on, channels slide across */
    STATELESS_WIDTH = 128,    /* of the widest window for a stateless stretch of bytes, */
    STATELESS_DECODED = 10,   /* and for one that is decoded: again for each block */
};

/* Where planes lie in the scratch memory of one thread, which is as large as the setup needs. */
struct scratch_plan {
    size_t bytes;
    size_t plane; /* bytes of one plane; a multiple of 64, and so are the places */
    size_t samples;
    size_t low;
    size_t high;
    size_t places; /* of extremes: the low side, then the high side of a channel */
    size_t values; /* at 0: decoded frames */
    size_t value;  /* bytes of a plane of values */
};

/* How a setup is processed, decided once. */
struct block_plan {
    struct engine_setup setup;
    const struct cpu_kernels *kernels;
    size_t value_bytes;               /* of a result; */
    size_t sample_bytes;              /* of a sample that is decoded */
    unsigned sides;                   /* computed by the sliders */
    bool pairs;                       /* the minimum and the maximum are wanted, as they are */
    bool magnitudes;                  /* only `abs` is wanted: the maximum of magnitudes suffices */
    bool sums;                        /* channel states are tallies, */
    bool hops;                        /* or hoppers; otherwise sliders; */
    bool finds;                       /* with places */
    const struct cpu_kernels *across; /* which slide across channels; NULL: none */
    unsigned state_channels;          /* of a channel state; the last one may share some */
    bool wide;                        /* so many channels that each is decoded separately */
    size_t frames;                    /* at a time */
    uint64_t presence;                /* where in a channel state its count of samples is, */
    uint64_t state_bytes;             /* and the bytes of one; UINT64_MAX on overflow */
    struct channel_samples of;        /* of tallies */
    struct scratch_plan scratch;
};

/* Makes the samples themselves the values of a setup for this engine, a compact kind, where the
 * kernels of `isa` have it and that changes no result: positions, or minima and maxima that are
 * written as `result`, which is the samples' type. Where a place of 8 bits would not do, samples
 * become values of 16 bits. */
void block_keep_samples(struct engine_setup *setup, const char *isa, struct sample_type result);

/* `kernels` are those of the setup's value. */
void block_plan(struct block_plan *plan, const struct engine_setup *setup,
                const struct cpu_kernels *kernels);

/* Do channels that slide across need no decoding? Their frames are `frame` bytes apart. */
bool block_has_values(const struct block_plan *plan, const unsigned char *frames, size_t frame);

/* Is this emit a side of the slider, as it is? */
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
    const unsigned char *frames; /* raw; NULL: windows past the end */
    size_t gap;                  /* bytes between frames, if the channels slide across */
    bool stateless; /* then also: all frames that there are before these, up to a window's width,
                     * are before them in memory, and `frames` is where the first one belongs even
                     * if it is past the end */
    struct piece piece;
    uint64_t stream_frames; /* in the stream so far, including these */
    unsigned channel_first; /* the first of a channel state; these have `state_channels` or more */
    unsigned channel_end;
    struct emit_out out; /* item[0] NULL: only updates the channel states */
};

#endif
