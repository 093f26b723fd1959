/* The work of the cpu engine on one stretch of frames: convert, slide, write output frames. What a
 * channel carries from one stretch to the next is its *channel state*: a slider or a hopper. */
#ifndef GPUENV_CPU_BLOCK_H
#define GPUENV_CPU_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "cpu/planes.h"
#include "engine/engine.h"

enum {
    BLOCK_FRAMES = 2048, /* at a time; a few planes of that many floats fit the first cache */
    BLOCK_FLOATS = 4096,
    BLOCK_CHANNELS = 256, /* more of them make a plan wide */
};

/* How a setup is worked on, decided once. */
struct block_plan {
    struct engine_setup setup;
    const struct cpu_kernels *kernels;
    unsigned sides;       /* that the sliders compute */
    bool magnitudes;      /* only `abs` is wanted: the maximum of magnitudes will do */
    bool hops;            /* channel states are hoppers, else sliders */
    bool wide;            /* so many channels that each is converted by itself */
    size_t frames;        /* at a time */
    uint64_t state_bytes; /* of one channel state; UINT64_MAX: too many */
};

void block_plan(struct block_plan *plan, const struct engine_setup *setup,
                const struct cpu_kernels *kernels);

/* Scratch memory of one thread. */
struct scratch {
    float frames[BLOCK_FLOATS]; /* not where the plan is wide */
    float samples[PLANES_GROUP][BLOCK_FRAMES];
    float low[PLANES_GROUP][BLOCK_FRAMES];
    float high[PLANES_GROUP][BLOCK_FRAMES];
    float values[PLANES_GROUP * EMIT_KINDS][BLOCK_FRAMES];
};

/* Starts all channel states anew, at frame `first` of the stream. `states` lies on a 64-byte
 * boundary and has state_bytes for each channel. */
void block_start(const struct block_plan *plan, unsigned char *states, uint64_t first);

/* Goes on at frame `to` of the stream, see hopper_jump(). */
void block_jump(const struct block_plan *plan, unsigned char *states, uint64_t to);

/* A stretch: frames in a row, of the stream or past its end. */
struct stretch {
    const unsigned char *frames; /* raw; NULL: windows past the end */
    struct piece piece;
    uint64_t stream_frames; /* in the stream so far, these included */
    unsigned channel_first;
    unsigned channel_end;
    float *out; /* the first output frame; NULL: only takes in */
};

/* Takes the stretch into the channel states and writes its output frames. */
void block_run(const struct block_plan *plan, unsigned char *states, struct scratch *scratch,
               const struct stretch *stretch);

#endif
