/* The ceiling of the CPU flavours: reads and writes the same bytes without computing anything. It
 * has the interface of a flavour, but gives no result. */
#ifndef GPUENV_BENCH_CEILING_H
#define GPUENV_BENCH_CEILING_H

#include "bench/flavour.h"

/* "copy" for windows, "read" for the others. */
const struct bench_flavour *ceiling_of(enum bench_problem problem);

#endif
