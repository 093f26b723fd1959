/* SPDX-License-Identifier: MIT */
/* Filters and statistics of arrays. The rows and channels of an array are the rings of
 * cuda_window.h: their frames stay where they are, and nothing wraps around. So frames are counted
 * from the 16-byte border at or before the first sample, and frames before the first sample are not
 * known. If there are gaps, frames are counted from the first sample. Arrays that kernels cannot
 * read or write in place are copied to and from planes in the workspace. */
#include "cuda/cuda_arrays.h"

#include <string.h>

#include "cuda/cuda_across.h"
#include "cuda/cuda_samples.h"
#include "cuda/cuda_window.h"
#include "cuda/engine_cuda.h"
#include "cuda/failure.h"
#include "cuda/stats_kernel.h"

enum {
    QUAD_BYTES = 16,
    STRIDE_MOST = 4, /* samples between frames that statistics read in place */
};

/* How an array is filtered. All sizes are in bytes, and multiples of CUDA_ALIGNMENT. */
struct array_layout {
    const struct engine_setup *setup;
    const struct strided *in;
    const struct strided *out;
    struct cuda_plan plan;

    /* The kind of each emit: that of the plan, unless that is compact. */
    enum value_kind results[EMIT_KINDS];
    uint64_t planes;   /* rows times channels */
    uint64_t ends;     /* windows end at 0 .. ends-1 */
    uint64_t capacity; /* frames of a ring */

    /* Values between planes, and then between frames. */
    uint64_t in_pitch;
    uint64_t out_pitch;
    uint64_t in_stride;
    uint64_t out_stride;
    unsigned together; /* cuda_plan_together(); 0 if the planes have no gaps */
    bool in_place;
    bool out_place;

    /* Bytes of the parts of the workspace. */
    uint64_t leaves_bytes;
    uint64_t in_bytes;
    uint64_t out_bytes; /* bytes of one emit: the widest */
};

/* Are the samples values of this kind, at the same distances throughout? Sets the values from plane
 * to plane, and from frame to frame. */
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

/* Can kernels read the input in place? Those of long windows need planes that are all as far from a
 * 16-byte border. */
static bool is_in_place(struct array_layout *layout)
{
    const enum value_kind value = layout->plan.value;

    return is_regular(layout->in, value, &layout->in_pitch, &layout->in_stride) &&
           (!cuda_plan_is_long(&layout->plan) ||
            (layout->in_stride == 1 && layout->in_pitch * value_bytes(value) % QUAD_BYTES == 0));
}

/* Are all outputs regular, with the same distances? */
static bool is_out_place(struct array_layout *layout)
{
    for (unsigned i = 0; i < layout->setup->emits.count; i++) {
        uint64_t pitch;
        uint64_t stride;

        if (!is_regular(&layout->out[i], layout->results[i], &pitch, &stride) ||
            (i > 0 && (pitch != layout->out_pitch || stride != layout->out_stride)))
            return false;
        layout->out_pitch = pitch;
        layout->out_stride = stride;
    }
    return true;
}

/* Decides whether planes that have gaps are used in place. */
static void place_together(struct array_layout *layout)
{
    const bool in_gaps = layout->in_place && layout->in_stride > 1;
    const bool out_gaps = layout->out_place && layout->out_stride > 1;

    if (!value_is_compact(layout->plan.value) && in_gaps && layout->out_place &&
        layout->setup->window.hop == 1)
        layout->together = cuda_plan_together(
            &layout->plan, layout->in_pitch < layout->in_stride ? layout->planes : 1, layout->ends);
    if (layout->together == 0) {
        layout->in_place = layout->in_place && !in_gaps;
        layout->out_place = layout->out_place && !out_gaps;
    }
}

