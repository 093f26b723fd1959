/* The samples that the flavours process: always the same for a kind. */
#ifndef GPUENV_BENCH_DATA_H
#define GPUENV_BENCH_DATA_H

#include <stddef.h>

#include "sample/sample_type.h"

enum data_kind {
    DATA_RANDOM,   /* uniform in [-0.5, 0.5) */
    DATA_POSITIVE, /* uniform in [0, 1) */
    DATA_SORTED,   /* ascending */
    DATA_FALLING,
    DATA_CONSTANT,
    DATA_ZERO,      /* +0 and -0 at random */
    DATA_TIES,      /* one of seven numbers: the largest occurs many times */
    DATA_SUBNORMAL, /* uniform, and too small for a normal float */
    DATA_KINDS,
};

/* NULL-terminated; the index of a word is its kind. */
extern const char *const data_words[];

void data_fill(enum data_kind data, enum value_kind kind, void *samples, size_t count);

#endif
