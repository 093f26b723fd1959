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
 * A block copies 32 rows of 32 frames of a plane each. In shared memory they are a square: where
 * neighbouring samples of the array belong to many planes, it is turned, so that neighbouring
 * threads access neighbouring samples on both sides. Otherwise the rows belong to all planes in
 * turn, however few there are; of interleaved channels, the rows of a block are in the same lines.
 */

enum {
    SIDE = 32,
    THREADS = 256,
    AT_ONCE = THREADS / SIDE, /* rows of the square */
    SQUARE_VALUES = SIDE * (SIDE + 1),
};

struct strided_view {
    unsigned char *data;
    int64_t row;
    int64_t frame;
    int64_t channel;
    uint64_t channels;
    uint64_t planes; /* rows times channels */
    uint64_t frames;
    uint64_t squares; /* side by side in time */
    void *values;
    uint64_t pitch; /* values from plane to plane */
    unsigned bytes;
    bool turned;
    struct decode_how how;
    struct range range;
};

struct spot {
    uint64_t plane;
    uint64_t frame;
};

static __device__ unsigned char *sample_at(const struct strided_view &view, struct spot spot)
{
    const uint64_t row = view.channels == 1 ? spot.plane : spot.plane / view.channels;
    const uint64_t channel = spot.plane - row * view.channels;

    return view.data + (int64_t)row * view.row + (int64_t)channel * view.channel +
           (int64_t)spot.frame * view.frame;
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

/* The first sample of a block. */
static __device__ struct spot first_spot(const struct strided_view &view)
{
    const uint64_t row = (uint64_t)blockIdx.x * SIDE;
    struct spot first;

    if (view.turned) {
        first.plane = blockIdx.x / view.squares * SIDE;
        first.frame = blockIdx.x % view.squares * SIDE;
    } else {
        first.plane = row % view.planes;
        first.frame = row / view.planes * SIDE;
    }
    return first;
}

/* A thread's sample of row i. */
static __device__ struct spot spot_of(const struct strided_view &view, struct spot first,
                                      unsigned i)
{
    struct spot spot;

    spot.plane = first.plane + i;
    spot.frame = first.frame + threadIdx.x % SIDE;
    if (!view.turned && spot.plane >= view.planes) {
        const uint64_t turns = spot.plane / view.planes;

        spot.plane -= turns * view.planes;
        spot.frame += turns * SIDE;
    }
    return spot;
}

/* The same, or of column i if the square is turned. */
static __device__ struct spot spot_in_array(const struct strided_view &view, struct spot first,
                                            unsigned i)
{
    struct spot spot;

    if (!view.turned)
        return spot_of(view, first, i);
    spot.plane = first.plane + threadIdx.x % SIDE;
    spot.frame = first.frame + i;
    return spot;
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

template <class Value>
__global__ void __launch_bounds__(THREADS) gather_kernel(const struct strided_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value(*const rows)[SIDE + 1] = (Value(*)[SIDE + 1])(void *)shared_quads;
    const struct spot first = first_spot(view);
    const unsigned along = threadIdx.x % SIDE;

    for (unsigned i = threadIdx.x / SIDE; i < SIDE; i += AT_ONCE) {
        const struct spot spot = spot_in_array(view, first, i);
        unsigned char raw[SAMPLE_BYTES_MOST];

        if (is_there(view, spot)) {
            fetch_sample(sample_at(view, spot), view.bytes, raw);
            decode_to(view.how, raw, view.turned ? &rows[along][i] : &rows[i][along]);
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x / SIDE; i < SIDE; i += AT_ONCE) {
        const struct spot spot = spot_of(view, first, i);

        if (is_there(view, spot))
            *value_at<Value>(view, spot) = rows[i][along];
    }
}

template <class Value>
__global__ void __launch_bounds__(THREADS) scatter_kernel(const struct strided_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value(*const rows)[SIDE + 1] = (Value(*)[SIDE + 1])(void *)shared_quads;
    const struct spot first = first_spot(view);
    const unsigned along = threadIdx.x % SIDE;

    for (unsigned i = threadIdx.x / SIDE; i < SIDE; i += AT_ONCE) {
        const struct spot spot = spot_of(view, first, i);

        if (is_there(view, spot))
            rows[i][along] = *value_at<const Value>(view, spot);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x / SIDE; i < SIDE; i += AT_ONCE) {
        const struct spot spot = spot_in_array(view, first, i);

        if (is_there(view, spot))
            put_sample(sample_at(view, spot), view.bytes,
                       encode_any(view, view.turned ? rows[along][i] : rows[i][along]),
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
    view->channels = array->channels;
    view->planes = array->rows * array->channels;
    view->frames = array->frames;
    view->squares = (array->frames + SIDE - 1) / SIDE;
    view->values = values;
    view->pitch = pitch;
    view->bytes = (unsigned)array->bytes;
    view->turned =
        distance(array->channels > 1 ? array->channel : array->row) < distance(array->frame) &&
        view->planes > SIDE / 2;
    view->how.type = array->sample;
    view->how.scaling = scaling_of(array->sample);
    return (unsigned)(view->turned ? view->squares * ((view->planes + SIDE - 1) / SIDE)
                                   : (view->squares * view->planes + SIDE - 1) / SIDE);
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
