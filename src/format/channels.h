/* Some channels of a source, or their mean, in place of all. */
#ifndef GPUENV_FORMAT_CHANNELS_H
#define GPUENV_FORMAT_CHANNELS_H

#include <stdbool.h>

#include "format/source.h"

/* Replaces `*source` by a source of these channels, from 0, in this order (`count` 0: all), or, if
 * `mix`, of their mean. Closing it closes the original. A missing channel is an error, and leaves
 * `*source` as it is. */
int channels_choose(struct source **source, const unsigned *channel, unsigned count, bool mix,
                    struct error *error);

#endif