/* Returns the bytes of planes in the workspace, and sets their pitch. */
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
    enum value_kind widest = layout->results[0];

    for (unsigned i = 1; i < layout->setup->emits.count; i++) {
        if (value_bytes(layout->results[i]) > value_bytes(widest))
            widest = layout->results[i];
    }
    layout->planes = layout->in->rows * layout->in->channels;
    layout->in_place = is_in_place(layout);
    layout->out_place = is_out_place(layout);
    place_together(layout);
    if (!layout->in_place)
        layout->in_bytes =
            make_planes(layout->plan.value, layout->planes, layout->in->frames, &layout->in_pitch);
    if (!layout->out_place)
        layout->out_bytes = make_planes(widest, layout->planes, outputs, &layout->out_pitch);
    layout->capacity = cuda_rings_capacity(&layout->plan, layout->ends + QUAD_BYTES);
    layout->leaves_bytes =
        cuda_leaves_bytes(&layout->plan, (unsigned)layout->planes, layout->capacity);
}

/* Returns the kind of samples that are windowed as they are, or VALUE_KINDS if there is none:
 * minima and maxima are samples, and other values are of the kind that the setup is for. */
static enum value_kind find_narrow(struct array_layout *layout)
{
    const struct sample_type in = layout->in->sample;
    enum value_kind value = VALUE_S8;

    while (value < VALUE_KINDS && !sample_type_is_native(in, value))
        value++;
    for (unsigned i = 0; value < VALUE_KINDS && i < layout->setup->emits.count; i++) {
        const struct sample_type out = layout->out[i].sample;
        const bool same = layout->setup->emits.item[i] <= EMIT_MAX &&
                          sample_type_is_native(out, value) && out.counts == in.counts;

        if (!same && sample_type_value(in) != layout->setup->value)
            return VALUE_KINDS;
        layout->results[i] = same ? value : layout->setup->value;
    }
    return value;
}

/* Makes the plan. A window wider than the array covers the whole array, so the plan's width is at
 * most `ends`. */
static cudaError_t make_plan(struct array_layout *layout)
{
    const struct window *window = &layout->setup->window;
    enum value_kind value = find_narrow(layout);
    uint64_t width;

    layout->ends = window->after + (layout->out[0].frames - 1) * window->hop + 1;
    width = window->width < layout->ends ? window->width : layout->ends;
    if (!cuda_plan_is_narrow(value, width)) {
        value = layout->setup->value;
        for (unsigned i = 0; i < layout->setup->emits.count; i++)
            layout->results[i] = value;
    }
    return cuda_plan_make(&layout->plan, value, width);
}

/* Does cuda_across.h make the minima and maxima? */
static bool is_across(const struct array_layout *layout)
{
    const enum value_kind value = layout->plan.value;
    bool can = sample_type_is_native(layout->in->sample, value);

    for (unsigned i = 0; can && i < layout->setup->emits.count; i++)
        can = layout->setup->emits.item[i] <= EMIT_MAX &&
              sample_type_is_native(layout->out[i].sample, value) &&
              cuda_across_can(layout->in, &layout->out[i], value, layout->plan.width);
    return can;
}

/* A call without memory only asks for the size, which is never 0; with a size of 1, the workspace
 * is not used. */
