/* What no flavour on the processor can be faster than: the same bytes, without the work. They have
 * the shape of flavours, but give no answer. */
#ifndef GPUENV_BENCH_CEILING_H
#define GPUENV_BENCH_CEILING_H

#include "bench/flavour.h"

/* "copy" for windows, "read" for the others. */
const struct bench_flavour *ceiling_of(enum bench_problem problem);

#endif
