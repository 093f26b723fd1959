/* Samples as float64 and as integers of 64 bits, there and back, against exact arithmetic. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "samples.h"

__extension__ typedef __int128 exact;

static const uint64_t specials[] = {
    /* integers */
    0, 1, 2, 3, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000, 0x180000000,
    0x180000001, 0x17fffffff, 0x280000000, 0x7fffffff7fffffff, 0x7fffffff80000000,
    0x7ffffffeffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
    0x800000007fffffff, 0x8000000080000000, 0x8000000080000001, 0xffffffff80000000,
    0xffffffff7fffffff, 0xffffffffffffffff, 0xfffffffffffffbff, 0xfffffffffffffc00,
    0x7ffffffffffffdff, 0x7ffffffffffffe00, 0x0020000000000001, 0x0020000000000003,
    /* float64: ones, halves, the ends of integers, infinities, NaN, the ends of float32 */
    0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x3ff8000000000000,
    0x4004000000000000, 0xc004000000000000, 0x41dfffffffc00000, 0x41dfffffffe00000,
    0x41dfffffffdfffff, 0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41efffffffefffff, 0x41effffffff00000, 0x43dfffffffffffff,
    0x43e0000000000000, 0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff,
    0x43f0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0xfff8000000000001, 0x7fefffffffffffff, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x0010000000000000, 0x47efffffe0000000, 0x47effffff0000000,
    0x47efffffefffffff, 0x3690000000000000, 0x3690000000000001, 0x3fefffffffffffff,
    0xbfefffffffffffff, 0x8000000000000000, 0x3c00000000000000, 0x3bf0000000000000,
    0x3bf0000000000001, 0x3e00000000000000, 0x3df0000000000000, 0x40effc0000000000,
    0x40effdffffffffff, 0x40effe0000000000, 0x3e70000000000000, 0x3e60000000000000,
    0x3e60000000000001, 0x3f00200000000000, 0x3ff0020000000000, 0x3ff0020000000001,
    0x3ff001ffffffffff, 0x3ff0060000000000};

enum { SPECIALS = sizeof specials / sizeof *specials, SAMPLES = 4099 };

static unsigned char raw_room[SAMPLES * 3 * 16 + 16];
static uint64_t values[SAMPLES + 1];
static double doubles[SAMPLES + 1];

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
        return same_doubles(root, exact_root);
    if (larger < 0x1p500 && larger > 0x1p-450)
        return same_doubles(root, plain);
    return fabs(root - exact_root) <= fmax(0x1p-51 * exact_root, 0x1p-1074);
}

static void test_decode_f64(struct sample_type type)
{
    size_t bytes = sample_type_bytes(type);
    static float floats[SAMPLES];

    for (size_t stride = 1; stride <= 3; stride += 2) {
        unsigned char *raw = raw_room + stride;

        for (size_t i = 0; i < SAMPLES * stride * bytes; i++)
            raw[i] = (unsigned char)chance();
        for (size_t i = 0; i < SPECIALS; i++)
            scatter(specials[i], raw + i * stride * bytes, bytes < 8 ? bytes : 8, type.big_endian);
        doubles[SAMPLES] = 123.0;
        sample_decode_strided(type, VALUE_F64, raw, stride, doubles, SAMPLES);
        sample_decode_strided(type, VALUE_F32, raw, stride, floats, SAMPLES);
        CHECK(same_doubles(doubles[SAMPLES], 123.0));
        for (size_t i = 0; i < SAMPLES; i++) {
            bool wide = sample_type_value(type) != VALUE_F32;
            double expected =
                !wide ? (double)floats[i] : (double)meaning(type, raw + i * stride * bytes);

            CHECK_THAT(same_doubles(doubles[i], expected), "%s counts %d sample %zu: %a, not %a",
                       sample_type_name(type), type.counts, i, doubles[i], expected);
            if (!isnan(doubles[i])) /* rounding once more makes no difference, but for 64 bits */
                CHECK(type.kind == SAMPLE_S64 || type.kind == SAMPLE_U64 ||
                      (float)doubles[i] == floats[i]);
        }
        if (stride == 1) {
            static double again[SAMPLES];

            sample_decode(type, VALUE_F64, raw, again, SAMPLES);
            for (size_t i = 0; i < SAMPLES; i++)
                CHECK(same_doubles(doubles[i], again[i]));
        }
    }
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
        double re = double_of(chance());

        check_magnitude(type, re, double_of(chance()));
        check_magnitude(type, re, re * ldexp((double)(chance() >> 11), -53));
        check_magnitude(type, double_of(chance() >> 12), double_of(chance() >> (12 + i % 40)));
    }
    check_magnitude(type, 3e300, 4e300);
    check_magnitude(type, DBL_MAX, 0.0);
    check_magnitude(type, DBL_MAX, 1.0);
    check_magnitude(type, DBL_MAX, DBL_MAX);
    check_magnitude(type, 3e-320, -4e-320);
    check_magnitude(type, 0x1p-1074, 0.0);
    check_magnitude(type, (double)NAN, (double)-INFINITY);
}

