/* A stream that goes in order pauses where a device can help, for pieces of what is to come.
 * Private to this room.
 *
 * It does where the engine is measured to limit it: on few cores, with samples that cost more than
 * their bytes. Else its input limits, and nobody who reads that is any faster. Where nobody knows
 * how much is to come, it is taken to be as much as has come; and a start that turns out to be in
 * vain, because the stream ends, should take a quarter of the time so far, at most. After a pause
 * the next one is as far away as the beginning. */
#ifndef GPUENV_STREAM_PAUSE_H
#define GPUENV_STREAM_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "stream/pipeline.h"

struct pause {
    struct pipeline *pipeline;
    struct source *source; /* the pipeline's own, that the recalling one is over */
    unsigned workers;      /* that would do pieces; 0: it never pauses */
    double began;          /* by the clock, when it last went in order, */
    uint64_t first;        /* and from which frame */
    uint64_t next;         /* the frame from which on it may pause */
};

/* The pipeline's source is from here on one that recalls, if it may ever pause. */
void pause_open(struct pause *pause, struct pipeline *pipeline);
void pause_close(struct pause *pause);

/* The stream goes in order from here on. */
void pause_begin(struct pause *pause);

/* Is it time to pause, at this frame? For the thread that reads; `busy`: seconds that each stage
 * was at work since pause_begin(). */
bool pause_is_due(struct pause *pause, uint64_t frame, const double busy[RING_STAGES]);

/* It has gone in order up to this frame, and pauses: does pieces for as long as a device helps, and
 * moves the pipeline's start to behind them. -1: an output has failed. */
int pause_run(struct pause *pause, uint64_t frame, struct error *error);

#endif
