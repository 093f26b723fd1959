/* Which flavours take part in a session. */
#ifndef GPUENV_BENCH_SELECTION_H
#define GPUENV_BENCH_SELECTION_H

#include <stddef.h>

#include "base/error.h"
#include "bench/bench_options.h"

/* The flavour with this index among all of this build: first those for the CPU, then those for a
 * device. NULL past the last. */
const struct bench_flavour *selection_flavour(size_t index);

/* Are all names of --only flavours of the problem? An unknown name is a usage error. */
int selection_check(const struct bench_options *options, struct error *error);

/* Does it take part? Either the flavours of the problem that --only names, or all. With --sweep and
 * no --only, those that have blocks, and `cpu`. */
bool selection_takes(const struct bench_options *options, const struct bench_flavour *flavour);

/* Prints the list of flavours. */
int selection_list(const struct bench_options *options, struct error *error);

#endif
