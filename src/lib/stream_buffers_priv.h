/* SPDX-License-Identifier: MIT */
/* The buffers of a call of a stream: of all channels, interleaved, or one for each channel. */
#ifndef GPUENV_LIB_STREAM_BUFFERS_PRIV_H
#define GPUENV_LIB_STREAM_BUFFERS_PRIV_H

#include "lib/lib_priv.h"

struct stream_buffers {
    const void *const *in; /* NULL for the windows past the end, which have no frames */
    void *const *out;
    unsigned count;
    unsigned channels; /* channels of a buffer */
    size_t from;       /* bytes of a frame in a buffer */
    size_t to;         /* bytes of the results of a frame in a buffer */
    size_t aligned;    /* results begin at multiples of this, a power of two */
    bool join;         /* channels in buffers of their own share states */
};

/* Checks the buffers for `outputs` results. */
int buffers_check_out(const struct stream_buffers *buffers, uint64_t outputs, gpuenv_error *error);

/* Checks the buffers of a push. Sets `*in_place` if results take the place of frames; `in_place` is
 * NULL if they may not. */
int buffers_check(const struct stream_buffers *buffers, uint64_t frames, uint64_t outputs,
                  bool *in_place, gpuenv_error *error);

/* Copy the frames of all buffers, from frame `first` on, to joined frames; and joined results to
 * the buffers, from result `first` on. */
void buffers_join(const struct stream_buffers *buffers, uint64_t first, size_t frames,
                  unsigned char *joined);
void buffers_split(const struct stream_buffers *buffers, uint64_t first, size_t frames,
                   const unsigned char *joined);

#endif
