/* SPDX-License-Identifier: MIT */
/* The third scheduler of steps: pieces and workers. If any frame of an input can be read at any
 * time, threads of the machine are workers. Each takes the next piece of the stream, reads it with
 * its halo, and computes it alone, in blocks that stay in its own cache.
 *
 * If output frames have a fixed offset (a file that is ours, /dev/null), the worker writes them
 * there. Otherwise the worker that finishes the next piece in order writes all that are due. Lines
 * of text are put by the worker of their piece, and wait as text. Statistics are combined in that
 * order, too.
 *
 * A worker that meets an exception (an error, a forbidden NaN, a file that has shrunk) gives its
 * piece up, and no later one is taken. From the first unfinished piece on, the stream continues in
 * order, so errors and output are those of one thread. The end of the stream is always
 * processed in order. */
#ifndef GPUENV_JOB_PIECES_PRIV_H
#define GPUENV_JOB_PIECES_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cut.h"
#include "base/error.h"
#include "job/stream.h"

/* ---- pieces_plan.c: how a stream is cut into pieces, and for how many workers */

/* How the stream is cut; computed from the pipeline. */
struct pieces_plan {
    unsigned workers; /* cores; 0 if there are no pieces: `why` says the reason */
    bool placed;      /* frames are written at their offsets; otherwise in order */
    uint64_t begin;   /* the first frame of the pieces */
    uint64_t end;     /* the frame after the last */
    struct cut cut;   /* a task is a piece; none is empty */
    uint64_t piece;   /* frames, approximately */
    size_t block;     /* frames that a worker processes at a time */
    uint64_t outputs; /* frames that will be written in all */
    size_t out_bytes; /* output of a piece that waits for its turn */
    unsigned slots;   /* slots for pieces that are taken but not yet committed */
    const char *why;
};

/* `extent`: the part of the stream that is left to do. */
void pieces_plan(const struct pipeline *pipeline, const struct extent *extent,
                 struct pieces_plan *plan);

/* The first frame of a piece; behind the last one, its end. */
static inline uint64_t pieces_first(const struct pipeline *pipeline, const struct pieces_plan *plan,
                                    uint64_t index)
{
    uint64_t frame = plan->begin + cut_task(&plan->cut, index).first;

    if (index >= plan->cut.tasks)
        return plan->end;
    return pipeline->stats != NULL ? share_border(pipeline->stats, frame, plan->piece) : frame;
}

/* ---- pieces.c: the pool of workers */

/* Does the pieces. `*done`: the first frame that is left; the plan's end if all pieces are done.
 * Returns -1 if an output has failed. */
int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan,
               struct run_result *result, uint64_t *done, struct error *error);

#endif
