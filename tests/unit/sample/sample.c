/* Every sample type as float32, against a slow reference in plain arithmetic. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

static float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Every float is a double. */
static int same(float a, float b)
{
    return same_doubles((double)a, (double)b);
}

static float reference(struct sample_type type, const unsigned char *raw)
{
    double re;
    double im;

    if (!sample_type_is_complex(type))
        return (float)meaning(type, raw);
    re = (double)meaning(type, raw);
    im = (double)meaning(type, raw + number_bytes(type));
    if (isinf(re) || isinf(im))
        return INFINITY;
    return (float)sqrt(re * re + im * im);
}

static void test_names(void)
{
    static const char *const wrong[] = {"",     "f",     "f15",   "s16l", "s17",   "s8le", "u8be",
                                        "auto", "cs8le", "cf32 ", "c16",  "f32ne", "wav",  "s1"};
    /* Names of ALSA and NumPy. */
    static const char *const others[][2] = {
        {"S16_LE", "s16le"},  {"S32_BE", "s32be"},     {"FLOAT_LE", "f32le"},   {"U8", "u8"},
        {"int16", "s16le"},   {"float64", "f64le"},    {"float32", "f32le"},    {"uint8", "u8"},
        {"S24_3LE", "s24le"}, {"complex64", "cf32le"}, {"FLOAT64_BE", "f64be"}, {"F32", "f32le"},
    };
    struct sample_type type;

    for (size_t i = 0; i < NAMES; i++) {
        CHECK_THAT(sample_type_parse(names[i], true, &type), "%s", names[i]);
        CHECK(strcmp(sample_type_name(type), names[i]) == 0);
        CHECK(type.big_endian == (strstr(names[i], "be") != NULL));
        CHECK(!type.counts);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_THAT(!sample_type_parse(wrong[i], false, &type), "%s", wrong[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK_THAT(sample_type_parse(others[i][0], false, &type), "%s", others[i][0]);
        CHECK_THAT(strcmp(sample_type_name(type), others[i][1]) == 0, "%s", others[i][0]);
    }

    CHECK(sample_type_parse("s16", true, &type) && type.big_endian && type.kind == SAMPLE_S16);
    CHECK(sample_type_parse("s16", false, &type) && !type.big_endian);
    CHECK(sample_type_parse("s16le", true, &type) && !type.big_endian);
    CHECK(sample_type_parse("u8", true, &type) && !type.big_endian && type.kind == SAMPLE_U8);
    CHECK(sample_type_parse("cs16", true, &type) && type.big_endian);
    CHECK(sample_type_is_complex(type) && !sample_type_has_nan(type));
    CHECK(sample_type_bytes(type) == 4);
    CHECK(sample_type_bytes(type_of("cf32", 0)) == 8);
    CHECK(sample_type_bytes(type_of("s24", 0)) == 3);
    CHECK(sample_type_has_nan(type_of("cf32", 0)) && sample_type_has_nan(type_of("f64", 0)));
    CHECK(!sample_type_is_native(type_of("f64", 0), VALUE_F32));
    CHECK(sample_type_is_native(type_of("f32le", 0), VALUE_F32) !=
          sample_type_is_native(type_of("f32be", 0), VALUE_F32));
}

/* Special numbers, then random ones. */
static uint64_t pattern(unsigned index, enum sample_kind kind)
{
    static const uint64_t floats[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
        0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
        0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff, 0x3f000000, 0x33800000,
    };
    static const uint64_t doubles[] = {
        0,
        0x8000000000000000,
        0x0000000000000001,
        0x3ff0000000000000,
        0x7ff0000000000000,
        0xfff0000000000000,
        0x7ff8000000000000,
        0xfff0000000000001,
        0x7fefffffffffffff,
        0x47efffffe0000000,
        0x47effffff0000000,
        0x47efffffefffffff,
        0x3690000000000000,
        0x3690000000000001,
        0x36a0000000000000,
        0xb80fffffc0000000,
        0x3ff0000010000000,
        0x3ff0000030000000,
        0x3ff0000010000001,
        0x380fffffffffffff,
    };
    static const uint64_t integers[] = {
        0,          1,          2,          0x7f,       0x80,       0x81,      0xff,
        0x7fff,     0x8000,     0x8001,     0xffff,     0x7fffff,   0x800000,  0x800001,
        0xffffff,   0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x1000001, 0x1000003,
        0x7fffff80, 0x7fffffc0, 0x7fffffbf, 0x80000040, 0x800000c0, 0xffffff80};

    if (kind == SAMPLE_F64)
        return index < sizeof doubles / sizeof *doubles ? doubles[index] : chance();
    if (is_float(kind))
        return index < sizeof floats / sizeof *floats ? floats[index] : chance();
    return index < sizeof integers / sizeof *integers ? integers[index] : chance();
}

enum { SAMPLES = 4099, STRIDE_MOST = 7 };

static unsigned char raw_room[SAMPLES * STRIDE_MOST * 16 + 16];
static float samples[SAMPLES];

/* Each of the first 32 numbers paired with every number, for the complex types. */
static void fill_raw(struct sample_type type, unsigned char *raw, size_t stride)
{
    size_t bytes = number_bytes(type);
    size_t size = sample_type_bytes(type);

    for (size_t i = 0; i < SAMPLES * stride * size; i++)
        raw[i] = (unsigned char)chance();
    for (unsigned i = 0; i < SAMPLES; i++) {
        unsigned char *sample = raw + i * stride * size;

        scatter(pattern(sample_type_is_complex(type) ? i % 32 : i, type.kind), sample, bytes,
                type.big_endian);
        if (sample_type_is_complex(type))
            scatter(pattern(i / 32 % 40, type.kind), sample + bytes, bytes, type.big_endian);
    }
}

static void test_decode(struct sample_type type)
{
    static const size_t strides[] = {1, 2, 3, STRIDE_MOST};

    for (size_t s = 0; s < 4; s++) {
        size_t step = strides[s] * sample_type_bytes(type);
        unsigned char *raw = raw_room + (s * 5 + 1) % 8;

        fill_raw(type, raw, strides[s]);
        sample_decode_strided(type, VALUE_F32, raw, strides[s], samples, SAMPLES);
        for (size_t i = 0; i < SAMPLES; i++)
            CHECK_THAT(same(samples[i], reference(type, raw + i * step)),
                       "%s counts %d stride %zu sample %zu", sample_type_name(type), type.counts,
                       strides[s], i);
    }
    /* Any alignment, any count; nothing is written past the count. */
    for (size_t offset = 0; offset < 8; offset++) {
        for (size_t count = 0; count < 67; count++) {
            samples[count] = 123.0f;
            sample_decode(type, VALUE_F32, raw_room + offset, samples, count);
            CHECK(same(samples[count], 123.0f));
            for (size_t i = 0; i < count; i++)
                CHECK(same(samples[i],
                           reference(type, raw_room + offset + i * sample_type_bytes(type))));
        }
    }
}

/* All numbers of 16 bits, and enough of 24. */
static void test_decode_all(const char *name, uint32_t step)
{
    for (int counts = 0; counts < 2; counts++) {
        struct sample_type type = type_of(name, counts);
        uint64_t all = UINT64_C(1) << (8 * sample_type_bytes(type));

        for (uint64_t number = 0; number < all; number += step) {
            unsigned char raw[4];
            float sample;

            scatter(number, raw, sample_type_bytes(type), type.big_endian);
            sample_decode(type, VALUE_F32, raw, &sample, 1);
            if (!same(sample, reference(type, raw)))
                CHECK_THAT(0, "%s %llx", name, (unsigned long long)number);
        }
        CHECK(1);
    }
}

static void check_one(const char *name, int counts, uint64_t bits, float expected)
{
    struct sample_type type = type_of(name, counts);
    unsigned char raw[8];
    float sample;

    scatter(bits, raw, sample_type_bytes(type), type.big_endian);
    sample_decode(type, VALUE_F32, raw, &sample, 1);
    CHECK_THAT(same(sample, expected), "%s %llx: %a, not %a", name, (unsigned long long)bits,
               (double)sample, (double)expected);
}

/* Some by hand, so that the reference is checked, too. */
static void test_by_hand(void)
{
    check_one("s8", 0, 0x80, -1.0f);
    check_one("s8", 0, 0x7f, 0.9921875f);
    check_one("s8", 1, 0xff, -1.0f);
    check_one("u8", 0, 0x00, -1.0f);
    check_one("u8", 0, 0x80, 0.0f);
    check_one("u8", 1, 0x80, 128.0f);
    check_one("s16be", 0, 0x8000, -1.0f);
    check_one("s16le", 0, 0x7fff, 32767.0f / 32768.0f);
    check_one("u16le", 0, 0x0000, -1.0f);
    check_one("u16le", 1, 0xffff, 65535.0f);
    check_one("s24le", 0, 0x800000, -1.0f);
    check_one("s24be", 0, 0xffffff, -0x1p-23f);
    check_one("u24be", 0, 0x800001, 0x1p-23f);
    check_one("u24le", 1, 0xffffff, 16777215.0f);
    check_one("s32le", 0, 0x80000000, -1.0f);
    check_one("s32le", 0, 0x7fffffff, 1.0f); /* rounds up */
    check_one("s32le", 0, 0x00000001, 0x1p-31f);
    check_one("u32le", 0, 0x00000000, -1.0f);
    check_one("u32le", 0, 0x80000001, 0x1p-31f);
    check_one("u32be", 1, 0xffffffff, 4294967296.0f);
    check_one("u32le", 1, 0x01000001, 16777216.0f); /* a tie */
    check_one("f64le", 0, 0x47efffffefffffff, FLT_MAX);
    check_one("f64be", 0, 0x47effffff0000000, INFINITY);
    check_one("f16le", 0, 0x3c00, 1.0f);
    check_one("f16be", 0, 0x8001, -0x1p-24f);
    check_one("f16le", 0, 0x7bff, 65504.0f);
    check_one("f16le", 0, 0xfc00, -INFINITY);
    check_one("cs8", 1, 0x0403, 5.0f);
    check_one("cs8", 0, 0x8080, 1.41421356237309504880f);
    check_one("cs16le", 1, 0xfffc0003, 5.0f);
    check_one("cu8", 1, 0x807f, 0.70710678118654752440f);
    check_one("cu8", 0, 0x7f80, 0.70710678118654752440f / 128.0f);
    check_one("cf32le", 0, 0x40800000c0400000, 5.0f);
    check_one("cf32le", 0, 0x000000007f7fffff, FLT_MAX);
    check_one("cf32le", 0, 0x7f7fffff7f7fffff, INFINITY);
    check_one("cf32le", 0, 0x0000000000000001, 0x1p-149f);
    check_one("cf32le", 0, 0x7fc0000000000000, NAN);
    check_one("cf32le", 0, 0x00000000ff800000, INFINITY);
    check_one("cf32le", 0, 0x7fc00000ff800000, INFINITY);
    check_one("cf32le", 0, 0x7f8000007fc00000, INFINITY);
    check_one("s64le", 1, 0x0020000020000001, 0x1.000002p53f);
    check_one("u64le", 1, 0xffffffffffffffff, 0x1p64f);
    check_one("u64le", 0, 0, -1.0f);
    check_one("s64le", 0, 0x8000000000000000, -1.0f);
}

/* The integer expected for a number, and whether something is lost. */
static uint64_t reference_integer(struct sample_type type, float sample, int *clipped, int *nan)
{
    size_t bits = 8 * number_bytes(type);
    long double half = ldexpl(1.0L, (int)bits - 1);
    long double low = is_unsigned(type.kind) ? 0.0L : -half;
    long double high = low + 2.0L * half - 1.0L;
    long double zero = is_unsigned(type.kind) && !type.counts ? half : 0.0L;
    long double number;

    *clipped = 0;
    *nan = isnan(sample) != 0;
    if (*nan)
        return (uint64_t)zero;
    number = isinf(sample) ? sample : rintl(type.counts ? sample : sample * half) + zero;
    *clipped = number < low || number > high;
    if (*clipped)
        number = number < low ? low : high;
    return (uint64_t)(int64_t)number & ((UINT64_C(1) << bits) - 1);
}

static const float specials[] = {
    0.0f,       -0.0f,      1.0f,       -1.0f,       0.5f,        -0.5f,        1.5f,
    2.5f,       -2.5f,      0x1p-8f,    -0x1p-8f,    0x1.8p-7f,   0x1p-16f,     0x3p-16f,
    -0x5p-16f,  0x1p-24f,   0x3p-24f,   0x1p-32f,    0x3p-32f,    0x1p-149f,    FLT_MIN,
    FLT_MAX,    -FLT_MAX,   INFINITY,   -INFINITY,   NAN,         127.0f,       127.4f,
    127.5f,     128.0f,     -128.0f,    -128.5f,     -129.0f,     254.5f,       255.0f,
    255.5f,     32767.0f,   32767.5f,   -32768.5f,   65535.5f,    8388607.f,    8388608.f,
    16777215.f, 16777216.f, 2147483520, 0x1p31f,     -2147483648, 4294967040.f, 0x1p32f,
    0x1p63f,    -0x1p63f,   0x1p64f,    0.99609375f, 0.9999999f,  0.99998474f,  0.9999847f,
};

enum { SPECIALS = sizeof specials / sizeof *specials };

static void fill_samples(void)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        if (i < SPECIALS)
            samples[i] = specials[i];
        else if (i % 3 == 0)
            samples[i] = float_of((uint32_t)chance());
        else
            samples[i] = (float)((int64_t)chance() % 2200000) * 1e-6f;
        if (i % 3 == 1 && i >= SPECIALS)
            samples[i] *= 40000.0f;
    }
}

