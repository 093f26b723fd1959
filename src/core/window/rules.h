/* SPDX-License-Identifier: MIT */
/* The order of samples, NaN handling, and the values computed from a minimum and a maximum. Every
 * engine follows these rules bit for bit.
 *
 * Samples are compared as *keys*, signed integers in the order of IEEE 754 minimum and maximum:
 * -inf < ... < -0 < +0 < ... < +inf. The float32 with the bits b has the key b when b >= 0, and b ^
 * 0x7fffffff when b < 0; a float64 likewise, with 64 bits. No number has the lowest or the highest
 * integer as its key: KEY_BELOW is less than every number, KEY_ABOVE is greater (KEY64_... for 64
 * bits).
 *
 * A NaN has two keys, one for the running minimum and one for the running maximum; they depend on
 * the policy. With `propagate` they win every comparison. With `omit` they lose every comparison. A
 * missing sample has the keys of an omitted NaN. So a window with a propagated NaN, or with nothing
 * but missing samples, results in KEY_BELOW or KEY_ABOVE, and both become NaN when converted back
 * to float. With `error` no NaN reaches an engine.
 *
 * An integer of 64 bits is its own key. The lowest and the highest are samples as well, but they
 * can still stand for missing samples: these lose against every sample or equal it, and no window
 * that is written has only missing ones. */
#ifndef GPUENV_WINDOW_RULES_H
#define GPUENV_WINDOW_RULES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/device_too.h"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math changes results: build gpuenv without it"
#endif

enum nan_policy {
    NAN_PROPAGATE,
    NAN_OMIT,
    NAN_ERROR,
};

#define KEY_BELOW INT32_MIN
#define KEY_ABOVE INT32_MAX
#define KEY64_BELOW INT64_MIN
#define KEY64_ABOVE INT64_MAX

/* The only NaN that is written. */
#define RULES_NAN_BITS UINT32_C(0x7fc00000)
#define RULES_NAN_BITS64 UINT64_C(0x7ff8000000000000)
#define RULES_NAN_BITS16 0x7e00

DEVICE_TOO uint32_t rules_bits(float sample)
{
    uint32_t bits;
    memcpy(&bits, &sample, sizeof bits);
    return bits;
}

DEVICE_TOO float rules_float(uint32_t bits)
{
    float sample;
    memcpy(&sample, &bits, sizeof sample);
    return sample;
}

DEVICE_TOO bool rules_is_nan_bits(uint32_t bits)
{
    return (bits & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000);
}

/* Converts a float's bits to a key, or back: the function is its own inverse. */
DEVICE_TOO uint32_t rules_flip(uint32_t bits)
{
    /* The mask has all ones below the sign if the sign is set. Two instructions; a conditional
     * takes three. */
    return bits ^ ((0U - (bits >> 31)) & UINT32_C(0x7fffffff));
}

/* The key of a sample in the running minimum. */
DEVICE_TOO int32_t rules_low_key(float sample, enum nan_policy policy)
{
    uint32_t bits = rules_bits(sample);
    if (rules_is_nan_bits(bits))
        return policy == NAN_OMIT ? KEY_ABOVE : KEY_BELOW;
    return (int32_t)rules_flip(bits);
}

/* The key of a sample in the running maximum. */
DEVICE_TOO int32_t rules_high_key(float sample, enum nan_policy policy)
{
    uint32_t bits = rules_bits(sample);
    if (rules_is_nan_bits(bits))
        return policy == NAN_OMIT ? KEY_BELOW : KEY_ABOVE;
    return (int32_t)rules_flip(bits);
}

DEVICE_TOO float rules_from_key(int32_t key)
{
    uint32_t bits = rules_flip((uint32_t)key);
    return rules_float(rules_is_nan_bits(bits) ? RULES_NAN_BITS : bits);
}

/* These are for float64. */

DEVICE_TOO uint64_t rules_bits64(double sample)
{
    uint64_t bits;
    memcpy(&bits, &sample, sizeof bits);
    return bits;
}

DEVICE_TOO double rules_double(uint64_t bits)
{
    double sample;
    memcpy(&sample, &bits, sizeof sample);
    return sample;
}

