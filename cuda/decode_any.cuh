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

#define ROW(KIND, name, bytes)                                                                     \
    case SAMPLE_##KIND:                                                                            \
        return DECODE(name)(raw, big, how.scaling);
#define BY_COUNTS(KIND, name, bytes)                                                               \
    case SAMPLE_##KIND:                                                                            \
        return how.type.counts ? DECODE(name##_counts)(raw, big, how.scaling)                      \
                               : DECODE(name)(raw, big, how.scaling);

static __device__ float decode_float(const struct decode_how &how, const unsigned char *raw)
{
    const bool big = how.type.big_endian;

    switch (how.type.kind) {
#define DECODE(name) decode_##name
        DECODERS(ROW, ROW, BY_COUNTS)
#undef DECODE
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
#define DECODE(name) decode64_##name
        DECODERS64(ROW, BY_COUNTS)
#undef DECODE
    default:
        return decode_float(how, raw);
    }
}

#undef ROW
#undef BY_COUNTS

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
