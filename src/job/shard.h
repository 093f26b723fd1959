/* One part of the output of a stream, to be worked out by itself: what of the stream it takes, and
 * what comes out. All parts, one behind the other, are the output of the stream. Pure arithmetic.
 */
#ifndef GPUENV_JOB_SHARD_H
#define GPUENV_JOB_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/pipeline.h"
#include "window/window.h"

/* What is cut. */
struct shard_whole {
    const struct window *window; /* NULL: no frames are written */
    uint64_t every;              /* frames of a block of statistics; 0: there are none */
    uint64_t frames;             /* of the stream */
    uint64_t limit;              /* the frame to stop before, if there are so many */
};

struct shard {
    uint32_t number; /* from 1 */
    uint32_t count;
    struct range outputs; /* its own, by their numbers in the whole output */
    uint64_t in_all;      /* output frames of the whole */
    struct range records; /* the blocks of statistics that are its own, by their numbers */

    /* How a pipeline works it out. */
    struct extent extent;
    uint64_t limit; /* the frame to stop before; the last part goes on to the end of the input,
                       so that what is wrong there is told */
};

/* Part `number` of `count`. */
void shard_cut(struct shard *shard, const struct shard_whole *whole, uint32_t number,
               uint32_t count);

/* The frames that it reads, where the stream is as long as was said. */
uint64_t shard_frames(const struct shard *shard, const struct shard_whole *whole);

#endif
