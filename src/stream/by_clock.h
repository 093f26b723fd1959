/* Rows of a table by the clock: one output frame for each interval of time, from the one with the
 * first row to the one with the last. Private to this room. */
#ifndef GPUENV_STREAM_BY_CLOCK_H
#define GPUENV_STREAM_BY_CLOCK_H

#include "stream/pipeline.h"

/* Runs the stream in this thread. An interval is written when the first row of a later one has
 * come; the last one at the end, but not after an error: it would be incomplete. */
int by_clock_run(const struct pipeline *pipeline, struct account *account, struct error *error);

#endif
