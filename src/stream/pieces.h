/* The third way to order steps: pieces and workers. Where the frames of an input can be had at any
 * place, threads of the crew are workers. Each takes the next piece of the stream, reads it with
 * its halo, and works it out alone, in blocks that stay in its own cache. Private to this room.
 *
 * Where output frames have a place of their own (a file that is ours, /dev/null), the worker puts
 * them there. Else they are written in order, by whoever finishes the piece that is due. Statistics
 * are put together in that order, too.
 *
 * A worker that meets anything out of the ordinary (an error, a NaN that must not be, a file that
 * has shrunk) gives its piece up, and nobody takes a later one. The stream is then gone on with in
 * order, from the first piece that is not done: so what is told and written is what one thread
 * tells and writes. The end of the stream is always left to that. */
#ifndef GPUENV_STREAM_PIECES_H
#define GPUENV_STREAM_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "stream/devices.h"
#include "stream/pipeline.h"

enum { DEVICE_PIECES = 16 }; /* that a device takes at a time, at most */

void pieces_plan(const struct pipeline *pipeline, struct pieces_plan *plan);

/* Does the pieces, and moves the pipeline's start to behind them. -1: an output has failed. */
int pieces_run(struct pipeline *pipeline, const struct pieces_plan *plan, struct error *error);

#endif
