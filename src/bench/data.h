/* The samples that the flavours work on: always the same for a kind. */
#ifndef GPUENV_BENCH_DATA_H
#define GPUENV_BENCH_DATA_H

#include <stddef.h>

enum data_kind {
    DATA_RANDOM,   /* even in [-0.5, 0.5) */
    DATA_POSITIVE, /* even in [0, 1) */
    DATA_SORTED,   /* rising */
    DATA_FALLING,
    DATA_CONSTANT,
    DATA_ZERO,      /* +0 and -0 by chance */
    DATA_TIES,      /* one of seven numbers: the largest is there many times */
    DATA_SUBNORMAL, /* even, and too small for a normal float */
    DATA_KINDS,
};

/* Ends with a NULL; the place of a word is its kind. */
extern const char *const data_words[];

void data_fill(enum data_kind kind, float *samples, size_t count);

#endif
