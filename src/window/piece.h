/* Pieces: the one place that cuts a stream in time.
 *
 * A piece is the windows that end at first .. first+count-1, with the frames that they need and the
 * output frames that they give. Whoever has the frames first-halo .. first+count-1 can work it out
 * alone, and pieces that follow one another give the output of all of them. */
#ifndef GPUENV_WINDOW_PIECE_H
#define GPUENV_WINDOW_PIECE_H

#include <stdint.h>

#include "window/window.h"

struct piece {
    uint64_t first; /* the end of its first window */
    uint64_t count;
    uint64_t halo; /* frames before `first` that its windows reach back to */
    struct window_pick pick;
    uint64_t output; /* the number, in the output of the stream, of its first frame */
};

struct piece piece_make(const struct window *window, uint64_t first, uint64_t count);

/* The part number `index` of `parts` about equal ones. */
struct piece piece_part(const struct window *window, const struct piece *whole, unsigned index,
                        unsigned parts);

#endif
