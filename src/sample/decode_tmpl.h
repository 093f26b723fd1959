/* The loops that decode raw samples.
 *
 * A template: every file that includes it compiles the loops for its own instruction set.
 * decode_one.h decodes one sample of each kind; decode_ordered() makes four loops of it, for
 * adjacent or strided samples, in either byte order. So do decode_ordered64() and
 * decode_ordered_integer() for the other kinds of values. */
#ifndef GPUENV_SAMPLE_DECODE_TMPL_H
#define GPUENV_SAMPLE_DECODE_TMPL_H

#include "sample/decode_one.h"
#include "sample/sample_type.h"

struct decode_work {
    const unsigned char *raw;
    size_t stride;
    void *values;
    size_t count;
    bool big;
    struct scaling scaling;
};

typedef float decoder(const unsigned char *raw, bool big, struct scaling scaling);
typedef double decoder64(const unsigned char *raw, bool big, struct scaling scaling);
typedef int64_t decoder_integer(const unsigned char *raw, bool big, struct scaling scaling);

SAMPLE_TEMPLATE void decode_loop(decoder *decode, size_t step, bool big,
                                 const struct decode_work *work)
{
    const unsigned char *restrict raw = work->raw;
    float *restrict values = (float *)work->values;
    struct scaling scaling = work->scaling;
    size_t count = work->count;

    for (size_t i = 0; i < count; i++)
        values[i] = decode(raw + i * step, big, scaling);
}

SAMPLE_TEMPLATE void decode_loop64(decoder64 *decode, size_t step, bool big,
                                   const struct decode_work *work)
{
    const unsigned char *restrict raw = work->raw;
    double *restrict values = (double *)work->values;
    struct scaling scaling = work->scaling;
    size_t count = work->count;

    for (size_t i = 0; i < count; i++)
        values[i] = decode(raw + i * step, big, scaling);
}

SAMPLE_TEMPLATE void decode_loop_integer(decoder_integer *decode, size_t step, bool big,
                                         const struct decode_work *work)
{
    const unsigned char *restrict raw = work->raw;
    int64_t *restrict values = (int64_t *)work->values;
    struct scaling scaling = work->scaling;
    size_t count = work->count;

    for (size_t i = 0; i < count; i++)
        values[i] = decode(raw + i * step, big, scaling);
}

/* Samples of 24 bits side by side, four at a time: their bytes become the upper ones of 32 bits.
 * Returns how many are done: the 16 bytes of the last ones would be too many. */
#if (defined(__SSSE3__) || defined(__ARM_NEON)) && !SAMPLE_MACHINE_IS_BIG
typedef unsigned char decode_octets __attribute__((vector_size(16)));
typedef int32_t decode_words __attribute__((vector_size(16)));
typedef float decode_floats4 __attribute__((vector_size(16)));

#ifdef __clang__
#define DECODE_MOVED(octets, ...) __builtin_shufflevector(octets, octets, __VA_ARGS__)
#else
#define DECODE_MOVED(octets, ...) __builtin_shuffle(octets, (decode_octets){__VA_ARGS__})
#endif

SAMPLE_TEMPLATE size_t decode_fours(bool is_signed, bool big, const struct decode_work *work)
{
    const unsigned char *restrict raw = work->raw;
    float *restrict values = (float *)work->values;
    const struct scaling scaling = work->scaling;
    size_t at = 0;

    for (; work->count - at >= 6; at += 4) {
        decode_octets octets;
        decode_words words;
        decode_floats4 floats;

        memcpy(&octets, raw + 3 * at, sizeof octets);
        octets = big ? DECODE_MOVED(octets, 2, 2, 1, 0, 5, 5, 4, 3, 8, 8, 7, 6, 11, 11, 10, 9)
                     : DECODE_MOVED(octets, 0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11);
        memcpy(&words, &octets, sizeof words);
        words >>= 8;
        if (!is_signed)
            words = (words & 0xffffff) - scaling.middle;
        floats = __builtin_convertvector(words, decode_floats4) * scaling.factor;
        memcpy(values + at, &floats, sizeof floats);
    }
    return at;
}
#else
SAMPLE_TEMPLATE size_t decode_fours(bool is_signed, bool big, const struct decode_work *work)
{
    (void)is_signed, (void)big, (void)work;
    return 0;
}
#endif