static void test_encode_integer(struct sample_type type)
{
    size_t bytes = number_bytes(type);

    fill_samples();
    for (size_t offset = 0; offset < 3; offset++) {
        unsigned char *raw = raw_room + offset;
        struct sample_losses losses = {5, 7};
        unsigned long long clipped = 5;
        unsigned long long nan = 7;

        memset(raw, 0xa5, SAMPLES * bytes + 1);
        sample_encode(type, VALUE_F32, samples, raw, SAMPLES, &losses);
        for (size_t i = 0; i < SAMPLES; i++) {
            int is_clipped;
            int is_nan;
            uint64_t expected = reference_integer(type, samples[i], &is_clipped, &is_nan);
            uint64_t bits = assemble(raw + i * bytes, bytes, type.big_endian);

            CHECK_THAT(bits == expected, "%s counts %d %a: %llx, not %llx", sample_type_name(type),
                       type.counts, (double)samples[i], (unsigned long long)bits,
                       (unsigned long long)expected);
            clipped += (unsigned)is_clipped;
            nan += (unsigned)is_nan;
        }
        CHECK(raw[SAMPLES * bytes] == 0xa5);
        CHECK(losses.clipped == clipped);
        CHECK(losses.nan == nan);
    }
}

static void test_encode_float(struct sample_type type)
{
    struct sample_losses losses = {0, 0};
    static float back[SAMPLES];

    fill_samples();
    memset(raw_room, 0xa5, SAMPLES * sample_type_bytes(type) + 2);
    sample_encode(type, VALUE_F32, samples, raw_room + 1, SAMPLES, &losses);
    CHECK(raw_room[SAMPLES * sample_type_bytes(type) + 1] == 0xa5);
    CHECK(losses.clipped == 0 && losses.nan == 0);
    for (size_t i = 0; i < SAMPLES; i++)
        CHECK(same(reference(type, raw_room + 1 + i * sample_type_bytes(type)), samples[i]));
    sample_decode(type, VALUE_F32, raw_room + 1, back, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++)
        CHECK(same(back[i], samples[i]));
}

