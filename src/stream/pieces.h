/* The third scheduler of steps: pieces and workers. If any frame of an input can be read at any
 * time, threads of the crew are workers. Each takes the next piece of the stream, reads it with
 * its halo, and computes it alone, in blocks that stay in its own cache. Private to this room.
 *
 * Devices are workers instead of the cores, never beside them. If a device fails that was not
 * requested by name, the cores do the pieces that are not committed.
 *
 * If output frames have a fixed offset (a file that is ours, /dev/null), the worker writes them
 * there. Otherwise the worker that finishes the next piece in order writes all that are due.
 * Statistics are combined in that order, too.
 *
 * A worker that meets an exception (an error, a forbidden NaN, a file that has shrunk) gives its
 * piece up, and no later one is taken. From the first unfinished piece on, the stream continues in
 * order, so errors and output are the same as with one thread. The end of the stream is always
 * processed in order. */
#ifndef GPUENV_STREAM_PIECES_H
#define GPUENV_STREAM_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "stream/pipeline.h"

enum { DEVICE_PIECES = 16 }; /* the most that a device takes at a time */

/* How the stream is cut; computed from the pipeline. */
struct pieces_plan {
    unsigned workers; /* cores, or devices alone; 0: no pieces, for the reason `why` */
    bool placed;      /* frames are written at their offsets; otherwise in order */
    uint64_t begin;   /* the first frame of the pieces */
    uint64_t end;     /* the frame after the last */
    uint64_t count;   /* pieces, none of them empty */
    uint64_t piece;   /* frames, approximately */
    size_t block;     /* frames that a worker processes at a time */
    uint64_t outputs; /* frames that will be written in all */
    size_t out_bytes; /* output of a piece that waits for its turn */
    unsigned slots;   /* for pieces that are taken but not yet committed */
    const char *why;
};

void pieces_plan(const struct pipeline *pipeline, struct pieces_plan *plan);

/* The first frame of a piece; from the piece `count` on, the end of the last one. */
static inline uint64_t pieces_first(const struct pipeline *pipeline, const struct pieces_plan *plan,
                                    uint64_t index)
{
    uint64_t frame = plan->begin + index * plan->piece;

    if (index >= plan->count)
        return plan->end;
    return pipeline->stats != NULL ? share_border(pipeline->stats, frame, plan->piece) : frame;
}

/* What the pieces have left to do. */
struct pieces_rest {
    struct extent extent; /* to be done in order; the source is at its start */
    bool brief;           /* so short that threads do not pay */
};

/* Does the pieces. `began`: when the work began, by the clock. On entry, `rest` is all of the
 * stream. Returns -1 if an output has failed. */
int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan, double began,
               struct account *account, struct pieces_rest *rest, struct error *error);

#endif
