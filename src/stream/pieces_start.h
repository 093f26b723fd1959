/* Decides whether and when a device starts. Private to the workers: pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_START_H
#define GPUENV_STREAM_PIECES_START_H

#include "stream/pieces_run.h"

/* Starts the devices that work from the beginning: those requested by name. */
void devices_start_first(struct run *run);

/* Called by cores after each piece: decides once whether a device pays, and starts it. */
void devices_consider(struct run *run);

#endif
