/* Decodes one raw sample of any type, to float32 or float64. src/sample/decode_one.h does it for
 * each type, here and on the CPU. */
#ifndef GPUENV_CUDA_DECODE_ANY_CUH
#define GPUENV_CUDA_DECODE_ANY_CUH

#include "launch.cuh"

extern "C" {
#include "sample/sample_type.h"
}

#include "sample/decode_one.h"

enum { SAMPLE_BYTES_MOST = 16 };

struct decode_how {
    struct sample_type type;
    struct scaling scaling;
};

/* A sample's bytes, in one access where its size allows. All indexes are constants, so that the
 * bytes stay in registers. */
__device__ __forceinline__ void fetch_sample(const unsigned char *raw, unsigned bytes,
                                             unsigned char *sample)
{
    switch (bytes) {
    case 1:
        sample[0] = raw[0];
        break;
    case 2:
        memcpy(sample, (const uint16_t *)(const void *)raw, sizeof(uint16_t));
        break;
    case 3:
        sample[0] = raw[0];
        sample[1] = raw[1];
        sample[2] = raw[2];
        break;
    case 4:
        memcpy(sample, (const uint32_t *)(const void *)raw, sizeof(uint32_t));
        break;
    case 16:
        memcpy(sample, (const uint64_t *)(const void *)raw, sizeof(uint64_t));
        memcpy(sample + sizeof(uint64_t), (const uint64_t *)(const void *)raw + 1,
               sizeof(uint64_t));
        break;
    default:
        memcpy(sample, (const uint64_t *)(const void *)raw, sizeof(uint64_t));
        break;
    }
}

static __device__ float decode_float(const struct decode_how &how, const unsigned char *raw)
{
    const bool big = how.type.big_endian;

    switch (how.type.kind) {
    case SAMPLE_F32:
        return decode_f32(raw, big, how.scaling);
    case SAMPLE_F64:
        return decode_f64(raw, big, how.scaling);
    case SAMPLE_S8:
        return decode_s8(raw, big, how.scaling);
    case SAMPLE_U8:
        return decode_u8(raw, big, how.scaling);
    case SAMPLE_S16:
        return decode_s16(raw, big, how.scaling);
    case SAMPLE_U16:
        return decode_u16(raw, big, how.scaling);
    case SAMPLE_S24:
        return decode_s24(raw, big, how.scaling);
    case SAMPLE_U24:
        return decode_u24(raw, big, how.scaling);
    case SAMPLE_S32:
        return decode_s32(raw, big, how.scaling);
    case SAMPLE_U32:
        return how.type.counts ? decode_u32_counts(raw, big, how.scaling)
                               : decode_u32(raw, big, how.scaling);
    case SAMPLE_CF32:
        return decode_cf32(raw, big, how.scaling);
    case SAMPLE_CS16:
        return decode_cs16(raw, big, how.scaling);
    case SAMPLE_CS8:
        return decode_cs8(raw, big, how.scaling);
    case SAMPLE_CU8:
        return decode_cu8(raw, big, how.scaling);
    case SAMPLE_F16:
        return decode_f16(raw, big, how.scaling);
    case SAMPLE_S64:
        return decode_s64(raw, big, how.scaling);
    case SAMPLE_U64:
        return how.type.counts ? decode_u64_counts(raw, big, how.scaling)
                               : decode_u64(raw, big, how.scaling);
    case SAMPLE_CF64:
        return decode_cf64(raw, big, how.scaling);
    case SAMPLE_KINDS:
        break;
    }
    return 0;
}

/* A type that is not listed here loses nothing in float32. */
static __device__ double decode_double(const struct decode_how &how, const unsigned char *raw)
{
    const bool big = how.type.big_endian;

    switch (how.type.kind) {
    case SAMPLE_F64:
        return decode64_f64(raw, big, how.scaling);
    case SAMPLE_S32:
        return decode64_s32(raw, big, how.scaling);
    case SAMPLE_U32:
        return how.type.counts ? decode64_u32_counts(raw, big, how.scaling)
                               : decode64_u32(raw, big, how.scaling);
    case SAMPLE_S64:
        return decode64_s64(raw, big, how.scaling);
    case SAMPLE_U64:
        return how.type.counts ? decode64_u64_counts(raw, big, how.scaling)
                               : decode64_u64(raw, big, how.scaling);
    case SAMPLE_CF64:
        return decode64_cf64(raw, big, how.scaling);
    default:
        return decode_float(how, raw);
    }
}

__device__ __forceinline__ void decode_to(const struct decode_how &how, const unsigned char *raw,
                                          float *sample)
{
    *sample = decode_float(how, raw);
}

__device__ __forceinline__ void decode_to(const struct decode_how &how, const unsigned char *raw,
                                          double *sample)
{
    *sample = decode_double(how, raw);
}

#endif
