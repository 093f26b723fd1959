/* Devices as workers. Private to the workers: pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_DEVICE_H
#define GPUENV_STREAM_PIECES_DEVICE_H

#include "stream/pieces_run.h"

/* Starts all devices of the run, each on its own thread. Call with the lock held. */
void devices_start(struct run *run);

#endif
