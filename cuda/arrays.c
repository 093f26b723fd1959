/* The rows and channels of an array are the rings of cuda_window.h: their frames stay where they
 * are, and nothing wraps around. So frames are counted from the 16-byte border at or before the
 * first sample, and those before it are not known; or from the first sample, if there are gaps.
 * What kernels cannot read or write in place is copied to and from planes in the workspace. */
#include "cuda/cuda_arrays.h"

#include <string.h>

#include "cuda/cuda_samples.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"
#include "cuda/failure.h"
#include "cuda/stats_kernel.h"

enum {
    QUAD_BYTES = 16,
    STRIDE_MOST = 4, /* of statistics: samples */
};

/* How an array is filtered. All sizes are in bytes, and multiples of CUDA_ALIGNMENT. */
struct array_layout {
    const struct engine_setup *setup;
    const struct strided *in;
    const struct strided *out;
    struct cuda_plan plan;
    uint64_t planes;   /* rows times channels */
    uint64_t ends;     /* windows end at 0 .. ends-1 */
    uint64_t capacity; /* frames of a ring */
    uint64_t in_pitch; /* of planes, in values */
    uint64_t out_pitch;
    uint64_t in_stride; /* of frames, in values */
    uint64_t out_stride;
    unsigned together; /* cuda_plan_together(); 0 if the planes have no gaps */
    bool in_place;
    bool out_place;
    uint64_t leaves_bytes;
    uint64_t in_bytes;
    uint64_t out_bytes; /* for each emit */
};

/* Values of this kind, at the same distances throughout: `*pitch` values from plane to plane, and
 * `*stride` from frame to frame? */
static bool is_regular(const struct strided *array, enum value_kind value, uint64_t *pitch,
                       uint64_t *stride)
{
    const ptrdiff_t bytes = (ptrdiff_t)value_bytes(value);
    const ptrdiff_t distance = array->rows * array->channels == 1 ? 0
                               : array->channels > 1              ? array->channel
                                                                  : array->row;
    const ptrdiff_t frame = array->frames == 1 ? bytes : array->frame;

    *pitch = (uint64_t)(distance / bytes);
    *stride = (uint64_t)(frame / bytes);
    return sample_type_is_native(array->sample, value) &&
           (uintptr_t)array->data % (size_t)bytes == 0 && frame >= bytes && frame % bytes == 0 &&
           distance >= 0 && distance % bytes == 0 &&
           (array->rows == 1 || array->channels == 1 ||
            array->row == array->channel * (ptrdiff_t)array->channels);
}

/* The kernels of far need planes that begin on 16-byte borders, as far as the first one does. */
static bool is_in_place(struct array_layout *layout)
{
    const enum value_kind value = layout->setup->value;

    return is_regular(layout->in, value, &layout->in_pitch, &layout->in_stride) &&
           (!layout->plan.has_leaves ||
            (layout->in_stride == 1 && layout->in_pitch * value_bytes(value) % QUAD_BYTES == 0));
}

/* The same distances for all emits. */
static bool is_out_place(struct array_layout *layout)
{
    for (unsigned i = 0; i < layout->setup->emits.count; i++) {
        uint64_t pitch;
        uint64_t stride;

        if (!is_regular(&layout->out[i], layout->setup->value, &pitch, &stride) ||
            (i > 0 && (pitch != layout->out_pitch || stride != layout->out_stride)))
            return false;
        layout->out_pitch = pitch;
        layout->out_stride = stride;
    }
    return true;
}

/* Decides what is done with planes that have gaps. */
static void place_together(struct array_layout *layout)
{
    const bool in_gaps = layout->in_place && layout->in_stride > 1;
    const bool out_gaps = layout->out_place && layout->out_stride > 1;

    if (in_gaps && layout->out_place && layout->setup->window.hop == 1)
        layout->together = cuda_plan_together(
            &layout->plan, layout->in_pitch < layout->in_stride ? layout->planes : 1, layout->ends);
    if (layout->together == 0) {
        layout->in_place = layout->in_place && !in_gaps;
        layout->out_place = layout->out_place && !out_gaps;
    }
}

/* Bytes of planes in the workspace. */
static uint64_t make_planes(enum value_kind value, uint64_t planes, uint64_t frames,
                            uint64_t *pitch)
{
    const size_t bytes = value_bytes(value);

    *pitch = cuda_align(frames * bytes) / bytes;
    return *pitch * planes * bytes;
}

