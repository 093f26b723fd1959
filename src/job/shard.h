/* One part of the output of a stream, computed independently: the range of input that it needs,
 * and the range of output that it gives. All parts, concatenated, are the output of the stream.
 * Pure arithmetic. */
#ifndef GPUENV_JOB_SHARD_H
#define GPUENV_JOB_SHARD_H

#include <stdint.h>

#include "stream/pipeline.h"
#include "window/window.h"

/* The whole that is split. */
struct shard_whole {
    const struct window *window; /* NULL: no frames are written */
    uint64_t every;              /* frames of a block of statistics; 0: none */
    uint64_t frames;             /* of the stream */
    uint64_t limit;              /* the frame to stop before, if the stream has so many */
};

struct shard {
    uint32_t number; /* from 1 */
    uint32_t count;
    struct range outputs; /* its own, numbered as in the whole output */
    uint64_t in_all;      /* output frames of the whole */
    struct range records; /* the blocks of statistics that belong to it, numbered as in the whole */

    /* For the pipeline. */
    struct extent extent;
    uint64_t limit; /* the frame to stop before; the last part runs to the end of the input, so that
                       errors there are reported */
};

/* Part `number` of `count`. */
void shard_cut(struct shard *shard, const struct shard_whole *whole, uint32_t number,
               uint32_t count);

/* The number of frames that it reads, if the stream has the expected length. */
uint64_t shard_frames(const struct shard *shard, const struct shard_whole *whole);

#endif