static void test_decode_i64(const char *name, uint64_t flip)
{
    for (int counts = 0; counts < 2; counts++) {
        struct sample_type type = type_of(name, counts);
        static int64_t integers[SAMPLES];

        CHECK(sample_type_value(type) == VALUE_I64);
        for (size_t stride = 1; stride <= 3; stride += 2) {
            for (size_t i = 0; i < SAMPLES; i++) {
                values[i] = i < SPECIALS ? specials[i] : chance();
                scatter(values[i], raw_room + 3 + i * stride * 8, 8, type.big_endian);
            }
            sample_decode_strided(type, VALUE_I64, raw_room + 3, stride, integers, SAMPLES);
            for (size_t i = 0; i < SAMPLES; i++)
                CHECK((uint64_t)integers[i] == (values[i] ^ flip));
            if (stride == 1) {
                memset(integers, 0xa5, sizeof integers);
                sample_decode(type, VALUE_I64, raw_room + 3, integers, SAMPLES);
                for (size_t i = 0; i < SAMPLES; i++)
                    CHECK((uint64_t)integers[i] == (values[i] ^ flip));
            }
        }
    }
}

/* ---- encode ---- */

/* The range of an integer type, and what is added to a number of it. */
struct limits {
    exact low;
    exact high;
    exact middle;
};

static struct limits limits_of(struct sample_type type)
{
    exact half = (exact)1 << (8 * sample_type_bytes(type) - 1);

    if (is_unsigned(type.kind) && type.counts)
        return (struct limits){0, 2 * half - 1, 0};
    return (struct limits){-half, half - 1, is_unsigned(type.kind) ? half : 0};
}

static void check_integer(struct sample_type type, exact number, uint64_t bits,
                          struct sample_losses *losses)
{
    struct limits limits = limits_of(type);
    size_t size = 8 * sample_type_bytes(type);
    uint64_t mask = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;

    losses->clipped += number < limits.low || number > limits.high ? 1 : 0;
    if (number < limits.low)
        number = limits.low;
    if (number > limits.high)
        number = limits.high;
    CHECK_THAT(bits == ((uint64_t)(number + limits.middle) & mask), "%s counts %d: %llx, not %llx",
               sample_type_name(type), type.counts, (unsigned long long)bits,
               (unsigned long long)(number + limits.middle));
}

static void fill_doubles(struct sample_type type)
{
    double full = ldexp(1.0, (int)(8 * sample_type_bytes(type)));

    for (size_t i = 0; i < SAMPLES; i++) {
        double fraction = ldexp((double)(int64_t)chance(), -63);

        doubles[i] = i < SPECIALS ? double_of(specials[i])
                     : i % 4 == 0 ? double_of(chance())
                     : i % 4 == 1 ? fraction * full
                     : i % 4 == 2 ? fraction * 1.1
                                  : rint(fraction * full) + 0.5;
    }
}

static void test_encode_integers_f64(struct sample_type type)
{
    size_t bytes = sample_type_bytes(type);
    struct sample_losses losses = {5, 7};
    struct sample_losses expected = {5, 7};

    fill_doubles(type);
    raw_room[3 + SAMPLES * bytes] = 0xa5;
    sample_encode(type, VALUE_F64, doubles, raw_room + 3, SAMPLES, &losses);
    CHECK(raw_room[3 + SAMPLES * bytes] == 0xa5);
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t bits = assemble(raw_room + 3 + i * bytes, bytes, type.big_endian);
        long double number = type.counts ? doubles[i] : ldexpl(doubles[i], (int)(8 * bytes) - 1);

        expected.nan += isnan(number) ? 1 : 0;
        number = isnan(number) ? 0.0L : fmaxl(fminl(rintl(number), 0x1p100L), -0x1p100L);
        check_integer(type, (exact)number, bits, &expected);
    }
    CHECK(losses.clipped == expected.clipped && losses.nan == expected.nan);
}

