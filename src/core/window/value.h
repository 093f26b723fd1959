/* The rules of window/rules.h for values whose kind is known only at run time. Not for loops over
 * samples. */
#ifndef GPUENV_WINDOW_VALUE_H
#define GPUENV_WINDOW_VALUE_H

#include <stddef.h>
#include <stdint.h>

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
    else
        ((int64_t *)values)[index] = key;
}

/* A float of this kind, or any NaN. */
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

/* The result of a window that has none, of any kind: for integers there is always one. */
static inline void value_put_nan(enum value_kind kind, void *values, size_t index)
{
    if (kind == VALUE_F16)
        ((uint16_t *)values)[index] = RULES_NAN_BITS16;
    else if (kind == VALUE_F32)
        ((float *)values)[index] = rules_float(RULES_NAN_BITS);
    else if (kind == VALUE_FRAME)
        ((int64_t *)values)[index] = -1;
    else
        ((double *)values)[index] = rules_double(RULES_NAN_BITS64);
}

#endif
