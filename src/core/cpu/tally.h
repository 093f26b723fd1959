/* SPDX-License-Identifier: MIT */
/* The channel state where values made of sums are wanted. A window is a run of blocks, each as long
 * as the hop, that begin where windows begin; where the hop is the width, it is one block.
 *
 * The values of a block equal the statistics of its frames bit for bit, because its samples are
 * added in a summation tree (cpu/tree.h). The sums of a window are those of its blocks, added from
 * the oldest on. */
#ifndef GPUENV_CPU_TALLY_H
#define GPUENV_CPU_TALLY_H

#include "cpu/channel.h"
#include "engine/emit.h"

enum {
    TALLY_BLOCKS_MOST = 4096, /* the most blocks of a window */
    TALLY_TOGETHER = 8,       /* windows whose sums are added up at once */
};

/* The statistics of a block. Places count from frame 0 of the stream. */
struct tally_block {
    struct stats_values values;
    uint64_t frames;
};

/* The sum and the sum of squares, which are added up side by side. */
typedef double tally_pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double))));

struct tally_sums {
    tally_pair sums;
    struct deviations deviations;
};

struct tally {
    uint64_t left;  /* frames up to the end of the block */
    uint64_t begin; /* the block's first frame in the stream, or the first that is known */
    struct channel_stats stats; /* the block's statistics so far */
    unsigned waiting;           /* windows that end with the last blocks and are not written yet */
    struct tally_block windows[TALLY_TOGETHER]; /* without their sums */
    unsigned place;                             /* of the next block's sums */
    unsigned next;                              /* blocks since the last multiple of a window's */
    struct tally_block since;                   /* those, joined */
    /* Before them as many blocks as a window has: each is joined with all behind it. The first
     * ones make room for those since. The last element is no block.
     *
     * Behind them are the sums of the last blocks, in a ring that is as long as TALLY_TOGETHER
     * windows need, and in the same ring once more, so that each window's are in one run. */
    struct tally_block blocks[];
};

/* Can windows be made of blocks? */
static inline bool tally_suits(const struct window *window)
{
    return window->width % window->hop == 0 && window->width / window->hop <= TALLY_BLOCKS_MOST;
}

/* The bytes of a tally. */
size_t tally_bytes(const struct window *window);

/* Begins at frame `first` of the stream. */
void tally_init(struct tally *tally, const struct engine_setup *setup, uint64_t first);

/* Continues at frame `to` of the stream. No samples lie between the last frame and `to`, and no
 * window that is written ends there. */
void tally_jump(struct tally *tally, const struct window *window, uint64_t to);

/* Takes samples of `of`'s kind, or missing ones past the end of the stream if `samples` is NULL.
 * The values of each window that ends go to the next frame of `out`, unless its item[0] is NULL. */
void tally_run(struct tally *tally, const struct channel_samples *of,
               const struct engine_setup *setup, const void *samples, size_t count,
               const struct emit_out *out, unsigned channel);

#endif
