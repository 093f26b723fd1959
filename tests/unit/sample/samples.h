/* Shared by the tests of samples: random bits, the bytes of numbers, and what they stand for. */
#ifndef GPUENV_TESTS_SAMPLES_H
#define GPUENV_TESTS_SAMPLES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "sample/sample_type.h"

static const char *const names[] = {
    "f32le", "f32be", "f64le",  "f64be",  "s8",     "u8",     "s16le",  "s16be",
    "u16le", "u16be", "s24le",  "s24be",  "u24le",  "u24be",  "s32le",  "s32be",
    "u32le", "u32be", "cf32le", "cf32be", "cs16le", "cs16be", "cs8",    "cu8",
    "f16le", "f16be", "s64le",  "s64be",  "u64le",  "u64be",  "cf64le", "cf64be",
};

enum { NAMES = sizeof names / sizeof *names };

static uint64_t chance_state = 1;

static uint64_t chance(void)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return chance_state;
}

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
static int same_doubles(double a, double b)
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

static long double meaning_of_half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    long double digits = (long double)(bits & 1023);
    long double number = exponent == 0 ? ldexpl(digits, -24) : ldexpl(digits + 1024, exponent - 25);

    if (exponent == 31)
        number = digits > 0 ? (long double)NAN : (long double)INFINITY;
    return (bits & 0x8000) != 0 ? -number : number;
}

/* The exact value of one number of this type: long double holds 64 bits. */
static long double meaning(struct sample_type type, const unsigned char *raw)
{
    size_t bytes = number_bytes(type);
    uint64_t bits = assemble(raw, bytes, type.big_endian);
    uint32_t low = (uint32_t)bits;
    long double half = ldexpl(1.0L, (int)(8 * bytes) - 1);
    long double number = (long double)bits;
    float narrow;

    memcpy(&narrow, &low, sizeof narrow);
    if (is_float(type.kind))
        return bytes == 2 ? meaning_of_half(bits) : bytes == 4 ? narrow : double_of(bits);
    if (!is_unsigned(type.kind) && number >= half)
        number -= 2.0L * half;
    if (type.kind == SAMPLE_CU8)
        return (number - 127.5L) / (type.counts ? 1.0L : 128.0L);
    if (type.counts)
        return number;
    return (is_unsigned(type.kind) ? number - half : number) / half;
}

/* The nearest float16, ties to even: rounded at its last place, which is at 2^-24 for a
 * subnormal. */
static double reference_half(double sample)
{
    int exponent;
    double nearest;

    if (isnan(sample) || isinf(sample) || sample == 0.0)
        return sample;
    (void)frexp(sample, &exponent);
    exponent = exponent - 11 < -24 ? -24 : exponent - 11;
    nearest = (double)ldexpl(rintl(ldexpl(sample, -exponent)), exponent);
    return fabs(nearest) > 65504.0 ? copysign((double)INFINITY, sample) : copysign(nearest, sample);
}

#endif