/* Not inline: of doubles that become floats and doubles again, gcc 12 does not round vectors of
 * two. */
static __attribute__((noinline)) void round_all(const double *from, float *to)
{
    for (size_t i = 0; i < SAMPLES; i++)
        to[i] = (float)from[i];
}

/* Float32 goes the same way as float64. */
static void test_encode_f32_as_f64(struct sample_type type)
{
    size_t bytes = sample_type_bytes(type);
    struct sample_losses losses[2] = {{0, 0}, {0, 0}};
    static float floats[SAMPLES];
    static unsigned char raw[SAMPLES * 8];

    fill_doubles(type);
    round_all(doubles, floats);
    for (size_t i = 0; i < SAMPLES; i++)
        doubles[i] = (double)floats[i];
    sample_encode(type, VALUE_F32, floats, raw, SAMPLES, &losses[0]);
    sample_encode(type, VALUE_F64, doubles, raw_room, SAMPLES, &losses[1]);
    CHECK_THAT(memcmp(raw, raw_room, SAMPLES * bytes) == 0, "%s", sample_type_name(type));
    CHECK(losses[0].clipped == losses[1].clipped && losses[0].nan == losses[1].nan);
}

static void test_encode_floats(struct sample_type type)
{
    static double back[SAMPLES];
    struct sample_losses losses = {0, 0};

    fill_doubles(type);
    for (size_t i = SPECIALS; i < SAMPLES; i += 2) { /* in the range of float16, and ties of it */
        doubles[i] = ldexp((double)((int64_t)chance() % 8192), (int)(chance() % 32) - 28);
        if (i % 4 == 0)
            doubles[i] = nextafter(doubles[i], i % 8 == 0 ? (double)INFINITY : 0.0);
    }
    sample_encode(type, VALUE_F64, doubles, raw_room + 3, SAMPLES, &losses);
    sample_decode(type, VALUE_F64, raw_room + 3, back, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        double expected = type.kind == SAMPLE_F64   ? doubles[i]
                          : type.kind == SAMPLE_F32 ? (double)(float)doubles[i]
                                                    : reference_half(doubles[i]);

        CHECK_THAT(same_doubles(back[i], expected), "%s %a: %a, not %a", sample_type_name(type),
                   doubles[i], back[i], expected);
    }
    CHECK(losses.clipped == 0 && losses.nan == 0);
}

static void test_nan(void)
{
    double nan = double_of(0x7ff8000000000000);
    float narrow = NAN;
    struct sample_losses losses = {0, 0};
    unsigned char raw[8];

    sample_encode(type_of("f64le", 0), VALUE_F64, &nan, raw, 1, &losses);
    CHECK(assemble(raw, 8, false) == 0x7ff8000000000000);
    sample_encode(type_of("f64be", 0), VALUE_F32, &narrow, raw, 1, &losses);
    CHECK(assemble(raw, 8, true) == 0x7ff8000000000000);
    sample_encode(type_of("f32be", 0), VALUE_F64, &nan, raw, 1, &losses);
    CHECK(assemble(raw, 4, true) == 0x7fc00000);
    CHECK(losses.nan == 0);
    sample_encode(type_of("u64le", 0), VALUE_F64, &nan, raw, 1, &losses);
    CHECK(assemble(raw, 8, false) == 0x8000000000000000);
    sample_encode(type_of("u64le", 1), VALUE_F64, &nan, raw, 1, &losses);
    CHECK(assemble(raw, 8, false) == 0);
    CHECK(losses.nan == 2 && losses.clipped == 0);
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

/* number / 2^32, to the nearest, ties to even. */
static exact upper_half(exact number)
{
    exact unit = (exact)1 << 32;
    exact floor = (number - (((number % unit) + unit) % unit)) / unit;
    exact rest = number - floor * unit;

    return floor + (2 * rest > unit || (2 * rest == unit && floor % 2 != 0) ? 1 : 0);
}

static void test_encode_from_integers(struct sample_type type, enum value_kind from)
{
    size_t bytes = sample_type_bytes(type);
    struct sample_losses losses = {5, 7};
    struct sample_losses expected = {5, 7};

    for (size_t i = 0; i < SAMPLES; i++)
        values[i] = i < SPECIALS ? specials[i] : chance() >> (i % 3 * 20);
    for (size_t i = SPECIALS; i < SAMPLES; i += 5)
        values[i] = 0 - values[i];
    raw_room[3 + SAMPLES * bytes] = 0xa5;
    sample_encode(type, from, values, raw_room + 3, SAMPLES, &losses);
    CHECK(raw_room[3 + SAMPLES * bytes] == 0xa5);
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t bits = assemble(raw_room + 3 + i * bytes, bytes, type.big_endian);
        exact number = from == VALUE_U64 ? (exact)values[i] : (exact)(int64_t)values[i];

        if (type.kind == SAMPLE_F64)
            CHECK(bits == bits_of((double)(type.counts ? (long double)number
                                                       : ldexpl((long double)number, -63))));
        else
            check_integer(type, type.counts || bytes == 8 ? number : upper_half(number), bits,
                          &expected);
    }
    CHECK_THAT(losses.clipped == expected.clipped && losses.nan == 7, "%s counts %d from %d",
               sample_type_name(type), type.counts, (int)from);
}

