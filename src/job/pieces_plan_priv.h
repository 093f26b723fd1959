/* How a stream is cut into pieces, and for how many workers. */
#ifndef GPUENV_JOB_PIECES_PLAN_PRIV_H
#define GPUENV_JOB_PIECES_PLAN_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cut.h"
#include "job/stream.h"

/* How the stream is cut; computed from the pipeline. */
struct pieces_plan {
    unsigned workers; /* cores; 0: no pieces, for the reason `why` */
    bool placed;      /* frames are written at their offsets; otherwise in order */
    uint64_t begin;   /* the first frame of the pieces */
    uint64_t end;     /* the frame after the last */
    struct cut cut;   /* a task is a piece; none is empty */
    uint64_t piece;   /* frames, approximately */
    size_t block;     /* frames that a worker processes at a time */
    uint64_t outputs; /* frames that will be written in all */
    size_t out_bytes; /* output of a piece that waits for its turn */
    unsigned slots;   /* for pieces that are taken but not yet committed */
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

#endif
