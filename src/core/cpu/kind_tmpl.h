/* The kind of values that a file of kernels is compiled for: float32, unless it has defined
 * KIND_F64 or KIND_I64 before it includes any template. The rules are those of window/rules.h. */
#ifndef GPUENV_CPU_KIND_TMPL_H
#define GPUENV_CPU_KIND_TMPL_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/rules.h"

#if defined(KIND_F64)

#define KIND VALUE_F64
#define KIND_HAS_NAN true
#define KIND_BELOW KEY64_BELOW
#define KIND_ABOVE KEY64_ABOVE
#define KIND_NAN_BITS RULES_NAN_BITS64
#define KIND_INFINITY_BITS INT64_C(0x7ff0000000000000)
typedef double kind_value;
typedef int64_t kind_key;
typedef uint64_t kind_bits;

#define kind_to_bits rules_bits64
#define kind_from_bits rules_double
#define kind_is_nan_bits rules_is_nan_bits64
#define kind_flip rules_flip64
#define kind_low_key rules_low_key64
#define kind_high_key rules_high_key64
#define kind_from_key rules_from_key64
#define kind_emit rules_emit64

#elif defined(KIND_I64)

#define KIND VALUE_I64
#define KIND_HAS_NAN false
#define KIND_BELOW KEY64_BELOW
#define KIND_ABOVE KEY64_ABOVE
#define KIND_NAN_BITS UINT64_C(0) /* never used */
typedef int64_t kind_value;
typedef int64_t kind_key;
typedef uint64_t kind_bits;

static inline kind_bits kind_to_bits(kind_value sample)
{
    return (kind_bits)sample;
}

static inline kind_value kind_from_bits(kind_bits bits)
{
    return (kind_value)bits;
}

static inline bool kind_is_nan_bits(kind_bits bits)
{
    (void)bits;
    return false;
}

static inline kind_bits kind_flip(kind_bits bits)
{
    return bits;
}

static inline kind_key kind_low_key(kind_value sample, enum nan_policy policy)
{
    (void)policy;
    return sample;
}

static inline kind_key kind_high_key(kind_value sample, enum nan_policy policy)
{
    (void)policy;
    return sample;
}

static inline kind_value kind_from_key(kind_key key)
{
    return key;
}

#else

#define KIND_F32
#define KIND VALUE_F32
#define KIND_HAS_NAN true
#define KIND_BELOW KEY_BELOW
#define KIND_ABOVE KEY_ABOVE
#define KIND_NAN_BITS RULES_NAN_BITS
#define KIND_INFINITY_BITS INT32_C(0x7f800000)
typedef float kind_value;
typedef int32_t kind_key;
typedef uint32_t kind_bits;

#define kind_to_bits rules_bits
#define kind_from_bits rules_float
#define kind_is_nan_bits rules_is_nan_bits
#define kind_flip rules_flip
#define kind_low_key rules_low_key
#define kind_high_key rules_high_key
#define kind_from_key rules_from_key
#define kind_emit rules_emit

#endif

#endif
