/* SPDX-License-Identifier: MIT */
/* Decodes one raw sample of each kind to float32, and those that float32 cannot hold to float64 or,
 * 64-bit integers, to themselves. For this room and for the device kernel that decodes: they give
 * equal bits, as long as a*b+c is not contracted. */
#ifndef GPUENV_SAMPLE_DECODE_ONE_H
#define GPUENV_SAMPLE_DECODE_ONE_H

#include <math.h>

#include "sample/bytes.h"
#include "sample/sample_type.h"

/* Integers are scaled as (integer - middle) * factor. The factor is a power of two, so nothing is
 * rounded. With `counts` the factor is 1 and the middle 0. */
struct scaling {
    int32_t middle;
    float factor;
};

SAMPLE_TEMPLATE struct scaling scaling_make(int32_t middle, float factor)
{
    struct scaling scaling;

    scaling.middle = middle;
    scaling.factor = factor;
    return scaling;
}

/* A function that decodes one sample. */
#define DECODER(name, value)                                                                       \
    SAMPLE_TEMPLATE value name(const unsigned char *raw, bool big __attribute__((unused)),         \
                               struct scaling scaling __attribute__((unused)))

DECODER(decode_f32, float)
{
    return sample_load_float(raw, big);
}

DECODER(decode_f64, float)
{
    return (float)sample_load_double(raw, big);
}

DECODER(decode_s8, float)
{
    return (float)(int8_t)raw[0] * scaling.factor;
}

DECODER(decode_u8, float)
{
    return (float)(raw[0] - scaling.middle) * scaling.factor;
}

DECODER(decode_s16, float)
{
    return (float)(int16_t)sample_load16(raw, big) * scaling.factor;
}

DECODER(decode_u16, float)
{
    return (float)(sample_load16(raw, big) - scaling.middle) * scaling.factor;
}

DECODER(decode_s24, float)
{
    /* Flipping the sign bit turns two's complement into an unsigned number with the middle
     * 0x800000. */
    int32_t number = (int32_t)(sample_load24(raw, big) ^ UINT32_C(0x800000)) - 0x800000;
    return (float)number * scaling.factor;
}

DECODER(decode_u24, float)
{
    return (float)((int32_t)sample_load24(raw, big) - scaling.middle) * scaling.factor;
}

