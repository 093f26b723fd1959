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

/* Full scale: samples with a key of at most `low` or at least `high` reach it. If it is not known,
 * no sample does. */
struct full_scale {
    int64_t low;
    int64_t high;
    bool known;
};

/* Full scale of samples of `type` as values of the kind: -1 and 1 of floats, the ends of the codes
 * of integers. Not known of complex types and of `counts`. */
struct full_scale full_scale_of(struct sample_type type, enum value_kind kind);

#endif