/* `dense` is a constant in each call: strided samples need separate loops. */
#define DECODE_ORDERED(loop)                                                                       \
    if (dense && !work->big)                                                                       \
        loop(decode, bytes, false, work);                                                          \
    else if (dense)                                                                                \
        loop(decode, bytes, true, work);                                                           \
    else if (!work->big)                                                                           \
        loop(decode, bytes * work->stride, false, work);                                           \
    else                                                                                           \
        loop(decode, bytes * work->stride, true, work)

SAMPLE_TEMPLATE void decode_ordered(decoder *decode, size_t bytes, bool dense,
                                    const struct decode_work *work)
{
    DECODE_ORDERED(decode_loop);
}

SAMPLE_TEMPLATE void decode_24(bool is_signed, bool dense, const struct decode_work *work)
{
    struct decode_work rest = *work;
    size_t done = !dense      ? 0
                  : work->big ? decode_fours(is_signed, true, work)
                              : decode_fours(is_signed, false, work);

    rest.raw += 3 * done * work->stride;
    rest.values = (float *)work->values + done;
    rest.count -= done;
    decode_ordered(is_signed ? decode_s24 : decode_u24, 3, dense, &rest);
}

SAMPLE_TEMPLATE void decode_ordered64(decoder64 *decode, size_t bytes, bool dense,
                                      const struct decode_work *work)
{
    DECODE_ORDERED(decode_loop64);
}

SAMPLE_TEMPLATE void decode_ordered_integer(decoder_integer *decode, size_t bytes, bool dense,
                                            const struct decode_work *work)
{
    DECODE_ORDERED(decode_loop_integer);
}

SAMPLE_TEMPLATE struct decode_work decode_work_make(struct sample_type type, const void *raw,
                                                    size_t stride, void *values, size_t count)
{
    return (struct decode_work){
        .raw = (const unsigned char *)raw,
        .stride = stride,
        .values = values,
        .count = count,
        .big = type.big_endian,
        .scaling = scaling_of(type),
    };
}

SAMPLE_TEMPLATE void decode_any_f32(struct sample_type type, const void *raw, size_t stride,
                                    bool dense, float *values, size_t count)
{
    const struct decode_work work = decode_work_make(type, raw, stride, values, count);

    switch (type.kind) {
    case SAMPLE_F32:
        decode_ordered(decode_f32, 4, dense, &work);
        break;
    case SAMPLE_F64:
        decode_ordered(decode_f64, 8, dense, &work);
        break;
    case SAMPLE_S8:
        decode_ordered(decode_s8, 1, dense, &work);
        break;
    case SAMPLE_U8:
        decode_ordered(decode_u8, 1, dense, &work);
        break;
    case SAMPLE_S16:
        decode_ordered(decode_s16, 2, dense, &work);
        break;
    case SAMPLE_U16:
        decode_ordered(decode_u16, 2, dense, &work);
        break;
    case SAMPLE_S24:
        decode_24(true, dense, &work);
        break;
    case SAMPLE_U24:
        decode_24(false, dense, &work);
        break;
    case SAMPLE_S32:
        decode_ordered(decode_s32, 4, dense, &work);
        break;
    case SAMPLE_U32:
        if (type.counts)
            decode_ordered(decode_u32_counts, 4, dense, &work);
        else
            decode_ordered(decode_u32, 4, dense, &work);
        break;
    case SAMPLE_CF32:
        decode_ordered(decode_cf32, 8, dense, &work);
        break;
    case SAMPLE_CS16:
        decode_ordered(decode_cs16, 4, dense, &work);
        break;
    case SAMPLE_CS8:
        decode_ordered(decode_cs8, 2, dense, &work);
        break;
    case SAMPLE_CU8:
        decode_ordered(decode_cu8, 2, dense, &work);
        break;
    case SAMPLE_F16:
        decode_ordered(decode_f16, 2, dense, &work);
        break;
    case SAMPLE_S64:
        decode_ordered(decode_s64, 8, dense, &work);
        break;
    case SAMPLE_U64:
        if (type.counts)
            decode_ordered(decode_u64_counts, 8, dense, &work);
        else
            decode_ordered(decode_u64, 8, dense, &work);
        break;
    case SAMPLE_CF64:
        decode_ordered(decode_cf64, 16, dense, &work);
        break;
    case SAMPLE_KINDS:
        break;
    }
}

