/* The ceiling of the CPU flavours: the same bytes read and written, without the work. It has the
 * shape of a flavour, but gives no answer. */
#ifndef GPUENV_BENCH_CEILING_H
#define GPUENV_BENCH_CEILING_H

#include "bench/flavour.h"

/* "copy" for windows, "read" for the others. */
const struct bench_flavour *ceiling_of(enum bench_problem problem);

#endif
