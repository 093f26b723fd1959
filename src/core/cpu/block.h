/* The work of the cpu engine on one stretch of frames: decode, slide, write output frames. What a
 * channel carries from one stretch to the next is its *channel state*: a slider or a hopper. */
#ifndef GPUENV_CPU_BLOCK_H
#define GPUENV_CPU_BLOCK_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "cpu/planes.h"
#include "engine/emit.h"
#include "engine/engine.h"

enum {
    PLANE_BYTES =
        8 * 1024, /* of values, of one channel at a time; a few planes fit in the L1 cache */
    BLOCK_BYTES = 128 * 1024, /* the same for all channels: in the L2 cache, so that many channels
                               * have enough frames each */
    BLOCK_CHANNELS = 256,     /* with more channels, a plan is wide */
};

/* How a setup is processed, decided once. */
struct block_plan {
    struct engine_setup setup;
    const struct cpu_kernels *kernels;
    size_t value_bytes;
    unsigned sides;       /* computed by the sliders */
    bool magnitudes;      /* only `abs` is wanted: the maximum of magnitudes suffices */
    bool hops;            /* channel states are hoppers, otherwise sliders */
    bool wide;            /* so many channels that each is decoded separately */
    size_t frames;        /* at a time */
    uint64_t state_bytes; /* per channel state; UINT64_MAX on overflow */
};

void block_plan(struct block_plan *plan, const struct engine_setup *setup,
                const struct cpu_kernels *kernels);

/* Scratch memory of one thread. */
struct scratch {
    alignas(64) unsigned char frames[BLOCK_BYTES]; /* not for a wide plan */
    unsigned char samples[PLANES_GROUP][PLANE_BYTES];
    unsigned char low[PLANES_GROUP][PLANE_BYTES];
    unsigned char high[PLANES_GROUP][PLANE_BYTES];
    unsigned char values[PLANES_GROUP * EMIT_KINDS][PLANE_BYTES];
};

/* Restarts all channel states at frame `first` of the stream. `states` is aligned to 64 bytes and
 * has state_bytes for each channel. */
void block_start(const struct block_plan *plan, unsigned char *states, uint64_t first);

/* Continues at frame `to` of the stream, see hopper_jump(). */
void block_jump(const struct block_plan *plan, unsigned char *states, uint64_t to);

/* A stretch: consecutive frames, in the stream or past its end. */
struct stretch {
    const unsigned char *frames; /* raw; NULL: windows past the end */
    struct piece piece;
    uint64_t stream_frames; /* in the stream so far, including these */
    unsigned channel_first;
    unsigned channel_end;
    struct emit_out out; /* item[0] NULL: only updates the channel states */
};

/* Passes the stretch through the channel states and writes its output frames. */
void block_run(const struct block_plan *plan, unsigned char *states, struct scratch *scratch,
               const struct stretch *stretch);

#endif
