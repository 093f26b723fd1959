/* SPDX-License-Identifier: MIT */
/* The buffers of a call of a stream: of all channels, interleaved, or one for each channel. */
#ifndef GPUENV_LIB_STREAM_BUFFERS_PRIV_H
#define GPUENV_LIB_STREAM_BUFFERS_PRIV_H

#include "lib/lib_priv.h"

struct stream_buffers {
    const void *const *in; /* NULL: no frames, but the windows past the end */
    void *const *out;
    unsigned count;
    unsigned channels; /* of each, */
    size_t from;       /* bytes of its frames, */
    size_t to;         /* and of its results for a frame */
    size_t aligned;    /* results begin at multiples of it, a power of two */
    bool join;         /* channels apart share states */
};

/* Checks the buffers for results, where there are `outputs` of them. */
int buffers_check_out(const struct stream_buffers *buffers, uint64_t outputs, gpuenv_error *error);

/* Checks the buffers of a push. `*in_place` is set if results take the place of frames; NULL: they
 * may not. */
int buffers_check(const struct stream_buffers *buffers, uint64_t frames, uint64_t outputs,
                  bool *in_place, gpuenv_error *error);

/* The frames of all buffers from frame `first` on become joined frames; and joined results theirs.
 */
void buffers_join(const struct stream_buffers *buffers, uint64_t first, size_t frames,
                  unsigned char *joined);
void buffers_split(const struct stream_buffers *buffers, uint64_t first, size_t frames,
                   const unsigned char *joined);

#endif
