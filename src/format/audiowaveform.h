/* The data formats of audiowaveform: waveform overviews that players in a browser read. Each frame
 * is a pixel, a minimum and a maximum of each channel as whole numbers of 16 or 8 bits. */
#ifndef GPUENV_FORMAT_AUDIOWAVEFORM_H
#define GPUENV_FORMAT_AUDIOWAVEFORM_H

#include "format/sink.h"

/* `format->container` is "dat" or "json", `format->sample` s16 or s8. Its context must
 * have pixels of 2 frames or more, the emits min,max and a rate: what else is asked for is refused,
 * in words.
 *
 * The length stands before the data. Where it is neither known beforehand nor can be filled in,
 * the data wait in a temporary file. */
int sink_open_audiowaveform(struct output *output, const struct sink_format *format,
                            struct sink **sink, struct error *error);

#endif
