/* SPDX-License-Identifier: MIT */
/* A sink for raw frames, with or without a header. */
#ifndef GPUENV_FORMAT_RAW_WRITER_PRIV_H
#define GPUENV_FORMAT_RAW_WRITER_PRIV_H

#include "format/format.h"
#include "format/numbers_priv.h"
#include "format/sink.h"

enum { HEADER_MOST = 256 };

/* What the writer of a format with a header needs besides. */
struct header_rules {
    /* Appends the header of frames. Its size does not depend on the number of frames, unless it
     * `grows`. `frames` is SINK_FRAMES_UNKNOWN only if the writer `streams`. */
    void (*put)(struct builder *builder, const struct sink_format *format, uint64_t frames);
    bool grows; /* the header cannot be filled in at the end */
    /* The name, for messages, of a file that is assembled in a temporary file where the number of
     * frames comes too late; NULL if it is not. */
    const char *spools;
    unsigned frame_most;    /* the largest frame that the header can describe, in bytes; 0 if any */
    unsigned channels_most; /* the most channels that the header can describe; 0 if any */
    uint64_t data_most;     /* the most data that the header can describe, in bytes; 0 if any */
    uint64_t frames_most;   /* the most frames of an overview; 0 if any */
    bool even;              /* a zero follows frames of an odd size */

    /* Appends values to the bytes of a file that are not raw samples, each at most `value_most`
     * bytes. `first`: no values precede these. NULL if values are raw samples. */
    void (*encode)(struct builder *builder, const struct sink_format *format, const void *values,
                   size_t count, bool first, struct sample_losses *losses);
    unsigned value_most;
    const char *end; /* text after the values; may be NULL */
};

/* Builds the header of format->format for `frames` frames (SINK_FRAMES_UNKNOWN: unbounded). Returns
 * its size, which does not depend on their number, or 0 if the format cannot hold them, for the
 * reason `*why`. Pure. */
size_t header_build(const struct sink_format *format, uint64_t frames,
                    unsigned char bytes[HEADER_MOST], const char **why);

/* The number of zero bytes after `frames` frames. */
size_t header_padding(const struct sink_format *format, uint64_t frames);

/* The `open` of a writer of raw frames, with or without a `header`. */
int sink_open_header(struct output *output, const struct sink_format *format, struct sink **sink,
                     struct error *error);

/* ---- for functions that build headers */

/* The nearest whole number of frames per second, but not 0, for the headers that store it. */
uint32_t header_whole_rate(const struct sink_format *format);

size_t header_frame_bytes(const struct sink_format *format);

#endif
