/* SPDX-License-Identifier: MIT */
/* Encodes values as raw samples: rounds, clips, and counts losses. */
#include <math.h>

#include "sample/bytes.h"
#include "sample/encode_one.h"
#include "sample/sample_type.h"

typedef double loader(const void *values, size_t i);
typedef void storer(unsigned char *raw, uint64_t number, bool big);

struct encode_work {
    const void *values;
    enum value_kind from;
    struct sample_type type;
    unsigned char *raw;
    size_t count;
    bool big;
    struct value_range range;
    struct sample_losses *losses;
};

SAMPLE_TEMPLATE double load_f32(const void *values, size_t i)
{
    return (double)((const float *)values)[i];
}

SAMPLE_TEMPLATE double load_f64(const void *values, size_t i)
{
    return ((const double *)values)[i];
}

SAMPLE_TEMPLATE void encode_loop(loader *load, storer *store, size_t bytes, bool big,
                                 const struct encode_work *work)
{
    const void *restrict values = work->values;
    unsigned char *restrict raw = work->raw;
    const struct value_range range = work->range;
    const size_t count = work->count;
    struct sample_losses losses = {0};

    for (size_t i = 0; i < count; i++)
        store(raw + i * bytes, range_bits(&range, load(values, i), &losses), big);
    work->losses->clipped += losses.clipped;
    work->losses->nan += losses.nan;
}

/* Encodes integers of 8 and 16 bits without a branch or a call, so that the loop is vectorized:
 * adding 1.5 * 2^23 rounds a float32 of up to 2^22 to an integer, ties to even, and leaves the
 * integer in its lowest bits. Returns false where a number is out of range, or NaN: encode_loop()
 * counts them. */
SAMPLE_TEMPLATE bool encode_narrow(storer *store, size_t bytes, bool big,
                                   const struct encode_work *work)
{
    const float *restrict values = work->values;
    unsigned char *restrict raw = work->raw;
    const float factor = (float)work->range.factor;
    const float low = (float)work->range.low;
    const float high = (float)work->range.high;
    const uint32_t middle = (uint32_t)work->range.middle;
    const size_t count = work->count;
    uint32_t outside = 0;

    for (size_t i = 0; i < count; i++) {
        const float number = values[i] * factor;
        const float rounded = number + 0x1.8p23f;
        uint32_t bits;

        outside |= !((number >= low) & (number <= high));
        memcpy(&bits, &rounded, sizeof bits);
        store(raw + i * bytes, bits + middle, big);
    }
    return outside == 0;
}

SAMPLE_TEMPLATE void encode_integers(storer *store, size_t bytes, const struct encode_work *work)
{
    if (work->from == VALUE_F32 && bytes <= 2 && encode_narrow(store, bytes, work->big, work))
        return;
    if (work->from == VALUE_F32 && work->big)
        encode_loop(load_f32, store, bytes, true, work);
    else if (work->from == VALUE_F32)
        encode_loop(load_f32, store, bytes, false, work);
    else if (work->big)
        encode_loop(load_f64, store, bytes, true, work);
    else
        encode_loop(load_f64, store, bytes, false, work);
}

/* No double equals the highest integer of 64 bits, so numbers are compared with the integer above
 * it. */
static void encode_integers64(const struct encode_work *work)
{
    const struct value_range *range = &work->range;

    for (size_t i = 0; i < work->count; i++) {
        double number =
            work->from == VALUE_F32 ? load_f32(work->values, i) : load_f64(work->values, i);
        uint64_t bits;

        if (isnan(number)) {
            number = 0.0;
            work->losses->nan++;
        }
        number = rint(number * range->factor);
        if (number < range->low || number >= range->high)
            work->losses->clipped++;
        if (number < range->low)
            bits = (uint64_t)(int64_t)range->low;
        else if (number >= range->high)
            bits = range->low < 0.0 ? INT64_MAX : UINT64_MAX;
        else
            bits = range->low < 0.0 ? (uint64_t)(int64_t)number : (uint64_t)number;
        sample_store64(work->raw + i * sizeof bits, bits + range->middle, work->big);
    }
}

/* Stores a number as a float. */
typedef void float_storer(unsigned char *raw, double number, bool big);

SAMPLE_TEMPLATE void store_f32(unsigned char *raw, double number, bool big)
{
    float narrow = (float)number;
    uint32_t bits;

    memcpy(&bits, &narrow, sizeof bits);
    sample_store32(raw, bits, big);
}

SAMPLE_TEMPLATE void store_f64(unsigned char *raw, double number, bool big)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    sample_store64(raw, bits, big);
}

SAMPLE_TEMPLATE void store_f16(unsigned char *raw, double number, bool big)
{
    sample_store16(raw, half_of(float_for_half(number)), big);
}

