/* The headers that are written in front of raw frames. Pure. Private to this room. */
#ifndef GPUENV_FORMAT_HEADERS_H
#define GPUENV_FORMAT_HEADERS_H

#include <stddef.h>
#include <stdint.h>

#include "format/sink.h"

enum {
    HEADERS_MOST = 256,
    HEADERS_PADDING_MOST = 8,
};

/* The header for so many frames (SINK_FRAMES_UNKNOWN: no end is known), and its size, which does
 * not depend on their number. 0: the container cannot hold this; `*why` says what. */
size_t headers_build(const struct sink_format *format, uint64_t frames,
                     unsigned char bytes[HEADERS_MOST], const char **why);

/* How many bytes stand behind so many frames. */
size_t headers_padding(const struct sink_format *format, uint64_t frames);

/* A whole AIFF or FLAC file without frames; its size. 0: this is another container. */
size_t headers_empty(const struct sink_format *format, unsigned char bytes[HEADERS_MOST]);

#endif
