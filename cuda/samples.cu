/* SPDX-License-Identifier: MIT */
/* Copies between raw samples and planes of float32 or float64, or of samples as they are: the
 * chunks of a stream into rings, and arrays of any layout and type.
 *
 * src/core/sample/decode_one.h decodes a sample, and src/core/sample/encode_one.h encodes one, here
 * and on the CPU. The bits are the same because a*b+c is not contracted (-fmad=false), and because
 * conversions and double square roots round to nearest on both sides. */
#include "launch.cuh"

extern "C" {
#include "failure.h"
#include "sample/strided.h"
}

#include <type_traits>

#include "base/min_max.h"
#include "cuda_samples.h"
#include "sample/decode_one.h"
#include "sample/encode_one.h"
#include "window/rules.h"

/* ---- a thread's samples
 *
 * A choice is made once for all TIMES samples, and all loads are issued before the first one is
 * needed. */

enum { TIMES = 4 };

struct decode_how {
    struct sample_type type;
    struct scaling scaling;
};

/* The bytes of a sample, the first one lowest. */
struct raw_sample {
    uint64_t low;
    uint64_t high;
};

/* Fetches the samples at `at` that are not NULL. Each is one access where the size allows: the
 * compiler turns memcpy() into an access for each byte. */
DEVICE void fetch_samples(const unsigned char *const *at, unsigned bytes, struct raw_sample *raw)
{
#define FETCH(low_half, high_half)                                                                 \
    _Pragma("unroll") for (int i = 0; i < TIMES; i++)                                              \
    {                                                                                              \
        if (at[i] != NULL) {                                                                       \
            raw[i].low = low_half;                                                                 \
            raw[i].high = high_half;                                                               \
        }                                                                                          \
    }
#define PART(type, n) (((const type *)(const void *)at[i])[n])

    switch (bytes) {
    case 1:
        FETCH(at[i][0], 0)
        break;
    case 2:
        FETCH(PART(uint16_t, 0), 0)
        break;
    case 3:
        FETCH(at[i][0] | (unsigned)at[i][1] << 8 | (unsigned)at[i][2] << 16, 0)
        break;
    case 4:
        FETCH(PART(uint32_t, 0), 0)
        break;
    case 16:
        FETCH(PART(uint64_t, 0), PART(uint64_t, 1))
        break;
    default:
        FETCH(PART(uint64_t, 0), 0)
        break;
    }
#undef PART
#undef FETCH
}

#define DECODE_ALL(name)                                                                           \
    {                                                                                              \
        _Pragma("unroll") for (int i = 0; i < TIMES; i++)                                          \
        {                                                                                          \
            unsigned char bytes[sizeof raw[i]];                                                    \
                                                                                                   \
            memcpy(bytes, &raw[i], sizeof bytes);                                                  \
            to[i] = name(bytes, how.type.big_endian, how.scaling);                                 \
        }                                                                                          \
    }
#define ROW(KIND, name, bytes)                                                                     \
    case SAMPLE_##KIND:                                                                            \
        DECODE_ALL(DECODE(name))                                                                   \
        break;