/* For types whose samples float32 holds: compiled once, as only tests need their float64. */
void decode_widened(struct sample_type type, const void *raw, size_t stride, double *values,
                    size_t count);

SAMPLE_TEMPLATE void decode_any_f64(struct sample_type type, const void *raw, size_t stride,
                                    bool dense, double *values, size_t count)
{
    const struct decode_work work = decode_work_make(type, raw, stride, values, count);

    switch (type.kind) {
    case SAMPLE_F64:
        decode_ordered64(decode64_f64, 8, dense, &work);
        break;
    case SAMPLE_S32:
        decode_ordered64(decode64_s32, 4, dense, &work);
        break;
    case SAMPLE_U32:
        if (type.counts)
            decode_ordered64(decode64_u32_counts, 4, dense, &work);
        else
            decode_ordered64(decode64_u32, 4, dense, &work);
        break;
    case SAMPLE_S64:
        decode_ordered64(decode64_s64, 8, dense, &work);
        break;
    case SAMPLE_U64:
        if (type.counts)
            decode_ordered64(decode64_u64_counts, 8, dense, &work);
        else
            decode_ordered64(decode64_u64, 8, dense, &work);
        break;
    case SAMPLE_CF64:
        decode_ordered64(decode64_cf64, 16, dense, &work);
        break;
    case SAMPLE_F32:
    case SAMPLE_S8:
    case SAMPLE_U8:
    case SAMPLE_S16:
    case SAMPLE_U16:
    case SAMPLE_S24:
    case SAMPLE_U24:
    case SAMPLE_CF32:
    case SAMPLE_CS16:
    case SAMPLE_CS8:
    case SAMPLE_CU8:
    case SAMPLE_F16:
    case SAMPLE_KINDS:
        decode_widened(type, raw, stride, values, count);
        break;
    }
}

/* Only for s64 and u64. */
SAMPLE_TEMPLATE void decode_any_i64(struct sample_type type, const void *raw, size_t stride,
                                    bool dense, int64_t *values, size_t count)
{
    const struct decode_work work = decode_work_make(type, raw, stride, values, count);

    if (type.kind == SAMPLE_U64)
        decode_ordered_integer(decode_integer_u64, 8, dense, &work);
    else
        decode_ordered_integer(decode_integer_s64, 8, dense, &work);
}

/* `kind` is a constant where a file is compiled for one kind. */
SAMPLE_TEMPLATE void decode_any(struct sample_type type, enum value_kind kind, const void *raw,
                                size_t stride, bool dense, void *values, size_t count)
{
    switch (kind) {
    case VALUE_F32:
        decode_any_f32(type, raw, stride, dense, (float *)values, count);
        break;
    case VALUE_F64:
        decode_any_f64(type, raw, stride, dense, (double *)values, count);
        break;
    case VALUE_I64:
        decode_any_i64(type, raw, stride, dense, (int64_t *)values, count);
        break;
    case VALUE_U64:
    case VALUE_KINDS:
        break;
    }
}

#endif
