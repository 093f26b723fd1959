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
#include "decode_any.cuh"

enum { DECODE_THREADS = 256 };

struct decode_view {
    const unsigned char *raw;
    void *samples; /* of the kind that the kernel is compiled for */
    uint64_t capacity;
    uint64_t position; /* of the first frame */
    uint64_t count;    /* samples */
    unsigned channels;
    unsigned bytes; /* per sample */
    struct decode_how how;
};

typedef void decode_function(const struct decode_view view);

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
    decode_to(view.how, raw, (Value *)view.samples + channel * view.capacity + place);
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
    view.how.type = type;
    view.how.scaling = scaling_of(type);
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
