/* SPDX-License-Identifier: MIT */
/* Every kind of values as every sample type, against exact arithmetic; and there and back. */
#include <float.h>

#include "samples.h"
#include "table.h"

__extension__ typedef __int128 exact;

/* Ties and ends of integers, scaled and as counts. */
static const float numbers[] = {
    0.0f,       -0.0f,      1.0f,       -1.0f,       0.5f,        -0.5f,        1.5f,
    2.5f,       -2.5f,      0x1p-8f,    -0x1p-8f,    0x1.8p-7f,   0x1p-16f,     0x3p-16f,
    -0x5p-16f,  0x1p-24f,   0x3p-24f,   0x1p-32f,    0x3p-32f,    0x1p-149f,    FLT_MIN,
    FLT_MAX,    -FLT_MAX,   INFINITY,   -INFINITY,   NAN,         127.0f,       127.4f,
    127.5f,     128.0f,     -128.0f,    -128.5f,     -129.0f,     254.5f,       255.0f,
    255.5f,     32767.0f,   32767.5f,   -32768.5f,   65535.5f,    8388607.f,    8388608.f,
    16777215.f, 16777216.f, 2147483520, 0x1p31f,     -2147483648, 4294967040.f, 0x1p32f,
    0x1p63f,    -0x1p63f,   0x1p64f,    0.99609375f, 0.9999999f,  0.99998474f,  0.9999847f,
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

static uint64_t values[SAMPLES];
static double doubles[SAMPLES];
static float floats[SAMPLES];

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

/* Not inline: of doubles that become floats and doubles again, gcc 12 does not round vectors of
 * two. */
static __attribute__((noinline)) void round_all(void)
{
    for (size_t i = 0; i < SAMPLES; i++)
        floats[i] = (float)doubles[i];
}

/* Doubles, `narrow`: that are floats as well. */
static void fill_doubles(struct sample_type type, bool narrow)
{
    double full = ldexp(1.0, (int)(8 * sample_type_bytes(type)));

    for (size_t i = 0; i < SAMPLES; i++) {
        double fraction = ldexp((double)(int64_t)random_word(), -63);

        doubles[i] = i < SPECIALS ? double_of(specials[i])
                     : i % 4 == 0 ? double_of(random_word())
                     : i % 4 == 1 ? fraction * full
                     : i % 4 == 2 ? fraction * 1.1
                                  : rint(fraction * full) + 0.5;
    }
    for (size_t i = SPECIALS; is_float(type.kind) && i < SAMPLES; i += 2) {
        /* in the range of float16, and ties of it */
        doubles[i] = ldexp((double)((int64_t)random_word() % 8192), (int)(random_word() % 32) - 28);
        if (i % 4 == 0)
            doubles[i] = nextafter(doubles[i], i % 8 == 0 ? (double)INFINITY : 0.0);
    }
    for (size_t i = 0; i < NUMBERS; i++)
        doubles[SPECIALS + i] = (double)numbers[i];
    for (size_t i = SPECIALS + NUMBERS; narrow && i < SAMPLES; i += 5) {
        uint32_t bits = (uint32_t)random_word();
        float number;

        memcpy(&number, &bits, sizeof number);
        doubles[i] = (double)number;
    }
    if (narrow) {
        round_all();
        for (size_t i = 0; i < SAMPLES; i++)
            doubles[i] = (double)floats[i];
    }
}

/* What of a float becomes a float of this type. */
static double reference_float(struct sample_type type, double number)
{
    return type.kind == SAMPLE_F64   ? number
           : type.kind == SAMPLE_F32 ? (double)(float)number
                                     : reference_half(number);
}

/* From float64, or from float32, which is encoded in the same way. Nothing is written past the
 * samples; what is lost is added to what was. */
static void test_encode_floats(struct sample_type type, bool narrow, size_t offset)
{
    const size_t bytes = sample_type_bytes(type);
    struct sample_losses losses = {5, 7};
    struct sample_losses expected = {5, 7};
    static double back[SAMPLES];

    fill_doubles(type, narrow);
    memset(raw_room, 0xa5, SAMPLES * bytes + offset + 1);
    if (narrow)
        sample_encode(type, VALUE_F32, floats, raw_room + offset, SAMPLES, &losses);
    else
        sample_encode(type, VALUE_F64, doubles, raw_room + offset, SAMPLES, &losses);
    CHECK(raw_room[offset + SAMPLES * bytes] == 0xa5);
    if (is_float(type.kind))
        sample_decode(type, VALUE_F64, raw_room + offset, back, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t bits = assemble(raw_room + offset + i * bytes, bytes, type.big_endian);
        long double number = type.counts ? doubles[i] : ldexpl(doubles[i], (int)(8 * bytes) - 1);

        if (is_float(type.kind)) {
            CHECK_THAT(same(back[i], reference_float(type, doubles[i])), "%s %a: %a, not %a",
                       sample_type_name(type), doubles[i], back[i],
                       reference_float(type, doubles[i]));
            continue;
        }
        expected.nan += isnan(number) ? 1 : 0;
        number = isnan(number) ? 0.0L : fmaxl(fminl(rintl(number), 0x1p100L), -0x1p100L);
        check_integer(type, (exact)number, bits, &expected);
    }
    CHECK_THAT(losses.clipped == expected.clipped && losses.nan == expected.nan, "%s counts %d",
               sample_type_name(type), type.counts);
}

/* Which integers fit into which. */
static void test_holds(void)
{
    TABLE (row, "integers", 3)
        CHECK_THAT(sample_type_holds(type_of(row.field[0], 0), type_of(row.field[2], 0)) ==
                       (strcmp(row.field[1], "holds") == 0),
                   "%s, %s", row.field[0], row.field[2]);
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
        values[i] = i < SPECIALS ? specials[i] : random_word() >> (i % 3 * 20);
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
        scatter(i < SPECIALS ? specials[i] : random_word(), raw_room + i * bytes, bytes,
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

int main(int count, char **words)
{
    *check_tables() = count > 1 ? words[1] : NULL;
    test_nan();
    test_holds();
    for (size_t i = 0; i < NAMES; i++) {
        struct sample_losses losses = {0, 0};

        sample_encode(type_of(names[i], 0), VALUE_F32, NULL, NULL, 0, &losses);
        CHECK(losses.clipped == 0 && losses.nan == 0);
        for (int counts = 0; counts < 2; counts++) {
            struct sample_type type = type_of(names[i], counts);

            if (sample_type_is_complex(type))
                continue;
            for (size_t offset = 0; offset < 4; offset++) {
                test_encode_floats(type, true, offset);
                test_encode_floats(type, false, offset);
            }
            if (!is_float(type.kind) || type.kind == SAMPLE_F64)
                test_round_trip(type, sample_type_value(type));
            if (sample_type_value(type) == VALUE_F32)
                continue;
            test_encode_from_integers(type, VALUE_I64);
            if (type.counts)
                test_encode_from_integers(type, VALUE_U64);
        }
    }
    return check_result();
}