#define BY_COUNTS(KIND, name, bytes)                                                               \
    case SAMPLE_##KIND:                                                                            \
        if (how.type.counts)                                                                       \
            DECODE_ALL(DECODE(name##_counts))                                                      \
        else                                                                                       \
            DECODE_ALL(DECODE(name))                                                               \
        break;

static __device__ void decode_samples(const struct decode_how &how, const struct raw_sample *raw,
                                      float *to)
{
    switch (how.type.kind) {
#define DECODE(name) decode_##name
        DECODERS(ROW, ROW, BY_COUNTS)
#undef DECODE
    case SAMPLE_KINDS:
        break;
    }
}

/* Decodes samples to float64. A type that is not listed here loses nothing in float32. */
static __device__ void decode_samples(const struct decode_how &how, const struct raw_sample *raw,
                                      double *to)
{
    float narrow[TIMES];

    switch (how.type.kind) {
#define DECODE(name) decode64_##name
        DECODERS64(ROW, BY_COUNTS)
#undef DECODE
    default:
        decode_samples(how, raw, narrow);
#pragma unroll
        for (int i = 0; i < TIMES; i++)
            to[i] = narrow[i];
    }
}

/* Copies samples as they are. */
template <class Value>
static __device__ void decode_samples(const struct decode_how &, const struct raw_sample *raw,
                                      Value *to)
{
#pragma unroll
    for (int i = 0; i < TIMES; i++)
        to[i] = (Value)raw[i].low;
}

#undef BY_COUNTS
#undef ROW
#undef DECODE_ALL

/* ---- arrays
 *
 * A block copies some frames of some planes. Where neighbouring samples of the array are of
 * different planes, the block is turned in shared memory, so that neighbouring threads access
 * neighbouring samples on both sides.
 */

enum {
    THREADS = 256,
    AREA = THREADS * TIMES,
    PLANES_TURNED = 32, /* most planes of a block: each has at least a sector of memory */
    SECTOR = 8,         /* samples of a sector */
    RATIO_BITS = 20,
};

/* n / count is n * ratio >> RATIO_BITS, for n < AREA. */
struct side {
    unsigned count;
    unsigned ratio;
};

struct strided_view {
    unsigned char *data;
    int64_t row;
    int64_t frame;
    int64_t channel;
    unsigned channels;
    unsigned planes; /* rows times channels */
    uint64_t frames;
    void *values;
    uint64_t pitch; /* values from plane to plane */
    unsigned bytes;

    /* The planes and the frames of a block. */
    struct side tall;
    struct side wide;
    unsigned across; /* blocks side by side in time */
    bool turned;
    struct decode_how how;
    struct value_range range;
};

/* A place in a block, and in the planes. */
struct spot {
    unsigned row;
    unsigned column;
    unsigned plane;
    uint64_t frame;
    bool is_there;
};

/* Finds the samples that a thread accesses: in the order of the planes or, if `turned`, of the
 * array. */
static __device__ void find_spots(const struct strided_view &view, bool turned, struct spot *spots)
{
    const unsigned above = blockIdx.x / view.across;
    const unsigned plane = above * view.tall.count;
    const uint64_t frame = (uint64_t)(blockIdx.x - above * view.across) * view.wide.count;
    const struct side side = turned ? view.tall : view.wide;

#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        const unsigned n = i * THREADS + threadIdx.x;
        const unsigned major = n * side.ratio >> RATIO_BITS;
        const unsigned minor = n - major * side.count;
        struct spot spot;

        spot.row = turned ? minor : major;
        spot.column = turned ? major : minor;
        spot.plane = plane + spot.row;
        spot.frame = frame + spot.column;
        spot.is_there = spot.row < view.tall.count && spot.column < view.wide.count &&
                        spot.plane < view.planes && spot.frame < view.frames;
        spots[i] = spot;
    }
}

/* Returns NULL if there is no sample. */
static __device__ unsigned char *sample_at(const struct strided_view &view, const struct spot &spot)
{
    const unsigned row = view.channels == 1 ? spot.plane : spot.plane / view.channels;
    const unsigned channel = spot.plane - row * view.channels;

    return spot.is_there ? view.data + row * view.row + channel * view.channel +
                               (int64_t)spot.frame * view.frame
                         : NULL;
}

template <class Value>
static __device__ Value *value_at(const struct strided_view &view, const struct spot &spot)
{
    return (Value *)view.values + spot.plane * view.pitch + spot.frame;
}

/* The index in shared memory. Rows are an odd number of values apart, so neighbours in a column are
 * in different banks. */
static __device__ unsigned index_of(const struct strided_view &view, const struct spot &spot)
{
    return spot.row * (view.wide.count | 1) + spot.column;
}

/* Exchanges values with the other threads of the block: from the samples of find_spots() without
 * `turned` to those with it, or back. All threads must call this. */
template <class Value>
static __device__ void exchange(const struct strided_view &view, bool turned, struct spot *spots,
                                Value *values)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value *const shared = (Value *)(void *)shared_quads;

#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (spots[i].is_there)
            shared[index_of(view, spots[i])] = values[i];
    }
    __syncthreads();
    find_spots(view, turned, spots);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (spots[i].is_there)
            values[i] = shared[index_of(view, spots[i])];
    }
}

