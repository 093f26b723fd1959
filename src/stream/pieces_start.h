/* Whether a device starts, and when. Private to the workers: pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_START_H
#define GPUENV_STREAM_PIECES_START_H

#include "stream/pieces_run.h"

/* Starts the devices that the run begins with: those asked for by name. */
void devices_start_first(struct run *run);

/* For cores, after each piece: decides once whether a device pays, and starts it. */
void devices_consider(struct run *run);

#endif
