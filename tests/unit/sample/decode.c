/* SPDX-License-Identifier: MIT */
/* The names of sample types; every type as each kind of values, against exact arithmetic; and the
 * first NaN of raw samples. */
#include <float.h>

#include "samples.h"
#include "table.h"

static union {
    float narrow[SAMPLES + 1];
    double wide[SAMPLES + 1];
    int64_t whole[SAMPLES + 1];
} values;

static void test_names(void)
{
    static const char *const wrong[] = {"",     "f",     "f15",   "s16l", "s17",   "s8le", "u8be",
                                        "auto", "cs8le", "cf32 ", "c17",  "f32ne", "wav",  "s1"};
    /* Names of ALSA and NumPy. */
    static const char *const others[][2] = {
        {"S16_LE", "s16le"},   {"S32_BE", "s32be"},     {"FLOAT_LE", "f32le"},   {"U8", "u8"},
        {"int16", "s16le"},    {"float64", "f64le"},    {"float32", "f32le"},    {"uint8", "u8"},
        {"S24_3LE", "s24le"},  {"complex64", "cf32le"}, {"FLOAT64_BE", "f64be"}, {"F32", "f32le"},
        {"ci16_le", "cs16le"}, {"C8", "cs8"},           {"cf32_be", "cf32be"},
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
}

static void test_kinds(void)
{
    static const char *const words[] = {
        [VALUE_F32] = "f32", [VALUE_F64] = "f64", [VALUE_I64] = "i64"};
    static const char *const pairs[][2] = {
        {"f32le", "f32be"}, {"f64le", "f64be"}, {"s64le", "s64be"}, {"u64le", "u64be"},
        {"s64le", "s64be"}, {"s8", "s8"},       {"u8", "u8"},       {"s16le", "s16be"},
        {"u16le", "u16be"}, {"f16le", "f16be"}, {"s32le", "s32be"}, {"u32le", "u32be"}};

    TABLE (row, "kinds", 2)
        CHECK_THAT(strcmp(words[sample_type_value(type_of(row.field[0], 0))], row.field[1]) == 0,
                   "%s", row.field[0]);
    for (int kind = 0; kind < (int)(sizeof pairs / sizeof *pairs); kind++) {
        for (int other = 0; other < VALUE_KINDS; other++) {
            unsigned native = 0;

            for (int order = 0; order < 2; order++)
                native +=
                    sample_type_is_native(type_of(pairs[kind][order], 0), (enum value_kind)other);
            if (value_bytes((enum value_kind)kind) == 1)
                native /= 2; /* in either order */
            CHECK(native == (kind == other || (kind == VALUE_I64 && other == VALUE_FRAME) ||
                             (kind == VALUE_FRAME && other == VALUE_I64)));
        }
    }
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

/* The levels of G.711: of u-law 33 more than a multiple of a power of two, less 33, in units of 4;
 * of A-law in units of 16, in the middle between two. */
static long double meaning_of_code(enum sample_kind kind, uint32_t code)
{
    const bool is_u = kind == SAMPLE_ULAW;
    const uint32_t flipped = code ^ (is_u ? 0xff : 0x55);
    const int exponent = (int)(flipped >> 4 & 7);
    const long double mantissa = flipped & 15;
    const bool negative = ((flipped & 0x80) != 0) == is_u;
    long double size =
        is_u ? 4 * (ldexpl(2 * mantissa + 33, exponent) - 33)
             : 8 * ldexpl(2 * mantissa + (exponent > 0 ? 33 : 1), exponent > 0 ? exponent - 1 : 0);

    return negative && size != 0 ? -size : size;
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

    if (type.kind == SAMPLE_ULAW || type.kind == SAMPLE_ALAW)
        return meaning_of_code(type.kind, low) / (type.counts ? 1.0L : half * 256);
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

/* The value of one sample. That of cf64 as float64 has a test of its own. */
static double reference(struct sample_type type, enum value_kind kind, const unsigned char *raw)
{
    double re = (double)meaning(type, raw);
    double im;

    if (!sample_type_is_complex(type)) {
        bool wide = kind == VALUE_F64 && sample_type_value(type) != VALUE_F32;

        return wide ? re : (double)(float)meaning(type, raw);
    }
    im = (double)meaning(type, raw + number_bytes(type));
    if (isinf(re) || isinf(im))
        return (double)INFINITY;
    return (double)(float)sqrt(re * re + im * im);
}

static bool is_right(struct sample_type type, enum value_kind kind, size_t i,
                     const unsigned char *raw)
{
    const uint64_t flip = type.kind == SAMPLE_U64 ? UINT64_C(1) << 63 : 0;

    if (kind == VALUE_I64)
        return (uint64_t)values.whole[i] == (assemble(raw, 8, type.big_endian) ^ flip);
    return same(kind == VALUE_F32 ? (double)values.narrow[i] : values.wide[i],
                reference(type, kind, raw));
}

/* Nothing is written past the count. */
static void decode(struct sample_type type, enum value_kind kind, const unsigned char *raw,
                   size_t stride, size_t count)
{
    const size_t size = value_bytes(kind);
    unsigned char *end = (unsigned char *)&values + count * size;

    memset(&values, 0xa5, (count + 1) * size);
    if (stride == 0)
        sample_decode(type, kind, raw, &values, count);
    else
        sample_decode_strided(type, kind, raw, stride, &values, count);
    CHECK(*end == 0xa5);
    for (size_t i = 0; i < count; i++)
        CHECK_THAT(
            is_right(type, kind, i, raw + i * (stride == 0 ? 1 : stride) * sample_type_bytes(type)),
            "%s counts %d kind %d stride %zu sample %zu", sample_type_name(type), type.counts,
            (int)kind, stride, i);
}

static void test_decode(struct sample_type type, enum value_kind kind)
{
    static const size_t strides[] = {0, 1, 2, 3, STRIDE_MOST};

    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        unsigned char *raw = raw_room + (s * 5 + 1) % 8;

        fill_raw(type, raw, s == 0 ? 1 : strides[s]);
        decode(type, kind, raw, strides[s], SAMPLES);
    }
    /* Any alignment, any count. */
    for (size_t offset = 0; offset < 8; offset++) {
        for (size_t count = 0; count < 67; count++)
            decode(type, kind, raw_room + offset, 0, count);
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

            scatter(number, raw, sample_type_bytes(type), type.big_endian);
            sample_decode(type, VALUE_F32, raw, &values, 1);
            if (!is_right(type, VALUE_F32, 0, raw))
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
    CHECK_THAT(same((double)sample, (double)expected), "%s %llx: %a, not %a", name,
               (unsigned long long)bits, (double)sample, (double)expected);
}

/* Some by hand, so that the reference is checked, too. */
static void test_by_hand(void)
{
    TABLE (row, "by hand", 4)
        check_one(row.field[0], strcmp(row.field[1], "counts") == 0,
                  strtoull(row.field[2], NULL, 0), strtof(row.field[3], NULL));
}

/* The nearest float64 of the root: long double has the range, and 11 bits more. */
static double reference_magnitude(double re, double im)
{
    if (isinf(re) || isinf(im))
        return (double)INFINITY;
    return (double)sqrtl((long double)re * re + (long double)im * im);
}

/* Is `root` as exact as the arithmetic of doubles allows? */
static bool is_magnitude(double root, double re, double im)
{
    double exact_root = reference_magnitude(re, im);
    double plain = sqrt(re * re + im * im);
    double larger = fabs(re) > fabs(im) ? fabs(re) : fabs(im);

    if (isnan(exact_root) || isinf(exact_root) || re == 0.0 || im == 0.0)
        return same(root, exact_root);
    if (larger < 0x1p500 && larger > 0x1p-450)
        return same(root, plain);
    return fabs(root - exact_root) <= fmax(0x1p-51 * exact_root, 0x1p-1074);
}

static void check_magnitude(struct sample_type type, double re, double im)
{
    unsigned char raw[16];
    double root;
    float narrow;

    scatter(bits_of(re), raw, 8, type.big_endian);
    scatter(bits_of(im), raw + 8, 8, type.big_endian);
    sample_decode(type, VALUE_F64, raw, &root, 1);
    sample_decode(type, VALUE_F32, raw, &narrow, 1);
    CHECK_THAT(is_magnitude(root, re, im), "%a %a: %a, not %a", re, im, root,
               reference_magnitude(re, im));
    CHECK(isnan(root) ? isnan(narrow) != 0 : (float)root == narrow);
}

static void test_magnitudes(const char *name)
{
    struct sample_type type = type_of(name, 0);

    for (size_t a = 0; a < SPECIALS; a++) {
        for (size_t b = 0; b < SPECIALS; b++)
            check_magnitude(type, double_of(specials[a]), double_of(specials[b]));
    }
    for (int i = 0; i < 100000; i++) {
        double re = double_of(random_word());

        check_magnitude(type, re, double_of(random_word()));
        check_magnitude(type, re, re * ldexp((double)(random_word() >> 11), -53));
        check_magnitude(type, double_of(random_word() >> 12),
                        double_of(random_word() >> (12 + i % 40)));
    }
    TABLE (row, "magnitudes", 2)
        check_magnitude(type, strtod(row.field[0], NULL), strtod(row.field[1], NULL));
}

static void check_found(struct sample_type type, size_t at, int expected)
{
    size_t index = SAMPLES;
    bool found = sample_find_nan(type, raw_room, SAMPLES, &index);

    CHECK_THAT(found == (expected != 0) && (!found || index == at), "%s %zu",
               sample_type_name(type), at);
}

/* Any bits in integers; one NaN among floats. Of the parts of a complex number, infinity wins. */
static void test_find_nan(struct sample_type type)
{
    const bool complex = sample_type_is_complex(type);
    const size_t bytes = sample_type_bytes(type) / (complex ? 2 : 1);
    const uint64_t nan = bytes == 2 ? 0x7e01 : bytes == 4 ? 0x7f800001 : 0x7ff0000000000001;
    const uint64_t infinity = bytes == 2 ? 0xfc00 : bytes == 4 ? 0xff800000 : 0xfff0000000000000;

    memset(raw_room, sample_type_has_nan(type) ? 0x3c : 0xff, sizeof raw_room);
    check_found(type, 0, 0);
    for (size_t at = 0; sample_type_has_nan(type) && at < SAMPLES; at += 409) {
        unsigned char *sample = raw_room + at * sample_type_bytes(type);

        scatter(nan, sample, bytes, type.big_endian);
        check_found(type, at, 1);
        if (complex) {
            scatter(infinity, sample + bytes, bytes, type.big_endian);
            check_found(type, at, 0);
            scatter(nan, sample + bytes, bytes, type.big_endian);
            scatter(infinity, sample, bytes, type.big_endian);
            check_found(type, at, 0);
        }
        memset(sample, 0x3c, sample_type_bytes(type));
    }
}

int main(int count, char **words)
{
    *check_tables() = count > 1 ? words[1] : NULL;
    test_names();
    test_kinds();
    test_by_hand();
    test_magnitudes("cf64le");
    test_magnitudes("cf64be");
    for (size_t i = 0; i < NAMES; i++) {
        sample_decode(type_of(names[i], 0), VALUE_F32, NULL, NULL, 0);
        sample_decode_strided(type_of(names[i], 0), VALUE_F32, NULL, 2, NULL, 0);
        for (int counts = 0; counts < 2; counts++) {
            struct sample_type type = type_of(names[i], counts);

            test_find_nan(type);
            test_decode(type, VALUE_F32);
            if (type.kind != SAMPLE_CF64)
                test_decode(type, VALUE_F64);
            if (sample_type_value(type) == VALUE_I64)
                test_decode(type, VALUE_I64);
        }
    }
    TABLE (row, "all", 2)
        test_decode_all(row.field[0], (uint32_t)strtoul(row.field[1], NULL, 10));
    return check_result();
}
