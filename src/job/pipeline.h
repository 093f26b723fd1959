/* Source, engine and sink work at the same time: a reader thread, an engine thread and a writer
 * thread share a ring of chunks. With a single CPU, or little to do, one thread does all three in
 * turn. The calling thread watches.
 *
 * Latency adapts. While the engine is idle, the reader passes on each read at once; while the
 * engine is busy, the reader goes on filling the chunk as long as there is data. A chunk of 64 KiB
 * or more indicates a fast stream, and waits for more for up to half a millisecond. So a slow
 * stream moves read by read, and a fast one in full chunks. */
#ifndef GPUENV_JOB_PIPELINE_H
#define GPUENV_JOB_PIPELINE_H

#include "job/stream.h"

/* Runs the stream to its end and fills in the result, also after an error. Everything that was
 * complete before an error has been written. */
int pipeline_run(const struct pipeline *pipeline, struct run_result *result, struct error *error);

#endif