static void make_layout(struct array_layout *layout)
{
    const uint64_t outputs = layout->out[0].frames;

    layout->planes = layout->in->rows * layout->in->channels;
    layout->in_place = is_in_place(layout);
    layout->out_place = is_out_place(layout);
    place_together(layout);
    if (!layout->in_place)
        layout->in_bytes = make_planes(layout->setup->value, layout->planes, layout->in->frames,
                                       &layout->in_pitch);
    if (!layout->out_place)
        layout->out_bytes =
            make_planes(layout->setup->value, layout->planes, outputs, &layout->out_pitch);
    layout->capacity = cuda_rings_capacity(&layout->plan, layout->ends + QUAD_BYTES);
    layout->leaves_bytes =
        cuda_leaves_bytes(&layout->plan, (unsigned)layout->planes, layout->capacity);
}

/* A window of so many frames as windows end at has all of its frames that are known. */
static cudaError_t make_plan(struct array_layout *layout)
{
    const struct window *window = &layout->setup->window;

    layout->ends = window->after + (layout->out[0].frames - 1) * window->hop + 1;
    return cuda_plan_make(&layout->plan, layout->setup->value,
                          window->width < layout->ends ? window->width : layout->ends);
}

static uint64_t work_bytes(const struct array_layout *layout)
{
    const uint64_t bytes =
        layout->leaves_bytes + layout->in_bytes + layout->out_bytes * layout->setup->emits.count;

    /* A call without memory only asks for the size: so the size is never 0. */
    return bytes > 0 ? bytes : CUDA_ALIGNMENT;
}

/* ---- enqueuing */

static struct cuda_task task_of(const struct array_layout *layout, uint64_t shift,
                                const struct cuda_out *out)
{
    const struct engine_setup *setup = layout->setup;
    const bool nan_edge = setup->window.edge == EDGE_NAN;

    return (struct cuda_task){
        .first = shift,
        .count = layout->ends,
        .known_from = shift,
        .known_to = shift + layout->in->frames,
        .kept_first = shift + setup->window.after,
        .hop = setup->window.hop,
        .whole_from = nan_edge ? shift + setup->window.width - 1 : 0,
        .whole_to = nan_edge ? shift + layout->in->frames : UINT64_MAX,
        .nan = setup->nan,
        .emits = setup->emits,
        .apart = out,
    };
}

static cudaError_t enqueue(const struct array_layout *layout, unsigned char *work,
                           cudaStream_t stream)
{
    const struct engine_setup *setup = layout->setup;
    const size_t bytes = value_bytes(setup->value);
    unsigned char *values = work + layout->leaves_bytes;
    unsigned char *results = values + layout->in_bytes;
    unsigned char *data = layout->in_place ? layout->in->data : values;
    const uint64_t shift = layout->together > 0 ? 0 : (uintptr_t)data % QUAD_BYTES / bytes;
    struct cuda_out out = {.frame = layout->together > 0 ? layout->out_stride : 1,
                           .channel = layout->out_pitch};
    const struct cuda_task task = task_of(layout, shift, &out);
    cudaError_t result = cudaSuccess;
    struct cuda_rings rings;

    for (unsigned i = 0; i < setup->emits.count; i++)
        out.item[i] = layout->out_place ? layout->out[i].data : results + i * layout->out_bytes;
    cuda_rings_lay_leaves(&rings, &layout->plan, (unsigned)layout->planes, layout->capacity, shift,
                          work);
    rings.samples = data - shift * bytes;
    rings.pitch = layout->in_pitch;
    if (layout->together > 0) {
        rings.stride = layout->in_stride;
        rings.together = layout->together;
    }
    if (!layout->in_place)
        result = cuda_gather(layout->in, setup->value, values, layout->in_pitch, stream);
    if (result == cudaSuccess)
        result = cuda_window_run(&layout->plan, &rings, &task, stream);
    for (unsigned i = 0; result == cudaSuccess && !layout->out_place && i < setup->emits.count; i++)
        result =
            cuda_scatter(out.item[i], setup->value, layout->out_pitch, &layout->out[i], stream);
    return result;
}

/* ---- the call */

/* Makes the device the current one, instead of `*before`. */
static cudaError_t enter(unsigned device, int *before)
{
    cudaError_t result;

    *before = 0;
    result = cudaGetDevice(before);
    return result == cudaSuccess && *before != (int)device ? cudaSetDevice((int)device) : result;
}

