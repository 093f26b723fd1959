/* SPDX-License-Identifier: MIT */
/* The values above or below a level, as keys: integers in the order of values, of 64 bits for every
 * kind of value (window/rules.h). Private to this folder. */
#ifndef GPUENV_FORMAT_SPAN_KEYS_PRIV_H
#define GPUENV_FORMAT_SPAN_KEYS_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/rules.h"

struct span_rule;

#define SPAN_TOP_BIT (UINT64_C(1) << 63)

struct span_keys {
    int64_t first;
    int64_t last; /* less than `first` if there are no keys */
};

/* The keys of the values that a rule means. NaN has none of these keys. */
struct span_keys span_keys_of(const struct span_rule *rule, enum value_kind kind);

static inline bool span_keys_have(struct span_keys keys, int64_t key)
{
    return key >= keys.first && key <= keys.last;
}

/* The key of a value. */
static inline int64_t span_key(enum value_kind kind, const void *values, size_t index)
{
    switch (kind) {
    case VALUE_F32:
        return (int32_t)rules_flip(rules_bits(((const float *)values)[index]));
    case VALUE_F64:
        return (int64_t)rules_flip64(rules_bits64(((const double *)values)[index]));
    case VALUE_I64:
        return ((const int64_t *)values)[index];
    default:
        return (int64_t)(((const uint64_t *)values)[index] ^ SPAN_TOP_BIT);
    }
}

#endif