static void test_encode_half(struct sample_type type)
{
    struct sample_losses losses = {0, 0};
    static float back[SAMPLES];

    fill_samples();
    for (size_t i = SPECIALS; i < SAMPLES; i += 2)
        samples[i] = (float)((int64_t)chance() % 4096) * (i % 4 == 0 ? 0x1p-26f : 0x1p5f);
    sample_encode(type, VALUE_F32, samples, raw_room + 1, SAMPLES, &losses);
    CHECK(losses.clipped == 0 && losses.nan == 0);
    sample_decode(type, VALUE_F32, raw_room + 1, back, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++)
        CHECK_THAT(same(back[i], (float)reference_half((double)samples[i])), "%a: %a",
                   (double)samples[i], (double)back[i]);
}

/* Round trip: all integers of up to 24 bits survive. */
static void test_round_trip(struct sample_type type)
{
    size_t bytes = number_bytes(type);
    struct sample_losses losses = {0, 0};
    static unsigned char back[SAMPLES * 3];

    for (size_t i = 0; i < SAMPLES; i++)
        scatter(i < 300 ? i - 150 : chance(), raw_room + i * bytes, bytes, type.big_endian);
    sample_decode(type, VALUE_F32, raw_room, samples, SAMPLES);
    sample_encode(type, VALUE_F32, samples, back, SAMPLES, &losses);
    CHECK(memcmp(raw_room, back, SAMPLES * bytes) == 0);
    CHECK(losses.clipped == 0 && losses.nan == 0);
}

