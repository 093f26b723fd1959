/* SPDX-License-Identifier: MIT */
/* The kind of values that a file of kernels is compiled for: float32, unless the file has defined
 * KIND_F64, KIND_I64, KIND_F16, KIND_I32, KIND_I16 or KIND_I8 before it includes any template. The
 * rules are those of window/rules.h.
 *
 * With KIND_COMPACT, kernels have a slider and nothing else. Kernels of KIND_I8, KIND_I16 and
 * KIND_I32 are for two kinds of values: the keys of unsigned integers have the top bit flipped. */
#ifndef GPUENV_CPU_KIND_TMPL_H
#define GPUENV_CPU_KIND_TMPL_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/rules.h"

#if defined(KIND_F64)

#define KIND VALUE_F64
#define KIND_BYTES 8
#define KIND_HAS_NAN 1
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
#define kind_combine rules_combine64

#elif defined(KIND_F16)

#define KIND_COMPACT
#define KIND VALUE_F16
#define KIND_BYTES 2
#define KIND_HAS_NAN 1
#define KIND_BELOW INT16_MIN
#define KIND_ABOVE INT16_MAX
#define KIND_NAN_BITS RULES_NAN_BITS16
#define KIND_INFINITY_BITS 0x7c00
typedef uint16_t kind_value; /* the bits of a float16 */
typedef int16_t kind_key;
typedef uint16_t kind_bits;

#define kind_to_bits(sample) (sample)
#define kind_from_bits(bits) ((kind_value)(bits))
#define kind_is_nan_bits rules_is_nan_bits16
#define kind_flip rules_flip16
#define kind_low_key rules_low_key16
#define kind_high_key rules_high_key16
#define kind_from_key rules_from_key16

#elif defined(KIND_I64) || defined(KIND_I32) || defined(KIND_I16) || defined(KIND_I8)

#define KIND_IS_INTEGER
#define KIND_HAS_NAN 0
#define KIND_NAN_BITS 0 /* never used */

#ifdef KIND_I64
#define KIND VALUE_I64
#define KIND_BYTES 8
#define KIND_BELOW KEY64_BELOW
#define KIND_ABOVE KEY64_ABOVE
typedef int64_t kind_key;
typedef uint64_t kind_bits;
#else
#define KIND_COMPACT
#endif
#ifdef KIND_I32
#define KIND VALUE_S32
#define KIND_UNSIGNED VALUE_U32
#define KIND_BYTES 4
#define KIND_BELOW INT32_MIN
#define KIND_ABOVE INT32_MAX
typedef int32_t kind_key;
typedef uint32_t kind_bits;
#endif
#ifdef KIND_I16
#define KIND VALUE_S16
#define KIND_UNSIGNED VALUE_U16
#define KIND_BYTES 2
#define KIND_BELOW INT16_MIN
#define KIND_ABOVE INT16_MAX
typedef int16_t kind_key;
typedef uint16_t kind_bits;
#endif
#ifdef KIND_I8
#define KIND VALUE_S8
#define KIND_UNSIGNED VALUE_U8
#define KIND_BYTES 1
#define KIND_BELOW INT8_MIN
#define KIND_ABOVE INT8_MAX
typedef int8_t kind_key;
typedef uint8_t kind_bits;
#endif
typedef kind_key kind_value;

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

#define kind_high_key kind_low_key

static inline kind_value kind_from_key(kind_key key)
{
    return key;
}

#else

#ifndef KIND_F32
#define KIND_F32
#endif
#define KIND VALUE_F32
#define KIND_BYTES 4
#define KIND_HAS_NAN 1
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
#define kind_combine rules_combine

#endif

#endif
