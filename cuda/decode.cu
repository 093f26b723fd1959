/* Decodes raw frames to float32 or float64, into one ring per channel.
 *
 * One sample per thread: neighbouring threads take neighbouring samples, regardless of their
 * channel. src/sample/decode_one.h decodes a sample, here and on the CPU. The bits are the same
 * because a*b+c is not contracted (-fmad=false), and because conversions and double square roots
 * round to nearest on both sides. */
#include "launch.cuh"

extern "C" {
#include "sample/sample_type.h"
}

#include "cuda_window.h"
#include "sample/decode_one.h"

enum { DECODE_THREADS = 256, SAMPLE_BYTES_MOST = 16 };

struct decode_view {
    const unsigned char *raw;
    void *samples; /* of the kind that the kernel is compiled for */
    uint64_t capacity;
    uint64_t position; /* of the first frame */
    uint64_t count;    /* samples */
    unsigned channels;
    unsigned bytes; /* per sample */
    struct sample_type type;
    struct scaling scaling;
};

typedef void decode_function(const struct decode_view view);

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

static __device__ float decode_float(const struct decode_view &view, const unsigned char *raw)
{
    const bool big = view.type.big_endian;

    switch (view.type.kind) {
    case SAMPLE_F32:
        return decode_f32(raw, big, view.scaling);
    case SAMPLE_F64:
        return decode_f64(raw, big, view.scaling);
    case SAMPLE_S8:
        return decode_s8(raw, big, view.scaling);
    case SAMPLE_U8:
        return decode_u8(raw, big, view.scaling);
    case SAMPLE_S16:
        return decode_s16(raw, big, view.scaling);
    case SAMPLE_U16:
        return decode_u16(raw, big, view.scaling);
    case SAMPLE_S24:
        return decode_s24(raw, big, view.scaling);
    case SAMPLE_U24:
        return decode_u24(raw, big, view.scaling);
    case SAMPLE_S32:
        return decode_s32(raw, big, view.scaling);
    case SAMPLE_U32:
        return view.type.counts ? decode_u32_counts(raw, big, view.scaling)
                                : decode_u32(raw, big, view.scaling);
    case SAMPLE_CF32:
        return decode_cf32(raw, big, view.scaling);
    case SAMPLE_CS16:
        return decode_cs16(raw, big, view.scaling);
    case SAMPLE_CS8:
        return decode_cs8(raw, big, view.scaling);
    case SAMPLE_CU8:
        return decode_cu8(raw, big, view.scaling);
    case SAMPLE_F16:
        return decode_f16(raw, big, view.scaling);
    case SAMPLE_S64:
        return decode_s64(raw, big, view.scaling);
    case SAMPLE_U64:
        return view.type.counts ? decode_u64_counts(raw, big, view.scaling)
                                : decode_u64(raw, big, view.scaling);
    case SAMPLE_CF64:
        return decode_cf64(raw, big, view.scaling);
    case SAMPLE_KINDS:
        break;
    }
    return 0;
}

/* A type that is not listed here loses nothing in float32. */
static __device__ double decode_double(const struct decode_view &view, const unsigned char *raw)
{
    const bool big = view.type.big_endian;

    switch (view.type.kind) {
    case SAMPLE_F64:
        return decode64_f64(raw, big, view.scaling);
    case SAMPLE_S32:
        return decode64_s32(raw, big, view.scaling);
    case SAMPLE_U32:
        return view.type.counts ? decode64_u32_counts(raw, big, view.scaling)
                                : decode64_u32(raw, big, view.scaling);
    case SAMPLE_S64:
        return decode64_s64(raw, big, view.scaling);
    case SAMPLE_U64:
        return view.type.counts ? decode64_u64_counts(raw, big, view.scaling)
                                : decode64_u64(raw, big, view.scaling);
    case SAMPLE_CF64:
        return decode64_cf64(raw, big, view.scaling);
    default:
        return decode_float(view, raw);
    }
}

__device__ __forceinline__ void decode_to(const struct decode_view &view, const unsigned char *raw,
                                          float *sample)
{
    *sample = decode_float(view, raw);
}

__device__ __forceinline__ void decode_to(const struct decode_view &view, const unsigned char *raw,
                                          double *sample)
{
    *sample = decode_double(view, raw);
}

template <class Value>
__global__ void __launch_bounds__(DECODE_THREADS) decode_kernel(const struct decode_view view)
{
    uint64_t sample = (uint64_t)blockIdx.x * DECODE_THREADS + threadIdx.x;
    uint64_t frame = sample;
    unsigned channel = 0;
    uint64_t place;
    unsigned char raw[SAMPLE_BYTES_MOST];

    if (sample >= view.count)
        return;
    if (view.channels > 1) {
        frame = sample / view.channels;
        channel = (unsigned)(sample - frame * view.channels);
    }
    place = view.position + frame;
    if (place >= view.capacity)
        place -= view.capacity;
    fetch_sample(view.raw + sample * view.bytes, view.bytes, raw);
    decode_to(view, raw, (Value *)view.samples + channel * view.capacity + place);
}

static decode_function *kernel_of(enum value_kind value)
{
    return value == VALUE_F64 ? decode_kernel<double> : decode_kernel<float>;
}

cudaError_t cuda_decode_load(enum value_kind value)
{
    return load_kernel(kernel_of(value));
}

cudaError_t cuda_decode(const struct cuda_rings *rings, struct sample_type type, const void *raw,
                        uint64_t first, uint64_t count, cudaStream_t stream)
{
    const uint64_t samples_most = (uint64_t)INT32_MAX * DECODE_THREADS;
    const uint64_t frames_most = samples_most / rings->channels;
    struct decode_view view;

    view.raw = (const unsigned char *)raw;
    view.samples = rings->samples;
    view.capacity = rings->capacity;
    view.channels = rings->channels;
    view.bytes = (unsigned)sample_type_bytes(type);
    view.type = type;
    view.scaling = scaling_of(type);
    while (count > 0) {
        uint64_t frames = count < frames_most ? count : frames_most;

        view.position = first % rings->capacity;
        view.count = frames * rings->channels;
        LAUNCH(kernel_of(rings->value),
               (unsigned)((view.count + DECODE_THREADS - 1) / DECODE_THREADS), DECODE_THREADS, 0,
               stream, view);
        view.raw += view.count * view.bytes;
        first += frames;
        count -= frames;
    }
    return cudaGetLastError();
}
