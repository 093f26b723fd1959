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

/* The name of a channel, to tell it from others: its name in `names`, which may be NULL and may
 * contain NULL or ""; otherwise ch1, ch2, ..., which is written to `usual`. */
enum { CHANNEL_NAME = 16 };
const char *channel_name(const char *const *names, unsigned channel, char usual[CHANNEL_NAME]);

#endif