DEVICE_TOO bool rules_is_nan_bits64(uint64_t bits)
{
    return (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
}

DEVICE_TOO uint64_t rules_flip64(uint64_t bits)
{
    return bits ^ ((0U - (bits >> 63)) & UINT64_C(0x7fffffffffffffff));
}

DEVICE_TOO int64_t rules_low_key64(double sample, enum nan_policy policy)
{
    uint64_t bits = rules_bits64(sample);
    if (rules_is_nan_bits64(bits))
        return policy == NAN_OMIT ? KEY64_ABOVE : KEY64_BELOW;
    return (int64_t)rules_flip64(bits);
}

DEVICE_TOO int64_t rules_high_key64(double sample, enum nan_policy policy)
{
    uint64_t bits = rules_bits64(sample);
    if (rules_is_nan_bits64(bits))
        return policy == NAN_OMIT ? KEY64_BELOW : KEY64_ABOVE;
    return (int64_t)rules_flip64(bits);
}

DEVICE_TOO double rules_from_key64(int64_t key)
{
    uint64_t bits = rules_flip64((uint64_t)key);
    return rules_double(rules_is_nan_bits64(bits) ? RULES_NAN_BITS64 : bits);
}

/* These are for the bits of a float16. */

DEVICE_TOO bool rules_is_nan_bits16(uint16_t bits)
{
    return (bits & 0x7fff) > 0x7c00;
}

DEVICE_TOO uint16_t rules_flip16(uint16_t bits)
{
    return (uint16_t)(bits >> 15 != 0 ? bits ^ 0x7fff : bits);
}

DEVICE_TOO int16_t rules_low_key16(uint16_t bits, enum nan_policy policy)
{
    if (rules_is_nan_bits16(bits))
        return policy == NAN_OMIT ? INT16_MAX : INT16_MIN;
    return (int16_t)rules_flip16(bits);
}

DEVICE_TOO int16_t rules_high_key16(uint16_t bits, enum nan_policy policy)
{
    if (rules_is_nan_bits16(bits))
        return policy == NAN_OMIT ? INT16_MIN : INT16_MAX;
    return (int16_t)rules_flip16(bits);
}

DEVICE_TOO uint16_t rules_from_key16(int16_t key)
{
    const uint16_t bits = rules_flip16((uint16_t)key);

    return rules_is_nan_bits16(bits) ? RULES_NAN_BITS16 : bits;
}

/* Values made of the minimum and the maximum of a window. */
enum combine {
    COMBINE_ABS,   /* the largest magnitude */
    COMBINE_RANGE, /* max - min, rounded once */
    COMBINE_MID,   /* (min + max) / 2, in double, so that it cannot overflow */
};

/* One value from the minimum and the maximum of a window. Either both are NaN or neither is. */
DEVICE_TOO float rules_combine(enum combine combine, float low, float high)
{
    float value = low;

    switch (combine) {
    case COMBINE_ABS:
        value = fabsf(low) > fabsf(high) ? fabsf(low) : fabsf(high);
        break;
    case COMBINE_RANGE:
        value = high - low;
        break;
    case COMBINE_MID:
        value = (float)(((double)low + (double)high) * 0.5);
        break;
    }
    /* Infinities can produce a new NaN, and arithmetic on a NaN, even its magnitude, gives
     * machine-dependent bits. */
    return isnan(value) ? rules_float(RULES_NAN_BITS) : value;
}

/* rules_combine() for float64. The middle is half of the sum; where the sum is too large, it is the
 * sum of the halves, which loses nothing because both are far from subnormal then. */
DEVICE_TOO double rules_combine64(enum combine combine, double low, double high)
{
    double value = low;

    switch (combine) {
    case COMBINE_ABS:
        value = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
        break;
    case COMBINE_RANGE:
        value = high - low;
        break;
    case COMBINE_MID:
        value = (low + high) * 0.5;
        if (isinf(value) && !isinf(low) && !isinf(high))
            value = low * 0.5 + high * 0.5;
        break;
    }
    return isnan(value) ? rules_double(RULES_NAN_BITS64) : value;
}

#endif
