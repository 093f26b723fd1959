/* The third scheduler of steps: pieces and workers. If any frame of an input can be read at any
 * time, threads of the machine are workers. Each takes the next piece of the stream, reads it with
 * its halo, and computes it alone, in blocks that stay in its own cache.
 *
 * If output frames have a fixed offset (a file that is ours, /dev/null), the worker writes them
 * there. Otherwise the worker that finishes the next piece in order writes all that are due.
 * Statistics are combined in that order, too.
 *
 * A worker that meets an exception (an error, a forbidden NaN, a file that has shrunk) gives its
 * piece up, and no later one is taken. From the first unfinished piece on, the stream continues in
 * order, so errors and output are the same as with one thread. The end of the stream is always
 * processed in order. */
#ifndef GPUENV_JOB_PIECES_PRIV_H
#define GPUENV_JOB_PIECES_PRIV_H

#include <stdint.h>

#include "base/error.h"
#include "job/pieces_plan_priv.h"

/* Does the pieces. `*done`: the first frame that is left; the plan's end if all pieces are done.
 * Returns -1 if an output has failed. */
int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan,
               struct run_result *result, uint64_t *done, struct error *error);

#endif
