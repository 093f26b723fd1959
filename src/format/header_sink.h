/* A sink for raw frames, with a header in front or without. Private to this room. */
#ifndef GPUENV_FORMAT_HEADER_SINK_H
#define GPUENV_FORMAT_HEADER_SINK_H

#include "format/format.h"

enum {
    HEADER_MOST = 256,
    HEADER_PADDING_MOST = 2,
};

/* The header of format->format for so many frames (SINK_FRAMES_UNKNOWN: no end is known), and its
 * size, which does not depend on their number. 0: the container cannot hold this; `*why` says what.
 * Pure. */
size_t header_build(const struct sink_format *format, uint64_t frames,
                    unsigned char bytes[HEADER_MOST], const char **why);

/* How many zeros stand behind so many frames. */
size_t header_padding(const struct sink_format *format, uint64_t frames);

/* The `open` of a writer of raw frames, which may have a `header`. */
int sink_open_header(struct output *output, const struct sink_format *format, struct sink **sink,
                     struct error *error);

/* For those who put headers together. */

bool header_has_float(const struct sink_format *format);

/* Whole frames a second, as most headers have them: the nearest, and not none. */
uint32_t header_whole_rate(const struct sink_format *format);

size_t header_frame_bytes(const struct sink_format *format);

#endif
