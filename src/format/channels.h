/* Some channels of a source, or their mean, in place of all. */
#ifndef GPUENV_FORMAT_CHANNELS_H
#define GPUENV_FORMAT_CHANNELS_H

#include <stdbool.h>

#include "format/source.h"

/* Replaces `*source` by one that gives these channels, from 0, in this order (`count` 0: all of
 * them), and, if `mix`, their mean as one channel. It closes the other one. A channel that is not
 * there is an error; then `*source` stays. */
int channels_choose(struct source **source, const unsigned *channel, unsigned count, bool mix,
                    struct error *error);

#endif