template <class Value>
__global__ void __launch_bounds__(THREADS) gather_kernel(const struct strided_view view)
{
    struct spot spots[TIMES];
    const unsigned char *at[TIMES];
    struct raw_sample raw[TIMES] = {};
    Value values[TIMES];

    find_spots(view, view.turned, spots);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++)
        at[i] = sample_at(view, spots[i]);
    fetch_samples(at, view.bytes, raw);
    decode_samples(view.how, raw, values);
    if (view.turned)
        exchange(view, false, spots, values);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (spots[i].is_there)
            *value_at<Value>(view, spots[i]) = values[i];
    }
}

/* The bits of a value as a sample of a type that is neither complex nor an integer of 64 bits. A
 * float32 is exact as a double, and is rounded to the same sample. NaN gets the bits of rules.h, as
 * a device's conversion gives bits of its own. */
template <class Value>
static __device__ uint64_t bits_of(const struct strided_view &view, Value number)
{
    struct sample_losses ignored = {0, 0};

    if constexpr (std::is_integral<Value>::value)
        return (uint64_t)number;
    switch (view.how.type.kind) {
    case SAMPLE_F64:
        return isnan((double)number) ? RULES_NAN_BITS64 : rules_bits64((double)number);
    case SAMPLE_F32:
        return isnan((double)number) ? RULES_NAN_BITS : rules_bits((float)number);
    case SAMPLE_F16:
        return half_of(float_for_half((double)number));
    default:
        return range_bits(&view.range, (double)number, &ignored);
    }
}

/* Stores a sample, in one access where the size allows. */
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

template <class Value>
__global__ void __launch_bounds__(THREADS) scatter_kernel(const struct strided_view view)
{
    struct spot spots[TIMES];
    Value values[TIMES];

    find_spots(view, false, spots);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (spots[i].is_there)
            values[i] = *value_at<const Value>(view, spots[i]);
    }
    if (view.turned)
        exchange(view, true, spots, values);
#pragma unroll
    for (unsigned i = 0; i < TIMES; i++) {
        if (spots[i].is_there)
            put_sample(sample_at(view, spots[i]), view.bytes, bits_of(view, values[i]),
                       view.how.type.big_endian);
    }
}

