/* The loops that turn raw samples into float32, for each instruction set to compile.
 *
 * One function says what one sample of a kind means (decode_one.h); one template makes the loops of
 * it: for samples that lie side by side and for those a stride apart, in either byte order. */
#ifndef GPUENV_SAMPLE_DECODE_TMPL_H
#define GPUENV_SAMPLE_DECODE_TMPL_H

#include "sample/decode_one.h"
#include "sample/sample_type.h"

typedef float decoder(const unsigned char *raw, bool big, struct scaling scaling);

struct piece {
    const unsigned char *raw;
    size_t stride;
    float *samples;
    size_t count;
    bool big;
    struct scaling scaling;
};

SAMPLE_TEMPLATE void decode_loop(decoder *decode, size_t step, bool big, const struct piece *piece)
{
    const unsigned char *restrict raw = piece->raw;
    float *restrict samples = piece->samples;
    struct scaling scaling = piece->scaling;
    size_t count = piece->count;

    for (size_t i = 0; i < count; i++)
        samples[i] = decode(raw + i * step, big, scaling);
}

/* `dense` is a constant in each call: samples a stride apart need loops of their own. */
SAMPLE_TEMPLATE void decode_piece(decoder *decode, size_t bytes, bool dense,
                                  const struct piece *piece)
{
    if (dense && !piece->big)
        decode_loop(decode, bytes, false, piece);
    else if (dense)
        decode_loop(decode, bytes, true, piece);
    else if (!piece->big)
        decode_loop(decode, bytes * piece->stride, false, piece);
    else
        decode_loop(decode, bytes * piece->stride, true, piece);
}

SAMPLE_TEMPLATE void decode_any(struct sample_type type, const void *raw, size_t stride, bool dense,
                                float *samples, size_t count)
{
    struct piece piece = {
        .raw = (const unsigned char *)raw,
        .stride = stride,
        .count = count,
        .big = type.big_endian,
        .scaling = scaling_of(type),
    };

    piece.samples = samples;
    switch (type.kind) {
    case SAMPLE_F32:
        decode_piece(decode_f32, 4, dense, &piece);
        break;
    case SAMPLE_F64:
        decode_piece(decode_f64, 8, dense, &piece);
        break;
    case SAMPLE_S8:
        decode_piece(decode_s8, 1, dense, &piece);
        break;
    case SAMPLE_U8:
        decode_piece(decode_u8, 1, dense, &piece);
        break;
    case SAMPLE_S16:
        decode_piece(decode_s16, 2, dense, &piece);
        break;
    case SAMPLE_U16:
        decode_piece(decode_u16, 2, dense, &piece);
        break;
    case SAMPLE_S24:
        decode_piece(decode_s24, 3, dense, &piece);
        break;
    case SAMPLE_U24:
        decode_piece(decode_u24, 3, dense, &piece);
        break;
    case SAMPLE_S32:
        decode_piece(decode_s32, 4, dense, &piece);
        break;
    case SAMPLE_U32:
        if (type.counts)
            decode_piece(decode_u32_counts, 4, dense, &piece);
        else
            decode_piece(decode_u32, 4, dense, &piece);
        break;
    case SAMPLE_CF32:
        decode_piece(decode_cf32, 8, dense, &piece);
        break;
    case SAMPLE_CS16:
        decode_piece(decode_cs16, 4, dense, &piece);
        break;
    case SAMPLE_CS8:
        decode_piece(decode_cs8, 2, dense, &piece);
        break;
    case SAMPLE_CU8:
        decode_piece(decode_cu8, 2, dense, &piece);
        break;
    case SAMPLE_F16:
        decode_piece(decode_f16, 2, dense, &piece);
        break;
    case SAMPLE_KINDS:
        break;
    }
}

#endif
