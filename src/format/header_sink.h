/* A sink for raw frames, with or without a header. Private to this room. */
#ifndef GPUENV_FORMAT_HEADER_SINK_H
#define GPUENV_FORMAT_HEADER_SINK_H

#include "format/format.h"

enum { HEADER_MOST = 256 };

/* Builds the header of format->format for so many frames (SINK_FRAMES_UNKNOWN: unbounded). Returns
 * its size, which does not depend on their number. 0: the format cannot hold this, for the reason
 * `*why`. Pure. */
size_t header_build(const struct sink_format *format, uint64_t frames,
                    unsigned char bytes[HEADER_MOST], const char **why);

/* The number of zeros after so many frames. */
size_t header_padding(const struct sink_format *format, uint64_t frames);

/* The `open` of a writer of raw frames, with or without a `header`. */
int sink_open_header(struct output *output, const struct sink_format *format, struct sink **sink,
                     struct error *error);

/* For functions that build headers. */

/* The nearest whole number of frames per second, but not 0, for the headers that store it. */
uint32_t header_whole_rate(const struct sink_format *format);

size_t header_frame_bytes(const struct sink_format *format);

#endif