/* Every number of a type survives as what it is decoded to. */
static void test_round_trip(struct sample_type type, enum value_kind kind)
{
    size_t bytes = sample_type_bytes(type);
    struct sample_losses losses = {0, 0};
    static unsigned char back[SAMPLES * 8];

    for (size_t i = 0; i < SAMPLES; i++)
        scatter(i < SPECIALS ? specials[i] : chance(), raw_room + i * bytes, bytes,
                type.big_endian);
    sample_decode(type, kind, raw_room, values, SAMPLES);
    if (kind == VALUE_I64 && type.kind == SAMPLE_U64 && type.counts) {
        kind = VALUE_U64; /* as results are made */
        for (size_t i = 0; i < SAMPLES; i++)
            values[i] ^= 0x8000000000000000;
    }
    sample_encode(type, kind, values, back, SAMPLES, &losses);
    CHECK_THAT(memcmp(raw_room, back, SAMPLES * bytes) == 0, "%s counts %d", sample_type_name(type),
               type.counts);
    CHECK(losses.clipped == 0 && losses.nan == 0);
}

static void test_kinds(void)
{
    static const struct {
        const char *name;
        enum value_kind kind;
    } rows[] = {
        {"f64", VALUE_F64}, {"s32", VALUE_F64}, {"u32", VALUE_F64},  {"cf64", VALUE_F64},
        {"s64", VALUE_I64}, {"u64", VALUE_I64}, {"f32", VALUE_F32},  {"f16", VALUE_F32},
        {"s24", VALUE_F32}, {"u24", VALUE_F32}, {"s16", VALUE_F32},  {"u16", VALUE_F32},
        {"s8", VALUE_F32},  {"u8", VALUE_F32},  {"cf32", VALUE_F32}, {"cs16", VALUE_F32},
        {"cs8", VALUE_F32}, {"cu8", VALUE_F32},
    };
    static const char *const pairs[][2] = {
        {"f32le", "f32be"}, {"f64le", "f64be"}, {"s64le", "s64be"}, {"u64le", "u64be"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_THAT(sample_type_value(type_of(rows[i].name, 0)) == rows[i].kind, "%s", rows[i].name);
    for (int kind = 0; kind < VALUE_KINDS; kind++) {
        for (int other = 0; other < VALUE_KINDS; other++) {
            unsigned native = 0;

            for (int order = 0; order < 2; order++)
                native +=
                    sample_type_is_native(type_of(pairs[kind][order], 0), (enum value_kind)other);
            CHECK(native == (kind == other));
        }
    }
}

int main(void)
{
    test_kinds();
    test_nan();
    test_magnitudes("cf64le");
    test_magnitudes("cf64be");
    test_decode_i64("s64le", 0);
    test_decode_i64("s64be", 0);
    test_decode_i64("u64le", 0x8000000000000000);
    test_decode_i64("u64be", 0x8000000000000000);
    for (size_t i = 0; i < NAMES; i++) {
        for (int counts = 0; counts < 2; counts++) {
            struct sample_type type = type_of(names[i], counts);

            test_find_nan(type);
            if (type.kind != SAMPLE_CF64)
                test_decode_f64(type);
            if (sample_type_is_complex(type))
                continue;
            if (is_float(type.kind))
                test_encode_floats(type);
            else
                test_encode_integers_f64(type);
            test_encode_f32_as_f64(type);
            if (sample_type_value(type) == VALUE_F32)
                continue;
            test_encode_from_integers(type, VALUE_I64);
            if (type.counts)
                test_encode_from_integers(type, VALUE_U64);
            test_round_trip(type, sample_type_value(type));
        }
    }
    return check_result();
}