static uint64_t distance(ptrdiff_t bytes)
{
    return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

static struct side side_of(uint64_t count)
{
    struct side side;

    side.count = (unsigned)count;
    side.ratio = ((1U << RATIO_BITS) + side.count - 1) / side.count;
    return side;
}

/* Sets the sides of a block. */
static void divide_area(struct strided_view *view, uint64_t neighbours)
{
    const uint64_t frames = (view->frames + SECTOR - 1) / SECTOR * SECTOR;
    const uint64_t planes = view->turned ? min_u64(neighbours, PLANES_TURNED) : 1;
    const uint64_t most = AREA / planes / SECTOR * SECTOR;

    view->wide = side_of(min_u64(frames, most));
    view->tall = side_of(frames < most ? AREA / view->wide.count : planes);
    view->across = (unsigned)((view->frames + view->wide.count - 1) / view->wide.count);
}

/* Sets the view of an array. Returns the number of blocks. */
static unsigned make_view(struct strided_view *view, const struct strided *array, void *values,
                          uint64_t pitch)
{
    /* One row of many channels is handled as many rows. */
    const bool has_channels = array->rows > 1 && array->channels > 1;
    const int64_t next = array->channels > 1 ? array->channel : array->row;

    memset(view, 0, sizeof *view);
    view->data = array->data;
    view->row = has_channels ? array->row : next;
    view->frame = array->frame;
    view->channel = array->channel;
    view->channels = has_channels ? (unsigned)array->channels : 1;
    view->planes = (unsigned)(array->rows * array->channels);
    view->frames = array->frames;
    view->values = values;
    view->pitch = pitch;
    view->bytes = (unsigned)array->bytes;
    view->turned = view->planes > 1 && distance(next) < distance(array->frame);
    view->how.type = array->sample;
    view->how.scaling = scaling_of(array->sample);
    divide_area(view, array->channels > 1 ? array->channels : array->rows);
    return view->across * ((view->planes + view->tall.count - 1) / view->tall.count);
}

static size_t shared_of(const struct strided_view *view, enum value_kind value)
{
    return view->turned ? view->tall.count * (view->wide.count | 1) * value_bytes(value) : 0;
}

typedef void strided_function(const struct strided_view view);

/* Kernels for values as they are, by value_bytes(). */
static strided_function *const gather_narrow[] = {
    nullptr, gather_kernel<uint8_t>, gather_kernel<uint16_t>, nullptr, gather_kernel<uint32_t>};
static strided_function *const scatter_narrow[] = {
    nullptr, scatter_kernel<uint8_t>, scatter_kernel<uint16_t>, nullptr, scatter_kernel<uint32_t>};

static strided_function *gather_of(enum value_kind value)
{
    return value_is_compact(value) ? gather_narrow[value_bytes(value)]
           : value == VALUE_F64    ? gather_kernel<double>
                                   : gather_kernel<float>;
}

static strided_function *scatter_of(enum value_kind value)
{
    return value_is_compact(value) ? scatter_narrow[value_bytes(value)]
           : value == VALUE_F64    ? scatter_kernel<double>
                                   : scatter_kernel<float>;
}

cudaError_t cuda_gather_load(enum value_kind value)
{
    return load_kernel(gather_of(value));
}

cudaError_t cuda_scatter_load(enum value_kind value)
{
    return load_kernel(scatter_of(value));
}

cudaError_t cuda_gather(const struct strided *from, enum value_kind value, void *values,
                        uint64_t pitch, cudaStream_t stream)
{
    struct strided_view view;
    const unsigned blocks = make_view(&view, from, values, pitch);

    LAUNCH(gather_of(value), blocks, THREADS, shared_of(&view, value), stream, view);
    return cudaGetLastError();
}

/* Decodes in two pieces where the rings wrap around. */
cudaError_t cuda_decode(const struct cuda_rings *rings, struct sample_type type, void *raw,
                        uint64_t first, uint64_t count, cudaStream_t stream)
{
    const uint64_t place = first % rings->capacity;
    struct strided frames = {};
    cudaError_t result;

    frames.data = (unsigned char *)raw;
    frames.sample = type;
    frames.bytes = sample_type_bytes(type);
    frames.rows = 1;
    frames.frames = min_u64(count, rings->capacity - place);
    frames.channels = rings->channels;
    frames.channel = (ptrdiff_t)frames.bytes;
    frames.frame = frames.channel * rings->channels;
    result = cuda_gather(&frames, rings->value,
                         (char *)rings->samples + place * value_bytes(rings->value),
                         rings->capacity, stream);
    if (frames.frames == count)
        return result;
    frames.data += (ptrdiff_t)frames.frames * frames.frame;
    frames.frames = count - frames.frames;
    return THEN(result,
                cuda_gather(&frames, rings->value, rings->samples, rings->capacity, stream));
}

cudaError_t cuda_scatter(const void *values, enum value_kind value, uint64_t pitch,
                         const struct strided *to, cudaStream_t stream)
{
    struct strided_view view;
    const unsigned blocks = make_view(&view, to, (void *)(uintptr_t)values, pitch);

    view.range = range_of(to->sample);
    LAUNCH(scatter_of(value), blocks, THREADS, shared_of(&view, value), stream, view);
    return cudaGetLastError();
}