/* Decoders to float32 and to float64. Integers are rounded once, when converted. */
#define WIDE_DECODERS(type, number)                                                                \
    DECODER(decode_##type, float)                                                                  \
    {                                                                                              \
        return (float)(number)*scaling.factor;                                                     \
    }                                                                                              \
                                                                                                   \
    DECODER(decode64_##type, double)                                                               \
    {                                                                                              \
        return (double)(number) * (double)scaling.factor;                                          \
    }

/* Flipping the top bit of an unsigned number and reading it as a sign subtracts the middle. */
WIDE_DECODERS(s32, (int32_t)sample_load32(raw, big))
WIDE_DECODERS(u32, (int32_t)(sample_load32(raw, big) ^ UINT32_C(0x80000000)))
WIDE_DECODERS(s64, (int64_t)sample_load64(raw, big))
WIDE_DECODERS(u64, (int64_t)(sample_load64(raw, big) ^ UINT64_C(0x8000000000000000)))
WIDE_DECODERS(u32_counts, sample_load32(raw, big))
WIDE_DECODERS(u64_counts, sample_load64(raw, big))

/* In double, no square of a float overflows or vanishes, and squares of integers are exact. Scaling
 * by a power of two commutes with the root and its rounding, so it may come last. (Squares of
 * doubles may overflow or vanish, but then float32 cannot represent the root either.) */
SAMPLE_TEMPLATE float magnitude(double re, double im)
{
    return (float)sqrt(re * re + im * im);
}

/* The sum of the squares is exact in float32, so only the root is rounded. */
SAMPLE_TEMPLATE float magnitude_of_bytes(float re, float im)
{
    return sqrtf(re * re + im * im);
}

/* Infinite if either part is infinite, even if the other is NaN, like C's hypot(). */
SAMPLE_TEMPLATE float magnitude_of_floats(double re, double im)
{
    float root = magnitude(re, im);

    return fabs(re) == (double)INFINITY || fabs(im) == (double)INFINITY ? (float)INFINITY : root;
}

DECODER(decode_cf32, float)
{
    return magnitude_of_floats((double)sample_load_float(raw, big),
                               (double)sample_load_float(raw + sizeof(float), big));
}

DECODER(decode_cf64, float)
{
    return magnitude_of_floats(sample_load_double(raw, big),
                               sample_load_double(raw + sizeof(double), big));
}

DECODER(decode_cs16, float)
{
    return magnitude((int16_t)sample_load16(raw, big), (int16_t)sample_load16(raw + 2, big)) *
           scaling.factor;
}

DECODER(decode_cs8, float)
{
    return magnitude_of_bytes((int8_t)raw[0], (int8_t)raw[1]) * scaling.factor;
}

/* The zero of an rtl_sdr dongle lies between 127 and 128: its converter has no code for zero. With
 * 128 as zero, every magnitude would be off by up to half a step. */
DECODER(decode_cu8, float)
{
    return magnitude_of_bytes((float)raw[0] - 127.5F, (float)raw[1] - 127.5F) * scaling.factor;
}

/* The exponent of a float16 becomes that of a float32 by adding 112 to it. A subnormal one has no
 * exponent, but counts units of 2^-24: it becomes the last digits of 2^-14, which is then
 * subtracted. (Multiplying by 2^112 would decode all float16, but with subnormals it takes some
 * processors 150 cycles.) */
DECODER(decode_f16, float)
{
    uint32_t half = sample_load16(raw, big);
    uint32_t bits = (half & 0x7fff) << 13;
    uint32_t units = bits + 0x38800000;
    float number;

    memcpy(&number, &units, sizeof number);
    number -= 0x1p-14f;
    memcpy(&units, &number, sizeof units);
    bits += (half & 0x7c00) == 0x7c00 ? 0x70000000 : 0x38000000;
    if ((half & 0x7c00) == 0)
        bits = units;
    bits |= (half & 0x8000) << 16;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The codes of G.711: a sign, three bits of an exponent and four of a mantissa, some flipped. */

DECODER(decode_ulaw, float)
{
    const int code = raw[0] ^ 0xff;
    const int size = ((((code & 0xf) << 3) + 0x84) << (code >> 4 & 7)) - 0x84;

    return (float)((code & 0x80) != 0 ? -size : size) * scaling.factor;
}

DECODER(decode_alaw, float)
{
    const int code = raw[0] ^ 0x55;
    const int exponent = code >> 4 & 7;
    const int size =
        exponent == 0 ? ((code & 0xf) << 4) + 8 : (((code & 0xf) << 4) + 0x108) << (exponent - 1);

    return (float)((code & 0x80) != 0 ? size : -size) * scaling.factor;
}

DECODER(decode64_f64, double)
{
    return sample_load_double(raw, big);
}

/* The root of the sum of the squares. Parts whose squares could overflow or vanish are scaled by a
 * power of two, which changes no digit. Infinite if either part is infinite, even if the other is
 * NaN. */
SAMPLE_TEMPLATE double magnitude_of_doubles(double re, double im)
{
    double larger = fabs(re) > fabs(im) ? fabs(re) : fabs(im);
    double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-450 ? 0x1p600 : 1.0;
    double back = larger > 0x1p500 ? 0x1p600 : larger < 0x1p-450 ? 0x1p-600 : 1.0;
    double root;

    re *= scale;
    im *= scale;
    root = sqrt(re * re + im * im) * back;
    return fabs(re) == (double)INFINITY || fabs(im) == (double)INFINITY ? (double)INFINITY : root;
}

DECODER(decode64_cf64, double)
{
    return magnitude_of_doubles(sample_load_double(raw, big),
                                sample_load_double(raw + sizeof(double), big));
}

/* Decoders to 64-bit integers. u64 gets its top bit flipped, which keeps the order. */

DECODER(decode_integer_s64, int64_t)
{
    return (int64_t)sample_load64(raw, big);
}

DECODER(decode_integer_u64, int64_t)
{
    return (int64_t)(sample_load64(raw, big) ^ UINT64_C(0x8000000000000000));
}

/* The decoders of all types to float32, with the bytes of a sample: decode_f32() for SAMPLE_F32.
 * `row_24` is for types of three bytes, and `by_counts` for decode_u32() and
 * decode_u32_counts(). */
/* clang-format off */
#define DECODERS(row, row_24, by_counts)                                                      \
    row(F32, f32, 4) row(F64, f64, 8) row(S8, s8, 1) row(U8, u8, 1) row(S16, s16, 2)          \
    row(U16, u16, 2) row_24(S24, s24, 3) row_24(U24, u24, 3) row(S32, s32, 4)                 \
    by_counts(U32, u32, 4) row(CF32, cf32, 8) row(CS16, cs16, 4) row(CS8, cs8, 2)             \
    row(CU8, cu8, 2) row(F16, f16, 2) row(S64, s64, 8) by_counts(U64, u64, 8)                 \
    row(CF64, cf64, 16) row(ULAW, ulaw, 1) row(ALAW, alaw, 1)

/* Decoders to float64, for the types that float32 cannot hold: decode64_f64(). */
#define DECODERS64(row, by_counts)                                                            \
    row(F64, f64, 8) row(S32, s32, 4) by_counts(U32, u32, 4) row(S64, s64, 8)                 \
    by_counts(U64, u64, 8) row(CF64, cf64, 16)
/* clang-format on */

DEVICE_TOO struct scaling scaling_of(struct sample_type type)
{
    switch (type.counts ? SAMPLE_F32 : type.kind) {
    case SAMPLE_S8:
    case SAMPLE_CS8:
    case SAMPLE_CU8:
        return scaling_make(0, 0x1p-7f);
    case SAMPLE_U8:
        return scaling_make(0x80, 0x1p-7f);
    case SAMPLE_S16:
    case SAMPLE_CS16:
    case SAMPLE_ULAW:
    case SAMPLE_ALAW:
        return scaling_make(0, 0x1p-15f);
    case SAMPLE_U16:
        return scaling_make(0x8000, 0x1p-15f);
    case SAMPLE_S24:
        return scaling_make(0, 0x1p-23f);
    case SAMPLE_U24:
        return scaling_make(0x800000, 0x1p-23f);
    case SAMPLE_S32:
    case SAMPLE_U32:
        return scaling_make(0, 0x1p-31f);
    case SAMPLE_S64:
    case SAMPLE_U64:
        return scaling_make(0, 0x1p-63f);
    default:
        return scaling_make(0, 1.0f);
    }
}

#endif
