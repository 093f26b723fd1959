/* Copies between raw samples and planes of float32 or float64: the chunks of a stream into rings,
 * and arrays of any layout and type.
 *
 * src/sample/decode_one.h decodes a sample, and src/sample/encode_one.h encodes one, here and on
 * the CPU. The bits are the same because a*b+c is not contracted (-fmad=false), and because
 * conversions and double square roots round to nearest on both sides. */
#include "launch.cuh"

extern "C" {
#include "sample/strided.h"
}

#include "cuda_samples.h"
#include "sample/decode_one.h"
#include "sample/encode_one.h"
#include "window/rules.h"

/* ---- one sample */

struct decode_how {
    struct sample_type type;
    struct scaling scaling;
};

/* The bytes of a sample, the first one lowest. */
struct raw_sample {
    uint64_t low;
    uint64_t high;
};

/* In one access where the size allows. (Of memcpy(), the compiler makes an access for each byte.)
 */
__device__ __forceinline__ struct raw_sample fetch_sample(const unsigned char *raw, unsigned bytes)
{
    struct raw_sample sample = {0, 0};

    switch (bytes) {
    case 1:
        sample.low = raw[0];
        break;
    case 2:
        sample.low = *(const uint16_t *)(const void *)raw;
        break;
    case 3:
        sample.low = raw[0] | raw[1] << 8 | raw[2] << 16;
        break;
    case 4:
        sample.low = *(const uint32_t *)(const void *)raw;
        break;
    case 16:
        sample.high = *((const uint64_t *)(const void *)raw + 1);
        sample.low = *(const uint64_t *)(const void *)raw;
        break;
    default:
        sample.low = *(const uint64_t *)(const void *)raw;
        break;
    }
    return sample;
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

__device__ __forceinline__ void decode_to(const struct decode_how &how, struct raw_sample raw,
                                          float *sample)
{
    unsigned char bytes[sizeof raw];

    memcpy(bytes, &raw, sizeof raw);
    *sample = decode_float(how, bytes);
}

__device__ __forceinline__ void decode_to(const struct decode_how &how, struct raw_sample raw,
                                          double *sample)
{
    unsigned char bytes[sizeof raw];

    memcpy(bytes, &raw, sizeof raw);
    *sample = decode_double(how, bytes);
}

/* ---- the chunks of a stream */

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

/* One sample per thread: neighbouring threads take neighbouring samples, regardless of their
 * channel. */
template <class Value>
__global__ void __launch_bounds__(DECODE_THREADS) decode_kernel(const struct decode_view view)
{
    uint64_t sample = (uint64_t)blockIdx.x * DECODE_THREADS + threadIdx.x;
    uint64_t frame = sample;
    unsigned channel = 0;
    uint64_t place;

    if (sample >= view.count)
        return;
    if (view.channels > 1) {
        frame = sample / view.channels;
        channel = (unsigned)(sample - frame * view.channels);
    }
    place = view.position + frame;
    if (place >= view.capacity)
        place -= view.capacity;
    decode_to(view.how, fetch_sample(view.raw + sample * view.bytes, view.bytes),
              (Value *)view.samples + channel * view.capacity + place);
}

cudaError_t cuda_decode_load(enum value_kind value)
{
    return load_kernel(value == VALUE_F64 ? decode_kernel<double> : decode_kernel<float>);
}

cudaError_t cuda_decode(const struct cuda_rings *rings, struct sample_type type, const void *raw,
                        uint64_t first, uint64_t count, cudaStream_t stream)
{
    struct decode_view view;

    view.raw = (const unsigned char *)raw;
    view.samples = rings->samples;
    view.capacity = rings->capacity;
    view.position = first % rings->capacity;
    view.count = count * rings->channels;
    view.channels = rings->channels;
    view.bytes = (unsigned)sample_type_bytes(type);
    view.how.type = type;
    view.how.scaling = scaling_of(type);
    /* A grid that exceeds 31 bits would need half a terabyte of samples. */
    LAUNCH(rings->value == VALUE_F64 ? decode_kernel<double> : decode_kernel<float>,
           (unsigned)((view.count + DECODE_THREADS - 1) / DECODE_THREADS), DECODE_THREADS, 0,
           stream, view);
    return cudaGetLastError();
}

/* ---- arrays
 *
 * A block copies 32 rows of 32 frames of a plane each. The rows belong to all planes in turn,
 * however few there are; of interleaved channels, the rows of a block are in the same lines. Where
 * neighbouring samples of the array belong to many planes, the rows are of as many planes, and are
 * turned in shared memory, so that neighbouring threads access neighbouring samples on both sides.
 */

enum {
    SIDE = 32,
    THREADS = 256,
    ACROSS = THREADS / SIDE, /* rows at a time */
    TIMES = SIDE / ACROSS,
    SQUARE_VALUES = SIDE * (SIDE + 1),
};

/* A frame of a plane. */
struct spot {
    unsigned plane;
    uint64_t frame;
};

struct strided_view {
    unsigned char *data;
    int64_t row;
    int64_t frame;
    int64_t channel;
    unsigned channels;
    unsigned planes; /* rows times channels */
    uint64_t frames;
    unsigned squares; /* side by side in time */
    void *values;
    uint64_t pitch; /* values from plane to plane */
    unsigned bytes;
    bool turned;
    struct spot step; /* over ACROSS rows, unless they are turned */
    struct decode_how how;
    struct range range;
};

static __device__ unsigned char *sample_at(const struct strided_view &view, struct spot spot)
{
    const unsigned row = view.channels == 1 ? spot.plane : spot.plane / view.channels;
    const unsigned channel = spot.plane - row * view.channels;

    return view.data + row * view.row + channel * view.channel + (int64_t)spot.frame * view.frame;
}

/* The bits of one value as a sample of a type that is not complex, nor an integer of 64 bits. A
 * float32 is exact as a double, and is rounded to the same sample. A conversion on a device gives
 * NaN bits of its own. */
static __device__ uint64_t encode_any(const struct strided_view &view, double number)
{
    struct sample_losses ignored = {0, 0};

    switch (view.how.type.kind) {
    case SAMPLE_F64:
        return isnan(number) ? RULES_NAN_BITS64 : rules_bits64(number);
    case SAMPLE_F32:
        return isnan(number) ? RULES_NAN_BITS : rules_bits((float)number);
    case SAMPLE_F16:
        return half_of(float_for_half(number));
    default:
        return range_bits(&view.range, number, &ignored);
    }
}

/* In one access where the size allows. */
static __device__ void put_sample(unsigned char *to, unsigned bytes, uint64_t bits, bool big)
{
    switch (bytes) {
    case 2:
        *(uint16_t *)(void *)to = big ? sample_swap16((uint16_t)bits) : (uint16_t)bits;
        break;
    case 4:
        *(uint32_t *)(void *)to = big ? sample_swap32((uint32_t)bits) : (uint32_t)bits;
        break;
    case 8:
        *(uint64_t *)(void *)to = big ? sample_swap64(bits) : bits;
        break;
    case 3:
        to[0] = (unsigned char)(big ? bits >> 16 : bits);
        to[1] = (unsigned char)(bits >> 8);
        to[2] = (unsigned char)(big ? bits : bits >> 16);
        break;
    default:
        to[0] = (unsigned char)bits;
        break;
    }
}

/* A thread's samples: of one in ACROSS rows, or with `columns` of the array's if they are turned.
 * No device has memory for 2^32 rows. */
static __device__ void find_spots(const struct strided_view &view, bool columns, struct spot *spots)
{
    const unsigned across = threadIdx.x / SIDE;
    const unsigned along = threadIdx.x % SIDE;

    if (view.turned) {
        const unsigned plane = blockIdx.x / view.squares * SIDE;
        const uint64_t frame = (uint64_t)(blockIdx.x % view.squares) * SIDE;

#pragma unroll
        for (unsigned i = 0; i < TIMES; i++) {
            spots[i].plane = plane + (columns ? along : i * ACROSS + across);
            spots[i].frame = frame + (columns ? i * ACROSS + across : along);
        }
        return;
    }
    spots[0].plane = (blockIdx.x * SIDE + across) % view.planes;
    spots[0].frame = (uint64_t)((blockIdx.x * SIDE + across) / view.planes) * SIDE + along;
#pragma unroll
    for (unsigned i = 1; i < TIMES; i++) {
        spots[i].plane = spots[i - 1].plane + view.step.plane;
        spots[i].frame = spots[i - 1].frame + view.step.frame;
        if (spots[i].plane >= view.planes) {
            spots[i].plane -= view.planes;
            spots[i].frame += SIDE;
        }
    }
}

static __device__ bool is_there(const struct strided_view &view, struct spot spot)
{
    return spot.plane < view.planes && spot.frame < view.frames;
}

template <class Value>
static __device__ Value *value_at(const struct strided_view &view, struct spot spot)
{
    return (Value *)view.values + spot.plane * view.pitch + spot.frame;
}

/* In both kernels, all loads are issued before the first result is needed. */
template <class Value>
__global__ void __launch_bounds__(THREADS) gather_kernel(const struct strided_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value(*const rows)[SIDE + 1] = (Value(*)[SIDE + 1])(void *)shared_quads;
    const unsigned across = threadIdx.x / SIDE;
    const unsigned along = threadIdx.x % SIDE;
    struct raw_sample raw[TIMES];
    struct spot spots[TIMES];

    find_spots(view, true, spots);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (is_there(view, spots[i]))
            raw[i] = fetch_sample(sample_at(view, spots[i]), view.bytes);
    }
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (is_there(view, spots[i]))
            decode_to(view.how, raw[i],
                      view.turned ? &rows[along][i * ACROSS + across]
                                  : value_at<Value>(view, spots[i]));
    }
    if (!view.turned)
        return;
    __syncthreads();
    find_spots(view, false, spots);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (is_there(view, spots[i]))
            *value_at<Value>(view, spots[i]) = rows[i * ACROSS + across][along];
    }
}

