/* SPDX-License-Identifier: MIT */
/* The rounding and clipping of one number, for sample_encode() and for the device kernel that
 * encodes, so that both give equal bits. */
#ifndef GPUENV_SAMPLE_ENCODE_ONE_H
#define GPUENV_SAMPLE_ENCODE_ONE_H

#include <math.h>
#include <string.h>

#include "sample/bytes.h"
#include "sample/sample_type.h"

/* Numbers become integers in three steps: multiplied by `factor` and rounded, clipped to low ..
 * high, then `middle` is added. The middle comes last: if it were added earlier, the fraction that
 * decides a tie would not fit into the double. It is even, so ties still go to even numbers. */
struct value_range {
    double factor;
    double low;
    double high; /* for 64-bit integers 2^63 or 2^64, the first number beyond the range */
    uint64_t middle;
};

static inline struct value_range range_of(struct sample_type type)
{
    bool is_unsigned = type.kind == SAMPLE_U8 || type.kind == SAMPLE_U16 ||
                       type.kind == SAMPLE_U24 || type.kind == SAMPLE_U32 ||
                       type.kind == SAMPLE_U64;
    double half = ldexp(1.0, (int)(8 * sample_type_bytes(type)) - 1);
    double last = sample_type_bytes(type) == 8 ? 0.0 : 1.0;

    struct value_range range = {type.counts ? 1.0 : half, -half, half - last, 0};

    if (is_unsigned && type.counts) {
        range.low = 0.0;
        range.high = 2.0 * half - last;
    } else if (is_unsigned) {
        range.middle = (uint64_t)half;
    }
    return range;
}

/* A number in a range of at most 32 bits; NaN becomes 0. */
SAMPLE_TEMPLATE uint32_t range_bits(const struct value_range *range, double number,
                                    struct sample_losses *losses)
{
    if (isnan(number)) {
        number = 0.0;
        losses->nan++;
    }
    number = rint(number * range->factor);
    if (number < range->low) {
        number = range->low;
        losses->clipped++;
    } else if (number > range->high) {
        number = range->high;
        losses->clipped++;
    }
    return (uint32_t)(int64_t)number + (uint32_t)range->middle;
}

/* Rounds to float16 by adding and subtracting a number whose last place is the last one that the
 * float16 keeps. Numbers that become subnormal are rounded to multiples of 2^-24. */
SAMPLE_TEMPLATE uint32_t half_of(float number)
{
    uint32_t bits;
    uint32_t sign;
    float magnitude = fabsf(number);
    float anchor;

    memcpy(&bits, &number, sizeof bits);
    sign = bits >> 16 & 0x8000;
    if (isnan(number))
        return sign | 0x7e00;
    if (magnitude >= 65520.0f) /* halfway between the largest float16 and the next power of two */
        return sign | 0x7c00;
    bits &= 0x7f800000;
    if (magnitude < 0x1p-14f)
        bits = 113U << 23;
    bits += 13U << 23;
    memcpy(&anchor, &bits, sizeof anchor);
    /* The anchor is the number's power of two, times 2^13. */
    magnitude = (magnitude + anchor) - anchor;
    if (magnitude < 0x1p-14f)
        return sign | (uint32_t)(magnitude * 0x1p24f);
    memcpy(&bits, &magnitude, sizeof bits);
    return sign | ((bits >> 13) - (112U << 10));
}

/* A float32 that rounds to the float16 that `number` rounds to: the nearest float32 toward zero,
 * with its last bit set if it is not exact. The bit lies far below the last place of a float16. */
SAMPLE_TEMPLATE float float_for_half(double number)
{
    float nearest = (float)number;
    uint32_t bits;

    if (isnan(number) || (double)nearest == number)
        return nearest;
    memcpy(&bits, &nearest, sizeof bits);
    if (fabs((double)nearest) > fabs(number))
        bits--;
    bits |= 1;
    memcpy(&nearest, &bits, sizeof nearest);
    return nearest;
}

#endif
