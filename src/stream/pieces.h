/* The third way to order steps: pieces and workers. Where the frames of an input can be had at any
 * place, threads of the crew are workers. Each takes the next piece of the stream, reads it with
 * its halo, and works it out alone, in blocks that stay in its own cache. Private to this room.
 *
 * Where output frames have a place of their own (a file that is ours, /dev/null), the worker puts
 * them there. Else they are written in order, by the worker that finishes the piece that is due.
 * Statistics are put together in that order, too.
 *
 * A worker that meets anything out of the ordinary (an error, a NaN that must not be, a file that
 * has shrunk) gives its piece up, and no later one is taken. From the first piece that is not done
 * on, the stream goes on in order: so errors and output are those of one thread. The end of the
 * stream is always left to that. */
#ifndef GPUENV_STREAM_PIECES_H
#define GPUENV_STREAM_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "stream/devices.h"
#include "stream/pipeline.h"
#include "stream/ring.h"

enum { DEVICE_PIECES = 16 }; /* that a device takes at a time, at most */

/* How the work is cut; worked out from the pipeline. */
struct pieces_plan {
    unsigned workers; /* cores, or devices alone; 0: pieces do not pay here, or cannot be: `why` */
    bool placed;      /* frames are put at their places; else they are written in order */
    uint64_t begin;   /* the frames of the stream that pieces do, */
    uint64_t end;     /* up to, but not including, this one */
    uint64_t piece;   /* frames, about */
    size_t block;     /* frames that a worker has at hand */
    uint64_t outputs; /* frames that will be written in all */
    size_t out_bytes; /* of a piece that waits for its turn */
    unsigned slots;   /* for pieces that are taken, and not yet committed */
    const char *why;
};

void pieces_plan(const struct pipeline *pipeline, struct pieces_plan *plan);

/* What has come of the pieces. */
struct pieces_end {
    unsigned workers;   /* 0: there was no memory for pieces: `why` */
    struct extent rest; /* to be done in order: the source stands at its start */
    bool brief;         /* there is hardly anything in it */
    double busy[RING_STAGES];
    struct device_account devices[DEVICES_MOST];
    const char *why;
};

/* Does the pieces. `began`: the work did, by the clock. `end` says that nothing has been done yet.
 * -1: an output has failed. */
int pieces_run(const struct pipeline *pipeline, const struct pieces_plan *plan, double began,
               struct pieces_end *end, struct error *error);

#endif
