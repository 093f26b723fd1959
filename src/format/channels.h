/* SPDX-License-Identifier: MIT */
/* Some channels of a source, their mean, or their magnitudes as I and Q, in place of all. */
#ifndef GPUENV_FORMAT_CHANNELS_H
#define GPUENV_FORMAT_CHANNELS_H

#include "format/source.h"

enum channels_use {
    CHANNELS_EACH,
    CHANNELS_MEAN, /* their mean, as one channel */
    CHANNELS_IQ,   /* pairs of them are complex numbers: I, then Q */
};

/* Replaces `*source` by a source of these channels, numbered from 0, in this order; of all channels
 * if `count` is 0. Closing it closes the original. Channels that are missing, or no pairs, are an
 * error, and leave `*source` as it is. */
int channels_choose(struct source **source, const unsigned *channel, unsigned count,
                    enum channels_use use, struct error *error);

/* What a channel is called wherever it has to be told from others: its name in `names`, which may
 * be NULL and have NULL or "" in it; otherwise ch1, ch2, ..., for which `usual` has the room. */
enum { CHANNEL_NAME = 16 };
const char *channel_name(const char *const *names, unsigned channel, char usual[CHANNEL_NAME]);

#endif
