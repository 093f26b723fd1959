/* SPDX-License-Identifier: MIT */
/* One part of the output of a stream, computed independently: the range of output that it gives,
 * and the range of input that it needs. All parts, concatenated, are the output of the stream. Pure
 * arithmetic. */
#ifndef GPUENV_JOB_SHARD_PRIV_H
#define GPUENV_JOB_SHARD_PRIV_H

#include <stdint.h>

#include "job/stream.h"

struct shard {
    uint32_t number; /* counts from 1 */
    uint32_t count;
    struct range outputs; /* the part's own, numbered as in the whole output */
    uint64_t in_all;      /* output frames of the whole */
    struct range records; /* the blocks of statistics that belong to it, numbered as in the whole */
};

/* Makes the plan of a stream, whose length is known, one of its part `number` of `count`: sets its
 * extent and its limit. The last part keeps the limit, and runs to the end of the input, so that
 * errors there are reported. */
struct shard shard_cut(struct stream_plan *stream, uint32_t number, uint32_t count);

#endif
