/* SPDX-License-Identifier: MIT */
/* Shared by the tests of samples: numbers of every type that something could trip over, their
 * bytes, and what they stand for, in plain and slow arithmetic. */
#ifndef GPUENV_TESTS_SAMPLES_H
#define GPUENV_TESTS_SAMPLES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "random.h"
#include "sample/sample_type.h"

static const char *const names[] = {
    "f32le", "f32be", "f64le",  "f64be",  "s8",     "u8",     "s16le",  "s16be",
    "u16le", "u16be", "s24le",  "s24be",  "u24le",  "u24be",  "s32le",  "s32be",
    "u32le", "u32be", "cf32le", "cf32be", "cs16le", "cs16be", "cs8",    "cu8",
    "f16le", "f16be", "s64le",  "s64be",  "u64le",  "u64be",  "cf64le", "cf64be",
};

enum { NAMES = sizeof names / sizeof *names };

/* Bits for every type, which takes as many of the lower ones as it has. */
static const uint64_t specials[] = {
    /* float32 */
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff,
    0x3f000000, 0x33800000,
    /* integers */
    2, 3, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0x8001, 0xffff, 0x7fffff, 0x800000, 0x800001,
    0xffffff, 0x1000001, 0x1000003, 0x7fffff80, 0x7fffffc0, 0x7fffffbf, 0x80000040, 0x800000c0,
    0xffffff80, 0x7fffffff, 0x100000000, 0x180000000, 0x180000001, 0x17fffffff, 0x280000000,
    0x7fffffff7fffffff, 0x7fffffff80000000, 0x7ffffffeffffffff, 0x7fffffffffffffff,
    0x8000000000000000, 0x8000000000000001, 0x800000007fffffff, 0x8000000080000000,
    0x8000000080000001, 0xffffffff80000000, 0xffffffff7fffffff, 0xffffffffffffffff,
    0xfffffffffffffbff, 0xfffffffffffffc00, 0x7ffffffffffffdff, 0x7ffffffffffffe00,
    0x0020000000000001, 0x0020000000000003,
    /* float64: ones, halves, the ends of integers, infinities, NaN, the ends of float32 */
    0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x3ff8000000000000,
    0x4004000000000000, 0xc004000000000000, 0x41dfffffffc00000, 0x41dfffffffe00000,
    0x41dfffffffdfffff, 0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41efffffffefffff, 0x41effffffff00000, 0x43dfffffffffffff,
    0x43e0000000000000, 0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff,
    0x43f0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0xfff8000000000001, 0xfff0000000000001, 0x7fefffffffffffff, 0x000fffffffffffff,
    0x0010000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff,
    0xb80fffffc0000000, 0x380fffffffffffff, 0x3690000000000000, 0x3690000000000001,
    0x36a0000000000000, 0x3fefffffffffffff, 0xbfefffffffffffff, 0x3c00000000000000,
    0x3bf0000000000000, 0x3bf0000000000001, 0x3e00000000000000, 0x3df0000000000000,
    0x40effc0000000000, 0x40effdffffffffff, 0x40effe0000000000, 0x3e70000000000000,
    0x3e60000000000000, 0x3e60000000000001, 0x3f00200000000000, 0x3ff0000010000000,
    0x3ff0000010000001, 0x3ff0000030000000, 0x3ff0020000000000, 0x3ff0020000000001,
    0x3ff001ffffffffff, 0x3ff0060000000000};

enum { SPECIALS = sizeof specials / sizeof *specials, SAMPLES = 4099, STRIDE_MOST = 7 };

static unsigned char raw_room[SAMPLES * STRIDE_MOST * 16 + 16];

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Equal bits; all NaN are equal. */
static int same(double a, double b)
{
    return (isnan(a) && isnan(b)) || bits_of(a) == bits_of(b);
}

static int is_unsigned(enum sample_kind kind)
{
    return kind == SAMPLE_U8 || kind == SAMPLE_U16 || kind == SAMPLE_U24 || kind == SAMPLE_U32 ||
           kind == SAMPLE_U64 || kind == SAMPLE_CU8;
}

static int is_float(enum sample_kind kind)
{
    return kind == SAMPLE_F16 || kind == SAMPLE_F32 || kind == SAMPLE_F64 || kind == SAMPLE_CF32 ||
           kind == SAMPLE_CF64;
}

static struct sample_type type_of(const char *name, int counts)
{
    struct sample_type type = {0};

    CHECK_THAT(sample_type_parse(name, false, &type), "%s", name);
    type.counts = counts != 0;
    return type;
}

/* Bytes of one number: half a sample for a complex type. */
static size_t number_bytes(struct sample_type type)
{
    return sample_type_bytes(type) / (sample_type_is_complex(type) ? 2 : 1);
}

/* A number of `bytes` bytes at `raw`, byte by byte. */
static uint64_t assemble(const unsigned char *raw, size_t bytes, bool big)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < bytes; i++)
        bits |= (uint64_t)raw[big ? bytes - 1 - i : i] << (8 * i);
    return bits;
}

static void scatter(uint64_t bits, unsigned char *raw, size_t bytes, bool big)
{
    for (size_t i = 0; i < bytes; i++)
        raw[big ? bytes - 1 - i : i] = (unsigned char)(bits >> (8 * i));
}

/* Numbers of one type, `stride` samples apart, amid random bytes. Of a complex type each of the
 * first 32 numbers stands before each of the first 40. */
static inline void fill_raw(struct sample_type type, unsigned char *raw, size_t stride)
{
    const size_t bytes = number_bytes(type);
    const size_t size = sample_type_bytes(type);
    const bool is_pair = sample_type_is_complex(type);

    for (size_t i = 0; i < SAMPLES * stride * size; i++)
        raw[i] = (unsigned char)random_word();
    for (size_t i = 0; i < (is_pair ? (size_t)32 * 40 : SPECIALS); i++) {
        unsigned char *sample = raw + i * stride * size;

        scatter(specials[is_pair ? i % 32 : i], sample, bytes, type.big_endian);
        if (is_pair)
            scatter(specials[i / 32], sample + bytes, bytes, type.big_endian);
    }
}

#endif
