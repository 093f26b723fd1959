/* SPDX-License-Identifier: MIT */
/* Which output frames exist for which input frames, and pieces of a stream. This file defines what
 * align, edge and hop mean. Other files step from window to window by the hop; four also use
 * `after`: job/shard.c for parts of the output, lib/rows.c for the ends of rows, cpu/hopper.c for
 * the windows that are written, cuda/arrays.c for the ends of an array.
 *
 * Everything is in terms of *ends*. The window that ends at e covers the input frames e-width+1 ..
 * e. A stream of n frames has the frames 0 .. n-1. The windows that end at 0 .. n-1 are known as
 * soon as their last frame has arrived; `center` and `forward` also have windows that end past the
 * last frame, the *tail*. A window that reaches over either end of the stream is *cut*. Without a
 * hop, output frame k is the window that ends at e = k + after. */
#ifndef GPUENV_WINDOW_WINDOW_H
#define GPUENV_WINDOW_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum window_align {
    ALIGN_VALID,   /* output k covers k .. k+w-1; whole windows only */
    ALIGN_CAUSAL,  /* output k covers k-w+1 .. k */
    ALIGN_CENTER,  /* output k covers k-floor(w/2) .. k+ceil(w/2)-1 */
    ALIGN_FORWARD, /* output k covers k .. k+w-1, cut at the end of the stream */
};

/* The names, such as "valid"; the list ends with NULL. */
extern const char *const window_aligns[];

enum window_edge {
    EDGE_SHRINK, /* a cut window covers the frames that exist */
    EDGE_NAN,    /* a cut window gives NaN */
};

struct window {
    uint64_t width; /* frames, 1 or more */
    uint64_t hop;   /* outputs 0, hop, 2*hop, ... are written; 1 or more */
    uint64_t after; /* distance from an output's own frame to the end of its window */
    enum window_align align;
    enum window_edge edge;
};

/* A hop beyond INT64_MAX becomes INT64_MAX, more frames than there are: sums of two hops then fit.
 */
void window_init(struct window *window, uint64_t width, uint64_t hop, enum window_align align,
                 enum window_edge edge);

/* The number of output frames for a stream of n frames. */
uint64_t window_outputs(const struct window *window, uint64_t n);

/* The tail of a stream of n frames: its number of windows, and the end of the first. That is n, or
 * `after` if the stream is shorter: no sample of such a stream leaves a window before that, so the
 * ends between need no work. */
uint64_t window_tail(const struct window *window, uint64_t n);
uint64_t window_tail_first(const struct window *window, uint64_t n);

/* The windows that are written, among those that end at first .. first+count-1: those at offsets
 * start, start+hop, ..., `kept` in all. */
struct window_pick {
    uint64_t start;
    uint64_t kept;
};

struct window_pick window_pick(const struct window *window, uint64_t first, uint64_t count);

/* A piece is the windows that end at first .. first+count-1, together with the input frames that
 * they need and the output frames that they give. With the frames first-halo .. first+count-1, a
 * worker can compute it independently; the outputs of consecutive pieces join to the output of the
 * stream. */
struct piece {
    uint64_t first; /* the end of the piece's first window */
    uint64_t count;
    uint64_t halo; /* how many frames before `first` the windows reach back */
    struct window_pick pick;
    uint64_t output; /* index of the first output frame in the output of the stream */
};

struct piece piece_make(const struct window *window, uint64_t first, uint64_t count);

/* Is the window that ends at e cut, if the stream has n frames (so far)? */
static inline bool window_is_cut(const struct window *window, uint64_t e, uint64_t n)
{
    return e + 1 < window->width || e >= n;
}

#endif
