/* The loops that decode raw samples to float32.
 *
 * A template: every file that includes it compiles the loops for its own instruction set.
 * decode_one.h decodes one sample of each kind; decode_loop() makes four loops of it, for adjacent
 * or strided samples, in either byte order. */
#ifndef GPUENV_SAMPLE_DECODE_TMPL_H
#define GPUENV_SAMPLE_DECODE_TMPL_H

#include "sample/decode_one.h"
#include "sample/sample_type.h"

typedef float decoder(const unsigned char *raw, bool big, struct scaling scaling);

struct decode_work {
    const unsigned char *raw;
    size_t stride;
    float *samples;
    size_t count;
    bool big;
    struct scaling scaling;
};

SAMPLE_TEMPLATE void decode_loop(decoder *decode, size_t step, bool big,
                                 const struct decode_work *work)
{
    const unsigned char *restrict raw = work->raw;
    float *restrict samples = work->samples;
    struct scaling scaling = work->scaling;
    size_t count = work->count;

    for (size_t i = 0; i < count; i++)
        samples[i] = decode(raw + i * step, big, scaling);
}

/* `dense` is a constant in each call: strided samples need separate loops. */
SAMPLE_TEMPLATE void decode_ordered(decoder *decode, size_t bytes, bool dense,
                                    const struct decode_work *work)
{
    if (dense && !work->big)
        decode_loop(decode, bytes, false, work);
    else if (dense)
        decode_loop(decode, bytes, true, work);
    else if (!work->big)
        decode_loop(decode, bytes * work->stride, false, work);
    else
        decode_loop(decode, bytes * work->stride, true, work);
}

SAMPLE_TEMPLATE void decode_any(struct sample_type type, const void *raw, size_t stride, bool dense,
                                float *samples, size_t count)
{
    struct decode_work work = {
        .raw = (const unsigned char *)raw,
        .stride = stride,
        .count = count,
        .big = type.big_endian,
        .scaling = scaling_of(type),
    };

    work.samples = samples;
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
        decode_ordered(decode_s24, 3, dense, &work);
        break;
    case SAMPLE_U24:
        decode_ordered(decode_u24, 3, dense, &work);
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

#endif