template <class Value>
__global__ void __launch_bounds__(THREADS) scatter_kernel(const struct strided_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value(*const rows)[SIDE + 1] = (Value(*)[SIDE + 1])(void *)shared_quads;
    const unsigned across = threadIdx.x / SIDE;
    const unsigned along = threadIdx.x % SIDE;
    struct spot spots[TIMES];
    Value values[TIMES] = {0};

    find_spots(view, false, spots);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (is_there(view, spots[i]))
            values[i] = *value_at<const Value>(view, spots[i]);
    }
    if (view.turned) {
#pragma unroll
        for (unsigned i = 0; i < TIMES; i++)
            rows[i * ACROSS + across][along] = values[i];
        __syncthreads();
        find_spots(view, true, spots);
#pragma unroll
        for (unsigned i = 0; i < TIMES; i++)
            values[i] = rows[along][i * ACROSS + across];
    }
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (is_there(view, spots[i]))
            put_sample(sample_at(view, spots[i]), view.bytes, encode_any(view, values[i]),
                       view.how.type.big_endian);
    }
}

static uint64_t distance(ptrdiff_t bytes)
{
    return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

/* Returns the number of blocks. */
static unsigned make_view(struct strided_view *view, const struct strided *array, void *values,
                          uint64_t pitch)
{
    memset(view, 0, sizeof *view);
    view->data = array->data;
    view->row = array->row;
    view->frame = array->frame;
    view->channel = array->channel;
    view->channels = (unsigned)array->channels;
    view->planes = (unsigned)(array->rows * array->channels);
    view->frames = array->frames;
    view->squares = (unsigned)((array->frames + SIDE - 1) / SIDE);
    view->values = values;
    view->pitch = pitch;
    view->bytes = (unsigned)array->bytes;
    view->turned =
        distance(array->channels > 1 ? array->channel : array->row) < distance(array->frame) &&
        view->planes > SIDE / 2;
    view->step.plane = ACROSS % view->planes;
    view->step.frame = ACROSS / view->planes * SIDE;
    view->how.type = array->sample;
    view->how.scaling = scaling_of(array->sample);
    return view->turned ? view->squares * ((view->planes + SIDE - 1) / SIDE)
                        : (view->squares * view->planes + SIDE - 1) / SIDE;
}

cudaError_t cuda_gather(const struct strided *from, enum value_kind value, void *values,
                        uint64_t pitch, cudaStream_t stream)
{
    struct strided_view view;
    const unsigned blocks = make_view(&view, from, values, pitch);

    LAUNCH(value == VALUE_F64 ? gather_kernel<double> : gather_kernel<float>, blocks, THREADS,
           SQUARE_VALUES * value_bytes(value), stream, view);
    return cudaGetLastError();
}

cudaError_t cuda_scatter(const void *values, enum value_kind value, uint64_t pitch,
                         const struct strided *to, cudaStream_t stream)
{
    struct strided_view view;
    const unsigned blocks = make_view(&view, to, (void *)(uintptr_t)values, pitch);

    view.range = range_of(to->sample);
    LAUNCH(value == VALUE_F64 ? scatter_kernel<double> : scatter_kernel<float>, blocks, THREADS,
           SQUARE_VALUES * value_bytes(value), stream, view);
    return cudaGetLastError();
}

cudaError_t cuda_strided_load(enum value_kind value)
{
    cudaError_t error =
        load_kernel(value == VALUE_F64 ? gather_kernel<double> : gather_kernel<float>);

    return error == cudaSuccess
               ? load_kernel(value == VALUE_F64 ? scatter_kernel<double> : scatter_kernel<float>)
               : error;
}