/* Afterwards. Returns -1 if the result is an error. */
static int leave(unsigned device, int before, cudaError_t result, const char *what,
                 struct error *error)
{
    if (before != (int)device)
        (void)cudaSetDevice(before);
    if (result == cudaSuccess)
        return 0;
    (void)cudaGetLastError();
    return cuda_failure(error, device, what, result);
}

static int refuse(unsigned device, const char *what, struct error *error)
{
    char name[CUDA_NAME];

    return error_set(error, ERROR_DEVICE_INTEGERS, cuda_name(name, device), "%s", what);
}

static bool is_aligned(const struct strided *array)
{
    const size_t bytes = array->bytes == 3 ? 1 : array->bytes == 16 ? 8 : array->bytes;

    return array->frames == 0 ||
           ((uintptr_t)array->data % bytes == 0 && array->row % (ptrdiff_t)bytes == 0 &&
            array->frame % (ptrdiff_t)bytes == 0 && array->channel % (ptrdiff_t)bytes == 0);
}

static int check_in(const struct strided *in, enum value_kind value, unsigned device,
                    struct error *error)
{
    if (value == VALUE_I64)
        return refuse(device, "does not work on integers of 64 bits: convert them to float64",
                      error);
    if (!is_aligned(in))
        return refuse(device, "does not work on samples that are not aligned", error);
    if (in->rows > INT32_MAX / in->channels)
        return refuse(device, "does not work on so many rows", error);
    return 0;
}

static int check_arrays(const struct engine_setup *setup, const struct strided *in,
                        const struct strided *out, unsigned device, struct error *error)
{
    if (check_in(in, setup->value, device, error) != 0)
        return -1;
    for (unsigned i = 0; i < setup->emits.count; i++) {
        if (!is_aligned(&out[i]))
            return refuse(device, "does not work on samples that are not aligned", error);
        if (out[i].sample.kind == SAMPLE_S64 || out[i].sample.kind == SAMPLE_U64)
            return refuse(device, "does not write integers of 64 bits", error);
    }
    return 0;
}

/* A grid has 2^31 - 1 blocks at most: a block for each tile, or few more, and where leaves are made
 * ahead of the windows, perhaps another one. */
static bool fits_grid(const struct array_layout *layout)
{
    return layout->planes <= INT32_MAX / (2 * (layout->ends / layout->plan.tile + 2));
}

static cudaError_t load_kernels(const struct array_layout *layout)
{
    cudaError_t result = cuda_plan_load(&layout->plan);

    return result == cudaSuccess ? cuda_strided_load(layout->setup->value) : result;
}

int cuda_arrays_filter(const struct engine_setup *setup, const struct strided *in,
                       const struct strided *out, void *work, size_t *bytes, unsigned device,
                       void *stream, struct error *error)
{
    struct array_layout layout = {.setup = setup, .in = in, .out = out};
    cudaError_t result;
    int before;

    if (check_arrays(setup, in, out, device, error) != 0 ||
        (work == NULL && engine_cuda_find(device, error) != 0))
        return -1;
    result = enter(device, &before);
    if (result == cudaSuccess)
        result = make_plan(&layout);
    if (result == cudaSuccess) {
        make_layout(&layout);
        if (!fits_grid(&layout))
            result = cudaErrorInvalidConfiguration;
        else if (work == NULL)
            result = load_kernels(&layout);
        else if (*bytes < work_bytes(&layout))
            result = cudaErrorInvalidValue;
        else
            result = enqueue(&layout, work, stream);
    }
    if (leave(device, before, result, "filter", error) != 0)
        return -1;
    *bytes = (size_t)work_bytes(&layout);
    return 0;
}

/* ---- statistics */

/* Frames with gaps are read in place, unless the planes between them read the same sectors again
 * so often that a copy takes less time. */
static bool is_read_in_place(const struct strided *array, struct cuda_rings *rings)
{
    return is_regular(array, rings->value, &rings->pitch, &rings->stride) &&
           (rings->stride <= STRIDE_MOST || rings->pitch >= rings->stride || rings->channels == 1 ||
            rings->value == VALUE_F64);
}

static cudaError_t enqueue_stats(const struct strided *array, struct cuda_rings *rings,
                                 const struct stats_records *records, unsigned char *work,
                                 uint64_t own_bytes, cudaStream_t stream)
{
    cudaError_t result = cudaSuccess;

    rings->samples = array->data;
    if (rings->stride == 0) {
        rings->samples = work + own_bytes;
        rings->stride = 1;
        result = cuda_gather(array, rings->value, rings->samples, rings->pitch, stream);
    }
    return result == cudaSuccess ? cuda_records_run(rings, records, work, stream) : result;
}

