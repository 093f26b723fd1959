/* SPDX-License-Identifier: MIT */
/* The loops that decode raw samples.
 *
 * A template: every file that includes it compiles the loops for its own instruction set.
 * decode_one.h decodes one sample of each kind; decode_ordered() makes four loops of that, for
 * adjacent or strided samples, in either byte order. decode_ordered64() and
 * decode_ordered_integer() make such loops for the other kinds of values. */
#ifndef GPUENV_SAMPLE_DECODE_TMPL_H
#define GPUENV_SAMPLE_DECODE_TMPL_H

#include "sample/decode_one.h"
#include "sample/sample_type.h"

struct decode_work {
    struct sample_type type;
    const unsigned char *raw;
    size_t stride;
    void *values;
    size_t count;
    struct scaling scaling;
};

SAMPLE_TEMPLATE struct decode_work decode_work_make(struct sample_type type, const void *raw,
                                                    size_t stride, void *values, size_t count)
{
    return (struct decode_work){
        .type = type,
        .raw = (const unsigned char *)raw,
        .stride = stride,
        .values = values,
        .count = count,
        .scaling = scaling_of(type),
    };
}

/* Loops over one decoder. `dense` is a constant in each call: strided samples need separate loops.
 */
#define DECODE_LOOPS(suffix, value)                                                                \
    typedef value decoder##suffix(const unsigned char *raw, bool big, struct scaling scaling);     \
                                                                                                   \
    SAMPLE_TEMPLATE void decode_loop##suffix(decoder##suffix *decode, size_t step, bool big,       \
                                             const struct decode_work *work)                       \
    {                                                                                              \
        const unsigned char *restrict raw = work->raw;                                             \
        __typeof__(value) *restrict values = work->values;                                         \
        struct scaling scaling = work->scaling;                                                    \
        size_t count = work->count;                                                                \
                                                                                                   \
        for (size_t i = 0; i < count; i++)                                                         \
            values[i] = decode(raw + i * step, big, scaling);                                      \
    }                                                                                              \
                                                                                                   \
    SAMPLE_TEMPLATE void decode_ordered##suffix(decoder##suffix *decode, size_t bytes, bool dense, \
                                                const struct decode_work *work)                    \
    {                                                                                              \
        if (dense && (bytes == 1 || !work->type.big_endian))                                       \
            decode_loop##suffix(decode, bytes, false, work);                                       \
        else if (dense)                                                                            \
            decode_loop##suffix(decode, bytes, true, work);                                        \
        else if (bytes == 1 || !work->type.big_endian)                                             \
            decode_loop##suffix(decode, bytes * work->stride, false, work);                        \
        else                                                                                       \
            decode_loop##suffix(decode, bytes * work->stride, true, work);                         \
    }

DECODE_LOOPS(, float)
DECODE_LOOPS(64, double)
DECODE_LOOPS(_integer, int64_t)

/* Samples of 24 bits side by side, four at a time: their bytes become the upper ones of 32 bits.
 * Returns how many are done: for the last ones, a load of 16 bytes would reach past the end. */
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

SAMPLE_TEMPLATE void decode_24(bool is_signed, bool dense, const struct decode_work *work)
{
    struct decode_work rest = *work;
    size_t done = !dense                  ? 0
                  : work->type.big_endian ? decode_fours(is_signed, true, work)
                                          : decode_fours(is_signed, false, work);

    rest.raw += 3 * done * work->stride;
    rest.values = (float *)work->values + done;
    rest.count -= done;
    decode_ordered(is_signed ? decode_s24 : decode_u24, 3, dense, &rest);
}

#define DECODE_CASE(KIND, ordered, decode, bytes)                                                  \
    case SAMPLE_##KIND:                                                                            \
        ordered(decode, bytes, dense, work);                                                       \
        break;

#define DECODE_BY_COUNTS(KIND, ordered, decode, bytes)                                             \
    case SAMPLE_##KIND:                                                                            \
        if (work->type.counts)                                                                     \
            ordered(decode##_counts, bytes, dense, work);                                          \
        else                                                                                       \
            ordered(decode, bytes, dense, work);                                                   \
        break;

SAMPLE_TEMPLATE void decode_any_f32(bool dense, const struct decode_work *work)
{
    switch (work->type.kind) {
#define ROW(KIND, name, bytes) DECODE_CASE(KIND, decode_ordered, decode_##name, bytes)
#define ROW_24(KIND, name, bytes)                                                                  \
    case SAMPLE_##KIND:                                                                            \
        decode_24(SAMPLE_##KIND == SAMPLE_S24, dense, work);                                       \
        break;
#define BY_COUNTS(KIND, name, bytes) DECODE_BY_COUNTS(KIND, decode_ordered, decode_##name, bytes)
        DECODERS(ROW, ROW_24, BY_COUNTS)
#undef ROW
#undef ROW_24
#undef BY_COUNTS
    case SAMPLE_KINDS:
        __builtin_unreachable();
    }
}

/* Decodes to float64 by way of float32, for the types that float32 holds. That is rarely needed, so
 * it is compiled once, in decode.c. */
void decode_widened(const struct decode_work *work);

SAMPLE_TEMPLATE void decode_any_f64(bool dense, const struct decode_work *work)
{
    switch (work->type.kind) {
#define ROW(KIND, name, bytes) DECODE_CASE(KIND, decode_ordered64, decode64_##name, bytes)
#define BY_COUNTS(KIND, name, bytes)                                                               \
    DECODE_BY_COUNTS(KIND, decode_ordered64, decode64_##name, bytes)
        DECODERS64(ROW, BY_COUNTS)
#undef ROW
#undef BY_COUNTS
    default:
        decode_widened(work);
        break;
    }
}

/* `kind` is a constant where a file is compiled for one kind. */
SAMPLE_TEMPLATE void decode_any(enum value_kind kind, bool dense, const struct decode_work *work)
{
    if (kind == VALUE_F32)
        decode_any_f32(dense, work);
    else if (kind == VALUE_F64)
        decode_any_f64(dense, work);
    else if (work->type.kind == SAMPLE_U64)
        decode_ordered_integer(decode_integer_u64, 8, dense, work);
    else
        decode_ordered_integer(decode_integer_s64, 8, dense, work);
}

#endif
