/* A picture for a report: the envelope of each channel over time, as SVG. */
#ifndef GPUENV_FORMAT_SVG_H
#define GPUENV_FORMAT_SVG_H

#include "format/sink.h"

/* Draws minima and maxima if the emits are min and max, in either order, or a single emit; other
 * combinations are errors. Everything is written at the end, when the picture is complete. */
int sink_open_svg(struct output *output, const struct sink_format *format, struct sink **sink,
                  struct error *error);

#endif