static size_t some_bytes(uint64_t bytes)
{
    return (size_t)(bytes > 0 ? bytes : 1);
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

/* Sets which values samples stand for, and which emits are such values. */
static void name_values(struct cuda_out *out, const struct array_layout *layout)
{
    const struct sample_type type = layout->in->sample;
    const double middle = (double)(UINT64_C(1) << (8 * layout->in->bytes - 1));
    const bool is_unsigned =
        type.kind == SAMPLE_U8 || type.kind == SAMPLE_U16 || type.kind == SAMPLE_U32;

    out->unit = type.counts ? 1 : 1 / middle;
    out->zero = type.counts && is_unsigned ? middle : 0;
    for (unsigned i = 0; i < layout->setup->emits.count; i++)
        out->wide[i] = layout->results[i] != layout->plan.value;
}

static cudaError_t enqueue_across(const struct array_layout *layout, cudaStream_t stream)
{
    const struct cuda_task task = task_of(layout, 0, NULL);
    cudaError_t result = cudaSuccess;

    for (unsigned i = 0; i < layout->setup->emits.count; i++)
        THEN(result,
             cuda_across_run(layout->in, &layout->out[i], layout->plan.value, layout->plan.width,
                             &task, layout->setup->emits.item[i] == EMIT_MIN, stream));
    return result;
}

static cudaError_t enqueue(const struct array_layout *layout, unsigned char *work,
                           cudaStream_t stream)
{
    const struct engine_setup *setup = layout->setup;
    const size_t bytes = value_bytes(layout->plan.value);
    unsigned char *values = work + layout->leaves_bytes;
    unsigned char *results = values + layout->in_bytes;
    unsigned char *data = layout->in_place ? layout->in->data : values;
    const uint64_t shift = layout->together > 0 ? 0 : (uintptr_t)data % QUAD_BYTES / bytes;
    struct cuda_out out = {.frame = layout->together > 0 ? layout->out_stride : 1,
                           .channel = layout->out_pitch};
    const struct cuda_task task = task_of(layout, shift, &out);
    cudaError_t result = cudaSuccess;
    struct cuda_rings rings;

    if (value_is_compact(layout->plan.value))
        name_values(&out, layout);
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
        result = cuda_gather(layout->in, layout->plan.value, values, layout->in_pitch, stream);
    THEN(result, cuda_window_run(&layout->plan, &rings, &task, stream));
    for (unsigned i = 0; !layout->out_place && i < setup->emits.count; i++)
        THEN(result, cuda_scatter(out.item[i], layout->results[i], layout->out_pitch,
                                  &layout->out[i], stream));
    return result;
}

/* Does the launch fit into a grid, which has at most 2^31 - 1 blocks? It has a block for each tile,
 * or a few more, and perhaps another one for each where leaves are made ahead of the windows. */
static bool fits_grid(const struct array_layout *layout)
{
    return layout->planes <= INT32_MAX / (2 * (layout->ends / layout->plan.tile + 2));
}

static cudaError_t load_kernels(const struct array_layout *layout)
{
    cudaError_t result = cuda_plan_load(&layout->plan);

    THEN(result, cuda_gather_load(layout->plan.value));
    for (unsigned i = 0; i < layout->setup->emits.count; i++)
        THEN(result, cuda_scatter_load(layout->results[i]));
    return result;
}

/* `work` has `room` bytes; `*bytes` becomes the size that is needed. Fails with
 * cudaErrorInvalidConfiguration if a grid cannot have so many blocks. */
static cudaError_t run_filter(const struct cuda_call *call, void *work, size_t room, size_t *bytes)
{
    struct array_layout layout = {.setup = call->setup, .in = call->in, .out = call->out};
    const cudaError_t result = make_plan(&layout);

    if (result != cudaSuccess)
        return result;
    if (is_across(&layout)) {
        *bytes = some_bytes(0);
        return work == NULL ? cuda_across_load(layout.plan.value)
                            : enqueue_across(&layout, call->stream);
    }
    make_layout(&layout);
    *bytes = some_bytes(layout.leaves_bytes + layout.in_bytes +
                        layout.out_bytes * call->setup->emits.count);
    if (!fits_grid(&layout))
        return cudaErrorInvalidConfiguration;
    if (work == NULL)
        return load_kernels(&layout);
    return room < *bytes ? cudaErrorInvalidValue : enqueue(&layout, work, call->stream);
}

/* ---- statistics */

/* Are frames with gaps read in place? They are, unless the planes between them read the same
 * sectors again so often that a copy takes less time. */
static bool is_read_in_place(const struct strided *array, struct cuda_rings *rings)
{
    return is_regular(array, rings->value, &rings->pitch, &rings->stride) &&
           (rings->stride <= STRIDE_MOST || rings->pitch >= rings->stride || rings->channels == 1 ||
            rings->value == VALUE_F64);
}

/* Has the arguments of run_filter(), and fails as that does. */
static cudaError_t run_stats(const struct cuda_call *call, void *work, size_t room, size_t *bytes)
{
    const struct strided *in = call->in;
    struct stats_records records = *call->records;
    struct cuda_rings rings = {.samples = in->data,
                               .value = sample_type_value(in->sample),
                               .stride = 1,
                               .channels = (unsigned)(in->rows * in->channels)};
    const bool in_place = in->frames == 0 || is_read_in_place(in, &rings);
    cudaError_t result = cudaSuccess;
    uint64_t own_bytes;
    uint64_t all_bytes;

    records.frames = in->frames;
    records.channels = (unsigned)in->channels;
    own_bytes = cuda_records_bytes(rings.value, &records, rings.channels);
    if (own_bytes == UINT64_MAX)
        return cudaErrorInvalidConfiguration;
    all_bytes = own_bytes;
    if (!in_place)
        all_bytes += make_planes(rings.value, rings.channels, in->frames, &rings.pitch);
    *bytes = some_bytes(all_bytes);
    if (work == NULL) {
        result = cuda_records_load(rings.value, &records);
        return THEN(result, cuda_gather_load(rings.value));
    }
    if (room < *bytes)
        return cudaErrorInvalidValue;
    if (!in_place) {
        rings.samples = (unsigned char *)work + own_bytes;
        rings.stride = 1;
        result = cuda_gather(in, rings.value, rings.samples, rings.pitch, call->stream);
    }
    return THEN(result, cuda_records_run(&rings, &records, work, call->stream));
}

/* ---- the call */

/* Makes `device` the current device. Sets `*before` to the one before it. */
static cudaError_t enter(unsigned device, int *before)
{
    cudaError_t result;

    *before = 0;
    result = cudaGetDevice(before);
    return result == cudaSuccess && *before != (int)device ? cudaSetDevice((int)device) : result;
}

/* Makes `before` the current device again. Returns -1 if the result is an error. */
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

/* Returns what a device cannot do of the call, or NULL if it can do all. */
static const char *find_obstacle(const struct cuda_call *call)
{
    const struct strided *in = call->in;
    const unsigned outputs = call->records == NULL ? call->setup->emits.count : 0;
    const enum value_kind value =
        call->records == NULL ? call->setup->value : sample_type_value(in->sample);

    if (value == VALUE_I64)
        return "does not work on integers of 64 bits: convert them to float64";
    if (!strided_is_aligned(in))
        return "does not work on samples that are not aligned";
    if (in->rows > INT32_MAX / in->channels)
        return "does not work on so many rows";
    for (unsigned i = 0; i < outputs; i++) {
        if (!strided_is_aligned(&call->out[i]))
            return "does not work on samples that are not aligned";
        if (call->out[i].sample.kind == SAMPLE_S64 || call->out[i].sample.kind == SAMPLE_U64)
            return "does not write integers of 64 bits";
    }
    return NULL;
}

static int refuse(unsigned device, const char *obstacle, struct error *error)
{
    char name[CUDA_NAME];

    return error_set(error, ERROR_DEVICE_INTEGERS, cuda_name(name, device), "%s", obstacle);
}

int cuda_arrays_run(const struct cuda_call *call, void *work, size_t *bytes, struct error *error)
{
    const bool filters = call->records == NULL;
    const char *obstacle = find_obstacle(call);
    const size_t room = work != NULL ? *bytes : 0;
    size_t needed = 0;
    cudaError_t result;
    int before;

    if (obstacle != NULL)
        return refuse(call->device, obstacle, error);
    if (work == NULL && engine_cuda_find(call->device, error) != 0)
        return -1;
    result = enter(call->device, &before);
    THEN(result, (filters ? run_filter : run_stats)(call, work, room, &needed));
    if (leave(call->device, before, result, filters ? "filter" : "statistics", error) != 0)
        return result == cudaErrorInvalidConfiguration
                   ? refuse(call->device, "does not work on so many blocks", error)
                   : -1;
    *bytes = needed;
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
    (void)cudaGetLastError(); /* this is the legacy stream, while another stream is captured */
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
    THEN(result, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    THEN(result, cudaEventRecord(event, before));
    THEN(result, cudaStreamWaitEvent(stream, event, 0));
    if (event != NULL)

        /* The driver keeps the event until it has been waited for. */
        (void)cudaEventDestroy(event);
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
    THEN(result, free_room(room));
    THEN(result, cudaMalloc(&room->memory, bytes));
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
