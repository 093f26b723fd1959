/* Encodes float32 as raw samples: rounds, clips, and counts losses. */
#include <math.h>

#include "sample/bytes.h"
#include "sample/sample_type.h"

/* Numbers become integers in three steps: multiplied by `factor` and rounded, clipped to low ..
 * high, then `middle` is added. The middle comes last: added earlier, it would push the fraction
 * that decides a tie out of the double. It is even, so ties still go to even numbers. */
struct range {
    double factor;
    double low;
    double high;
    uint32_t middle;
};

typedef void storer(unsigned char *raw, uint32_t bits, bool big);

struct encode_work {
    const float *samples;
    unsigned char *raw;
    size_t count;
    bool big;
    struct range range;
    struct sample_losses *losses;
};

SAMPLE_TEMPLATE void encode_loop(storer *store, size_t bytes, bool big,
                                 const struct encode_work *work)
{
    const float *restrict samples = work->samples;
    unsigned char *restrict raw = work->raw;
    struct range range = work->range;
    size_t count = work->count;
    unsigned long long clipped = 0;
    unsigned long long nan = 0;

    for (size_t i = 0; i < count; i++) {
        double number = samples[i];
        if (isnan(number)) {
            number = 0.0;
            nan++;
        }
        number = rint(number * range.factor);
        if (number < range.low) {
            number = range.low;
            clipped++;
        } else if (number > range.high) {
            number = range.high;
            clipped++;
        }
        store(raw + i * bytes, (uint32_t)(int64_t)number + range.middle, big);
    }
    work->losses->clipped += clipped;
    work->losses->nan += nan;
}

SAMPLE_TEMPLATE void encode_integers(storer *store, size_t bytes, const struct encode_work *work)
{
    if (work->big)
        encode_loop(store, bytes, true, work);
    else
        encode_loop(store, bytes, false, work);
}

static void encode_f32(const struct encode_work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        uint32_t bits;
        memcpy(&bits, &work->samples[i], sizeof bits);
        sample_store32(work->raw + i * sizeof bits, bits, work->big);
    }
}

static void encode_f64(const struct encode_work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        double number = work->samples[i];
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        sample_store64(work->raw + i * sizeof bits, bits, work->big);
    }
}

/* Rounds by adding and subtracting a number whose last place is the last one that the float16
 * keeps. A subnormal float16 is rounded at 2^-24, whatever its exponent. */
static uint32_t half_of(float number)
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

static void encode_f16(const struct encode_work *work)
{
    for (size_t i = 0; i < work->count; i++)
        sample_store16(work->raw + i * 2, half_of(work->samples[i]), work->big);
}

static struct range range_of(struct sample_type type)
{
    bool is_unsigned = type.kind == SAMPLE_U8 || type.kind == SAMPLE_U16 ||
                       type.kind == SAMPLE_U24 || type.kind == SAMPLE_U32;
    double half = ldexp(1.0, (int)(8 * sample_type_bytes(type)) - 1);

    if (is_unsigned && type.counts)
        return (struct range){1.0, 0.0, 2.0 * half - 1.0, 0};
    return (struct range){
        .factor = type.counts ? 1.0 : half,
        .low = -half,
        .high = half - 1.0,
        .middle = is_unsigned ? (uint32_t)half : 0,
    };
}

void sample_encode(struct sample_type type, const float *samples, void *raw, size_t count,
                   struct sample_losses *losses)
{
    const struct encode_work work = {
        .samples = samples,
        .raw = raw,
        .count = count,
        .big = type.big_endian,
        .range = range_of(type),
        .losses = losses,
    };

    switch (type.kind) {
    case SAMPLE_F32:
        if (!sample_type_is_native(type))
            encode_f32(&work);
        else if (count > 0)
            memcpy(raw, samples, count * sizeof *samples);
        break;
    case SAMPLE_F16:
        encode_f16(&work);
        break;
    case SAMPLE_F64:
        encode_f64(&work);
        break;
    case SAMPLE_S8:
    case SAMPLE_U8:
        encode_integers(sample_store8, 1, &work);
        break;
    case SAMPLE_S16:
    case SAMPLE_U16:
        encode_integers(sample_store16, 2, &work);
        break;
    case SAMPLE_S24:
    case SAMPLE_U24:
        encode_integers(sample_store24, 3, &work);
        break;
    case SAMPLE_S32:
    case SAMPLE_U32:
        encode_integers(sample_store32, 4, &work);
        break;
    case SAMPLE_S64:
    case SAMPLE_U64:
    case SAMPLE_CF32: /* a magnitude cannot be converted back */
    case SAMPLE_CF64:
    case SAMPLE_CS16:
    case SAMPLE_CS8:
    case SAMPLE_CU8:
    case SAMPLE_KINDS:
        break;
    }
}