SAMPLE_TEMPLATE void encode_floats(float_storer *store, size_t bytes,
                                   const struct encode_work *work)
{
    if (work->from == VALUE_F32) {
        for (size_t i = 0; i < work->count; i++)
            store(work->raw + i * bytes, load_f32(work->values, i), work->big);
    } else {
        for (size_t i = 0; i < work->count; i++)
            store(work->raw + i * bytes, load_f64(work->values, i), work->big);
    }
}

/* ---- from integers of 64 bits ---- */

__extension__ typedef __int128 wide;

/* Divides by 2^32, ties to even: a 32-bit type has units of that size. */
static int64_t upper_half(int64_t number)
{
    int64_t half = number >> 32;
    uint32_t rest = (uint32_t)number;

    return half + (rest > 0x80000000 || (rest == 0x80000000 && (half & 1) != 0) ? 1 : 0);
}

static void encode_from_integers(const struct encode_work *work)
{
    bool is_64 = sample_type_bytes(work->type) == 8;
    bool plain_unsigned =
        work->type.counts && (work->type.kind == SAMPLE_U32 || work->type.kind == SAMPLE_U64);
    uint64_t most = is_64 ? UINT64_MAX : UINT32_MAX;
    wide high = plain_unsigned ? most : most / 2;
    wide low = plain_unsigned ? 0 : -high - 1;
    bool halves = !is_64 && !work->type.counts;

    for (size_t i = 0; i < work->count; i++) {
        uint64_t bits;
        wide number = ((const int64_t *)work->values)[i];

        if (work->from == VALUE_U64)
            number = ((const uint64_t *)work->values)[i];
        else if (halves)
            number = upper_half((int64_t)number);
        work->losses->clipped += number < low || number > high;
        number = number < low ? low : number > high ? high : number;
        bits = (uint64_t)number + work->range.middle;
        if (is_64)
            sample_store64(work->raw + i * 8, bits, work->big);
        else
            sample_store32(work->raw + i * 4, bits, work->big);
    }
}

static void encode_f64_from_integers(const struct encode_work *work)
{
    double factor = sample_type_unit(work->type);

    for (size_t i = 0; i < work->count; i++) {
        double number = work->from == VALUE_U64
                            ? (double)((const uint64_t *)work->values)[i]
                            : (double)((const int64_t *)work->values)[i] * factor;

        store_f64(work->raw + i * sizeof number, number, work->big);
    }
}

/* ---- all types ---- */

static void encode_from_floats(const struct encode_work *work)
{
    switch (work->type.kind) {
    case SAMPLE_F16:
        encode_floats(store_f16, 2, work);
        break;
    case SAMPLE_F32:
        encode_floats(store_f32, 4, work);
        break;
    case SAMPLE_F64:
        encode_floats(store_f64, 8, work);
        break;
    case SAMPLE_S8:
    case SAMPLE_U8:
        encode_integers(sample_store8, 1, work);
        break;
    case SAMPLE_S16:
    case SAMPLE_U16:
        encode_integers(sample_store16, 2, work);
        break;
    case SAMPLE_S24:
    case SAMPLE_U24:
        encode_integers(sample_store24, 3, work);
        break;
    case SAMPLE_S32:
    case SAMPLE_U32:
        encode_integers(sample_store32, 4, work);
        break;
    case SAMPLE_S64:
    case SAMPLE_U64:
        encode_integers64(work);
        break;
    default: /* a magnitude cannot be converted back */
        break;
    }
}

bool sample_type_holds(struct sample_type type, struct sample_type other)
{
    struct value_range range;
    struct value_range needed;

    type.counts = other.counts = true;
    range = range_of(type);
    needed = range_of(other);
    return sample_type_is_integer(type) && range.low <= needed.low && range.high >= needed.high;
}

void sample_encode(struct sample_type type, enum value_kind from, const void *values, void *raw,
                   size_t count, struct sample_losses *losses)
{
    const struct encode_work work = {
        .values = values,
        .from = from,
        .type = type,
        .raw = raw,
        .count = count,
        .big = type.big_endian,
        .range = range_of(type),
        .losses = losses,
    };

    if (count == 0) /* memcpy() must not be given NULL, even with a size of 0 */
        return;
    if (sample_type_is_native(type, from) && (from != VALUE_U64 || type.counts))
        memcpy(raw, values, count * value_bytes(from));
    else if (from == VALUE_F32 || from == VALUE_F64)
        encode_from_floats(&work);
    else if (type.kind == SAMPLE_F64)
        encode_f64_from_integers(&work);
    else
        encode_from_integers(&work);
}

const void *sample_encoded(struct sample_type type, enum value_kind from, const void *values,
                           void *raw, size_t count)
{
    struct sample_losses losses = {0, 0};

    if (sample_type_is_native(type, from))
        return values;
    sample_encode(type, from, values, raw, count, &losses);
    return raw;
}