static cudaError_t load_stats(enum value_kind value, const struct stats_records *records)
{
    cudaError_t result = cuda_records_load(value, records);

    return result == cudaSuccess ? cuda_strided_load(value) : result;
}

int cuda_arrays_stats(const struct strided *array, const struct stats_records *wanted, void *work,
                      size_t *bytes, unsigned device, void *stream, struct error *error)
{
    const enum value_kind value = sample_type_value(array->sample);
    struct stats_records records = *wanted;
    struct cuda_rings rings = {.value = value, .stride = 1};
    uint64_t own_bytes;
    uint64_t all_bytes;
    cudaError_t result;
    int before;

    if (check_in(array, value, device, error) != 0 ||
        (work == NULL && engine_cuda_find(device, error) != 0))
        return -1;
    rings.channels = (unsigned)(array->rows * array->channels);
    records.frames = array->frames;
    records.channels = (unsigned)array->channels;
    own_bytes = cuda_records_bytes(&records, rings.channels);
    if (own_bytes == UINT64_MAX)
        return refuse(device, "does not work on so many blocks", error);
    all_bytes = own_bytes;
    if (array->frames > 0 && !is_read_in_place(array, &rings)) {
        rings.stride = 0; /* planes are made first */
        all_bytes += make_planes(value, rings.channels, array->frames, &rings.pitch);
    }
    if (all_bytes == 0)
        all_bytes = CUDA_ALIGNMENT;
    result = enter(device, &before);
    if (result == cudaSuccess && work == NULL)
        result = load_stats(value, &records);
    else if (result == cudaSuccess && *bytes < all_bytes)
        result = cudaErrorInvalidValue;
    else if (result == cudaSuccess)
        result = enqueue_stats(array, &rings, &records, work, own_bytes, stream);
    if (leave(device, before, result, "statistics", error) != 0)
        return -1;
    *bytes = (size_t)all_bytes;
    return 0;
}

/* ---- for callers with several streams */

int cuda_arrays_device(const void *memory, unsigned *device, struct error *error)
{
    struct cudaPointerAttributes found;
    cudaError_t result = cudaPointerGetAttributes(&found, memory);

    if (result == cudaSuccess && found.type != cudaMemoryTypeDevice &&
        found.type != cudaMemoryTypeManaged)
        result = cudaErrorInvalidValue;
    if (result != cudaSuccess) {
        (void)cudaGetLastError();
        return error_set(error, ERROR_RESOURCE, "cuda", "pointer: %s", cudaGetErrorString(result));
    }
    *device = (unsigned)found.device;
    return 0;
}

static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess)
        return status != cudaStreamCaptureStatusNone;
    (void)cudaGetLastError(); /* the legacy stream, beside one that is captured */
    return false;
}

int cuda_arrays_wait(unsigned device, void *stream, void *before, bool joins, struct error *error)
{
    cudaEvent_t event = NULL;
    cudaError_t result;
    bool captured;
    int current;

    if (stream == before)
        return 0;
    captured = is_captured(stream);
    if (is_captured(before) != captured && (captured || !joins))
        return 0;
    result = enter(device, &current);
    if (result == cudaSuccess)
        result = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (result == cudaSuccess)
        result = cudaEventRecord(event, before);
    if (result == cudaSuccess)
        result = cudaStreamWaitEvent(stream, event, 0);
    if (event != NULL)
        (void)cudaEventDestroy(
            event); /* at once; the driver keeps it until it has been waited for */
    return leave(device, current, result, "wait for a stream", error);
}

/* ---- memory ---- */

static cudaError_t free_room(struct cuda_room *room)
{
    const cudaError_t result = cudaFree(room->memory);

    *room = (struct cuda_room){.memory = NULL};
    return result;
}

int cuda_room_grow(struct cuda_room *room, size_t bytes, unsigned device, struct error *error)
{
    cudaError_t result;
    int before;

    if (bytes <= room->bytes)
        return 0;
    result = enter(device, &before);
    if (result == cudaSuccess)
        result = free_room(room);
    if (result == cudaSuccess)
        result = cudaMalloc(&room->memory, bytes);
    if (result == cudaSuccess)
        room->bytes = bytes;
    return leave(device, before, result, "memory", error);
}

void cuda_room_free(struct cuda_room *room, unsigned device)
{
    int before;

    if (room->memory == NULL)
        return;
    if (enter(device, &before) == cudaSuccess)
        (void)free_room(room);
    if (before != (int)device)
        (void)cudaSetDevice(before);
}
