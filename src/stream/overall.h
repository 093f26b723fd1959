/* One answer for all channels: the least minimum and the greatest maximum. */
#ifndef GPUENV_STREAM_OVERALL_H
#define GPUENV_STREAM_OVERALL_H

#include "engine/engine.h"
#include "format/sink.h"

/* Are these values of all channels the least or the greatest of theirs? Otherwise they are made of
 * the minimum and the maximum. */
bool overall_is_direct(const struct emit_list *emits);

/* Puts before a sink, whose frames are those of one channel, another whose frames have the values
 * of every channel, or else their minima and maxima, as an engine of this setup writes them. It
 * closes the first one. The setup, which has to last, says of which kind they are. */
int overall_open(const struct engine_setup *setup, struct sink **sink, struct error *error);

#endif
