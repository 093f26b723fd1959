/* One answer for all channels: the least minimum and the greatest maximum. */
#ifndef GPUENV_STREAM_OVERALL_H
#define GPUENV_STREAM_OVERALL_H

#include "engine/engine.h"
#include "format/sink.h"

/* Puts before a sink, whose frames are those of one channel, another whose frames have the minimum
 * and the maximum of every channel, as an engine of this setup writes them. It closes the first
 * one. The setup, which has to last, says of which kind they are. */
int overall_open(const struct engine_setup *setup, struct sink **sink, struct error *error);

#endif
