/* SPDX-License-Identifier: MIT */
/* The numbers that the keys of extremes stand for, for every type of samples. A magnitude is kept
 * as an integer that has its order: the bits of a float without its sign, or the integer's
 * magnitude. */
#ifndef GPUENV_CPU_LEVEL_H
#define GPUENV_CPU_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/rules.h"

#define LEVEL_TOP_BIT (UINT64_C(1) << 63)

/* The bits of the value with this key. The kind is that of sample_type_numbers(). */
static inline uint64_t level_bits(enum value_kind kind, int64_t key)
{
    return kind == VALUE_F32   ? rules_flip((uint32_t)key)
           : kind == VALUE_F64 ? rules_flip64((uint64_t)key)
                               : (uint64_t)key;
}

/* The magnitude of the value with this key. */
static inline uint64_t level_magnitude(enum value_kind kind, int64_t key)
{
    if (kind == VALUE_F32 || kind == VALUE_F64)
        return level_bits(kind, key) & (kind == VALUE_F32 ? INT32_MAX : INT64_MAX);
    if (kind == VALUE_U64)
        return (uint64_t)key ^ LEVEL_TOP_BIT;
    return key < 0 ? 0 - (uint64_t)key : (uint64_t)key;
}

/* A number to be shown. */
struct level {
    enum value_kind kind; /* VALUE_F32, VALUE_F64, or VALUE_U64: the digits of `whole` */
    double value;         /* the nearest float64 */
    uint64_t whole;       /* the magnitude of an integer */
    bool negative;
};

struct level level_of_key(struct sample_type type, int64_t key);
struct level level_of_magnitude(struct sample_type type, uint64_t magnitude);

#endif