static void test_nothing(void)
{
    struct sample_losses losses = {0, 0};

    for (size_t i = 0; i < NAMES; i++) {
        sample_decode(type_of(names[i], 0), VALUE_F32, NULL, NULL, 0);
        sample_decode_strided(type_of(names[i], 0), VALUE_F32, NULL, 2, NULL, 0);
        sample_encode(type_of(names[i], 0), VALUE_F32, NULL, NULL, 0, &losses);
    }
    CHECK(losses.clipped == 0 && losses.nan == 0);
}

int main(void)
{
    test_names();
    test_by_hand();
    test_nothing();
    for (size_t i = 0; i < NAMES; i++) {
        for (int counts = 0; counts < 2; counts++) {
            struct sample_type type = type_of(names[i], counts);

            test_decode(type);
            if (sample_type_is_complex(type) || type.kind == SAMPLE_S64 || type.kind == SAMPLE_U64)
                continue;
            if (type.kind == SAMPLE_F16)
                test_encode_half(type);
            else if (is_float(type.kind))
                test_encode_float(type);
            else
                test_encode_integer(type);
            if (!is_float(type.kind) && sample_type_bytes(type) <= 3)
                test_round_trip(type);
        }
    }
    test_decode_all("s8", 1);
    test_decode_all("u8", 1);
    test_decode_all("s16be", 1);
    test_decode_all("u16le", 1);
    test_decode_all("f16le", 1);
    test_decode_all("cs8", 1);
    test_decode_all("cu8", 1);
    test_decode_all("s24le", 61);
    test_decode_all("u24be", 61);
    return check_result();
}
