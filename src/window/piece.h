/* Pieces: the only place that cuts a stream in time.
 *
 * A piece is the windows that end at first .. first+count-1, together with the input frames that
 * they need and the output frames that they give. With the frames first-halo .. first+count-1, a
 * worker can compute it independently; the outputs of consecutive pieces join to the output of the
 * stream. */
#ifndef GPUENV_WINDOW_PIECE_H
#define GPUENV_WINDOW_PIECE_H

#include <stdint.h>

#include "window/window.h"

struct piece {
    uint64_t first; /* the end of its first window */
    uint64_t count;
    uint64_t halo; /* frames before `first` that its windows reach back to */
    struct window_pick pick;
    uint64_t output; /* index of its first output frame in the output of the stream */
};

struct piece piece_make(const struct window *window, uint64_t first, uint64_t count);

/* Part `index` of `parts` parts of about equal size. If nothing of the piece is
 * written (chunk_mute()), neither is the part. */
struct piece piece_part(const struct window *window, const struct piece *whole, unsigned index,
                        unsigned parts);

#endif
