/* Copies between arrays of any layout and type and planes: values without gaps, one plane for each
 * channel of each row.
 *
 * A block copies a square of channels and frames. Neighbouring threads access neighbouring samples
 * on both sides: where these are channels in the array and frames in the plane, the square is
 * turned in shared memory. */
#include "launch.cuh"

extern "C" {
#include "sample/strided.h"
}

#include "cuda_strided.h"
#include "decode_any.cuh"
#include "sample/encode_one.h"
#include "window/rules.h"

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

typedef void strided_function(const struct strided_view view);

static __device__ unsigned char *sample_at(const struct strided_view &view, uint64_t plane,
                                           uint64_t frame)
{
    const uint64_t row = view.channels == 1 ? plane : plane / view.channels;
    const uint64_t channel = plane - row * view.channels;

    return view.data + (int64_t)row * view.row + (int64_t)channel * view.channel +
           (int64_t)frame * view.frame;
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

/* The square of a block, and the place of a thread in it. */
struct square {
    uint64_t plane;
    uint64_t frame;
    unsigned along;
    unsigned across;
};

static __device__ struct square square_of(const struct strided_view &view)
{
    struct square square;

    square.plane = blockIdx.x / view.squares * SIDE;
    square.frame = blockIdx.x % view.squares * SIDE;
    square.along = threadIdx.x % SIDE;
    square.across = threadIdx.x / SIDE;
    return square;
}

template <class Value>
__global__ void __launch_bounds__(THREADS) gather_kernel(const struct strided_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value(*const tile)[SIDE + 1] = (Value(*)[SIDE + 1])(void *)shared_quads; /* by plane */
    const struct square square = square_of(view);

    for (unsigned i = square.across; i < SIDE; i += AT_ONCE) {
        const unsigned plane = view.turned ? square.along : i;
        const unsigned frame = view.turned ? i : square.along;
        unsigned char raw[SAMPLE_BYTES_MOST];

        if (square.plane + plane < view.planes && square.frame + frame < view.frames) {
            fetch_sample(sample_at(view, square.plane + plane, square.frame + frame), view.bytes,
                         raw);
            decode_to(view.how, raw, &tile[plane][frame]);
        }
    }
    __syncthreads();
    for (unsigned i = square.across; i < SIDE; i += AT_ONCE) {
        if (square.plane + i < view.planes && square.frame + square.along < view.frames)
            ((Value *)view.values)[(square.plane + i) * view.pitch + square.frame + square.along] =
                tile[i][square.along];
    }
}

template <class Value>
__global__ void __launch_bounds__(THREADS) scatter_kernel(const struct strided_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    Value(*const tile)[SIDE + 1] = (Value(*)[SIDE + 1])(void *)shared_quads;
    const struct square square = square_of(view);

    for (unsigned i = square.across; i < SIDE; i += AT_ONCE) {
        if (square.plane + i < view.planes && square.frame + square.along < view.frames)
            tile[i][square.along] =
                ((const Value *)
                     view.values)[(square.plane + i) * view.pitch + square.frame + square.along];
    }
    __syncthreads();
    for (unsigned i = square.across; i < SIDE; i += AT_ONCE) {
        const unsigned plane = view.turned ? square.along : i;
        const unsigned frame = view.turned ? i : square.along;

        if (square.plane + plane < view.planes && square.frame + frame < view.frames) {
            put_sample(sample_at(view, square.plane + plane, square.frame + frame), view.bytes,
                       encode_any(view, tile[plane][frame]), view.how.type.big_endian);
        }
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
        view->planes > 1;
    view->how.type = array->sample;
    view->how.scaling = scaling_of(array->sample);
    return (unsigned)(view->squares * ((view->planes + SIDE - 1) / SIDE));
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
