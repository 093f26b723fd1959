/* SPDX-License-Identifier: MIT */
/* What the kernels of statistics share with all others: the size of a leaf, and full scale. */
#ifndef GPUENV_ENGINE_LEAF_H
#define GPUENV_ENGINE_LEAF_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample_type.h"

/* The summation tree: the size of a leaf, and the number of lanes in which it is summed. */
enum {
    TREE_LEAF = 4096, /* frames */
    TREE_LANES = 32,
};

/* The mean of numbers, and the squares of their deviations from it. */
struct deviations {
    double count;
    double mean;
    double squares;
};

/* The numbers of a block (cpu/variance.h). A kernel takes at most 2^VARIANCE_LEVEL_MOST blocks. */
enum { VARIANCE_BLOCK = 32, VARIANCE_LEVEL_MOST = 4 };

/* Full scale: samples with a key of at most `low` or at least `high` reach it. If full scale is not
 * known, no sample reaches it. */
struct full_scale {
    int64_t low;
    int64_t high;
    bool known;
};

/* Full scale of samples of `type` as values of the kind: -1 and 1 for floats, the ends of the codes
 * for integers. It is not known for complex types and for `counts`. */
struct full_scale full_scale_of(struct sample_type type, enum value_kind kind);

#endif
