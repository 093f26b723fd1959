/* Which flavours take part in a session. */
#ifndef GPUENV_BENCH_SELECTION_H
#define GPUENV_BENCH_SELECTION_H

#include <stddef.h>

#include "base/error.h"
#include "bench/bench_options.h"

enum { SELECTION_MOST = 64 };

struct selection {
    const struct bench_flavour *flavours[SELECTION_MOST];
    size_t count;
    const struct bench_flavour *skipped[SELECTION_MOST]; /* their device is not there */
    size_t skipped_count;
    char without[256]; /* why no flavour can run on a CUDA device; empty: they can */
};

/* All that this build has, counted from 0: on the processor, then on a device. NULL: not so many.
 */
const struct bench_flavour *selection_flavour(size_t index);

/* Those of the problem that --only names, or all. With --sweep and no --only, those that have
 * blocks, and `cpu`. An unknown name is a usage error. */
int selection_make(struct selection *selection, const struct bench_options *options,
                   struct error *error);

#endif
