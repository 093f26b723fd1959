/* SPDX-License-Identifier: MIT */
/* The rules of window/rules.h for values whose kind is known only at run time. Not for loops over
 * samples. */
#ifndef GPUENV_WINDOW_VALUE_H
#define GPUENV_WINDOW_VALUE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sample/sample_type.h"
#include "window/rules.h"

/* The keys of values[index] in the running minimum and maximum. */
struct value_keys {
    int64_t low;
    int64_t high;
};

static inline struct value_keys value_keys_of(enum value_kind kind, enum nan_policy policy,
                                              const void *values, size_t index)
{
    float narrow;
    double wide;
    int64_t whole;

    if (kind == VALUE_F32) {
        narrow = ((const float *)values)[index];
        return (struct value_keys){rules_low_key(narrow, policy), rules_high_key(narrow, policy)};
    }
    if (kind == VALUE_F64) {
        wide = ((const double *)values)[index];
        return (struct value_keys){rules_low_key64(wide, policy), rules_high_key64(wide, policy)};
    }
    whole = ((const int64_t *)values)[index];
    return (struct value_keys){whole, whole};
}

/* values[index] = the value of the key */
static inline void value_put_key(enum value_kind kind, int64_t key, void *values, size_t index)
{
    if (kind == VALUE_F32)
        ((float *)values)[index] = rules_from_key((int32_t)key);
    else if (kind == VALUE_F64)
        ((double *)values)[index] = rules_from_key64(key);
    else if (kind == VALUE_F16)
        ((uint16_t *)values)[index] = rules_from_key16((int16_t)key);
    else if (kind == VALUE_S8 || kind == VALUE_U8)
        ((uint8_t *)values)[index] = (uint8_t)(kind == VALUE_U8 ? key ^ 0x80 : key);
    else if (kind == VALUE_S16 || kind == VALUE_U16)
        ((uint16_t *)values)[index] = (uint16_t)(kind == VALUE_U16 ? key ^ 0x8000 : key);
    else if (kind == VALUE_S32 || kind == VALUE_U32)
        ((uint32_t *)values)[index] = (uint32_t)(kind == VALUE_U32 ? key ^ 0x80000000 : key);
    else
        ((int64_t *)values)[index] = key;
}

/* values[index] = the number, rounded to the float kind. Any NaN becomes the only NaN that is
 * written. */
static inline void value_put_number(enum value_kind kind, double number, void *values, size_t index)
{
    if (kind == VALUE_F32)
        ((float *)values)[index] = isnan(number) ? rules_float(RULES_NAN_BITS) : (float)number;
    else
        ((double *)values)[index] = isnan(number) ? rules_double(RULES_NAN_BITS64) : number;
}

static inline bool value_is_nan(enum value_kind kind, const void *values, size_t index)
{
    if (kind == VALUE_F32)
        return isnan(((const float *)values)[index]) != 0;
    return kind == VALUE_F64 && isnan(((const double *)values)[index]) != 0;
}

/* Writes the result of a window without numbers, of any kind. A window of integers always has one.
 * `values` need not be aligned. */
static inline void value_put_nan(enum value_kind kind, void *values, size_t index)
{
    const uint16_t nan16 = RULES_NAN_BITS16;
    const uint32_t nan32 = RULES_NAN_BITS;
    const uint64_t nan64 = RULES_NAN_BITS64;
    const int64_t none = -1;
    unsigned char *bytes = values;

    if (kind == VALUE_F16)
        memcpy(bytes + index * sizeof nan16, &nan16, sizeof nan16);
    else if (kind == VALUE_F32)
        memcpy(bytes + index * sizeof nan32, &nan32, sizeof nan32);
    else if (kind == VALUE_FRAME)
        memcpy(bytes + index * sizeof none, &none, sizeof none);
    else
        memcpy(bytes + index * sizeof nan64, &nan64, sizeof nan64);
}

#endif
