/* The records of gpuenv.stats(), as bytes, or on a device; gpuenv/_stats.py makes arrays of them.
 */
#include <math.h>
#include <string.h>

#include "device.h"

static int run(const gpuenv_array *array, uint64_t every, gpuenv_record *records)
{
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyThreadState *state;
    int code;

    if (context == NULL)
        return -1;
    state = PyEval_SaveThread();
    code = gpuenv_stats(context, array, every, records, &error);
    PyEval_RestoreThread(state);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

/* Blocks are along an axis of x, which has one dimension or two. */
static PyObject *records_of(const struct view *view, int axis, uint64_t every)
{
    const bool other = view->dimensions == 2;
    gpuenv_array array = {
        .size = sizeof array,
        .data = view->data,
        .type = view->type,
        .swapped = view->swapped,
        .rows = other && axis == 1 ? (uint64_t)view->shape[0] : 1,
        .frames = (uint64_t)view->shape[axis],
        .channels = other && axis == 0 ? (uint64_t)view->shape[1] : 1,
        .row = other && axis == 1 ? view->strides[0] : 0,
        .frame = view->strides[axis],
        .channel = other && axis == 0 ? view->strides[1] : 0,
    };
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_record *records;
    PyObject *bytes;
    uint64_t count;

    if (gpuenv_records(&array, every, &count, &error) != GPUENV_OK) {
        (void)shared_raise(&error);
        return NULL;
    }
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof *records));
    if (bytes == NULL || count == 0)
        return bytes;
    records = (gpuenv_record *)(void *)PyBytes_AsString(bytes);
    records[0].size = sizeof *records;
    if (run(&array, every, records) != 0)
        Py_CLEAR(bytes);
    return bytes;
}

PyObject *stats_of_array(PyObject *module, PyObject *arguments)
{
    PyObject *object;
    unsigned long long every;
    struct view view;
    PyObject *bytes = NULL;
    int axis;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "OiK:records", &object, &axis, &every) ||
        view_open(&view, object, "x") != 0)
        return NULL;
    if (view.dimensions > 2 || axis < 0 || axis >= view.dimensions)
        PyErr_SetString(PyExc_ValueError, "x must have one dimension or two");
    else if (layout_settle_truth(&view) == 0)
        bytes = records_of(&view, axis, every);
    view_close(&view);
    return bytes;
}

/* ---- positions for pictures ---- */

/* Positions of the extremes of first .. end-1, in order: the first of equals. NaN are less than and
 * greater than nothing. Samples are looked at again only in the last chunk that had a new extreme.
 */
#define FIND_EXTREMES(attribute, name, type, least, greatest)                                      \
    attribute static void name(const void *samples, int64_t first, int64_t end, int64_t *at)       \
    {                                                                                              \
        enum { LANES = 32, CHUNK = 8 * LANES };                                                    \
        const type *x = samples;                                                                   \
        type extreme[2] = {greatest, least};                                                       \
        int64_t chunk[2] = {first, first};                                                         \
                                                                                                   \
        for (int64_t begin = first; begin < end; begin += CHUNK) {                                 \
            const int64_t stop = begin + CHUNK < end ? begin + CHUNK : end;                        \
            type lo[LANES];                                                                        \
            type hi[LANES];                                                                        \
            int64_t i = begin;                                                                     \
                                                                                                   \
            for (int k = 0; k < LANES; k++) {                                                      \
                lo[k] = extreme[0];                                                                \
                hi[k] = extreme[1];                                                                \
            }                                                                                      \
            for (; i + LANES <= stop; i += LANES) {                                                \
                for (int k = 0; k < LANES; k++) {                                                  \
                    lo[k] = x[i + k] < lo[k] ? x[i + k] : lo[k];                                   \
                    hi[k] = x[i + k] > hi[k] ? x[i + k] : hi[k];                                   \
                }                                                                                  \
            }                                                                                      \
            for (; i < stop; i++) {                                                                \
                lo[0] = x[i] < lo[0] ? x[i] : lo[0];                                               \
                hi[0] = x[i] > hi[0] ? x[i] : hi[0];                                               \
            }                                                                                      \
            for (int half = LANES / 2; half > 0; half /= 2) {                                      \
                for (int k = 0; k < half; k++) {                                                   \
                    lo[k] = lo[k + half] < lo[k] ? lo[k + half] : lo[k];                           \
                    hi[k] = hi[k + half] > hi[k] ? hi[k + half] : hi[k];                           \
                }                                                                                  \
            }                                                                                      \
            if (lo[0] < extreme[0]) {                                                              \
                extreme[0] = lo[0];                                                                \
                chunk[0] = begin;                                                                  \
            }                                                                                      \
            if (hi[0] > extreme[1]) {                                                              \
                extreme[1] = hi[0];                                                                \
                chunk[1] = begin;                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (int e = 0; e < 2; e++) {                                                              \
            int found = 0;                                                                         \
                                                                                                   \
            for (; found == 0 && chunk[e] + LANES <= end; chunk[e] += found != 0 ? 0 : LANES) {    \
                for (int k = 0; k < LANES; k++)                                                    \
                    found |= x[chunk[e] + k] == extreme[e];                                        \
            }                                                                                      \
            while (chunk[e] < end && !(x[chunk[e]] == extreme[e]))                                 \
                chunk[e]++;                                                                        \
            if (chunk[e] == end)                                                                   \
                chunk[e] = first;                                                                  \
        }                                                                                          \
        at[0] = chunk[0] < chunk[1] ? chunk[0] : chunk[1];                                         \
        at[1] = chunk[0] < chunk[1] ? chunk[1] : chunk[0];                                         \
    }
typedef void find_extremes(const void *samples, int64_t first, int64_t end, int64_t *at);

#define FIND_EXTREMES_FOR(isa, attribute)                                                          \
    FIND_EXTREMES(attribute, isa##_f32, float, -INFINITY, INFINITY)                                \
    FIND_EXTREMES(attribute, isa##_f64, double, -INFINITY, INFINITY)                               \
    FIND_EXTREMES(attribute, isa##_s8, int8_t, INT8_MIN, INT8_MAX)                                 \
    FIND_EXTREMES(attribute, isa##_u8, uint8_t, 0, UINT8_MAX)                                      \
    FIND_EXTREMES(attribute, isa##_s16, int16_t, INT16_MIN, INT16_MAX)                             \
    FIND_EXTREMES(attribute, isa##_u16, uint16_t, 0, UINT16_MAX)                                   \
    FIND_EXTREMES(attribute, isa##_s32, int32_t, INT32_MIN, INT32_MAX)                             \
    FIND_EXTREMES(attribute, isa##_u32, uint32_t, 0, UINT32_MAX)                                   \
    FIND_EXTREMES(attribute, isa##_s64, int64_t, INT64_MIN, INT64_MAX)                             \
    FIND_EXTREMES(attribute, isa##_u64, uint64_t, 0, UINT64_MAX)                                   \
    static find_extremes *const isa[] = {                                                          \
        [GPUENV_F32] = isa##_f32, [GPUENV_F64] = isa##_f64, [GPUENV_S8] = isa##_s8,                \
        [GPUENV_U8] = isa##_u8,   [GPUENV_S16] = isa##_s16, [GPUENV_U16] = isa##_u16,              \
        [GPUENV_S32] = isa##_s32, [GPUENV_U32] = isa##_u32, [GPUENV_S64] = isa##_s64,              \
        [GPUENV_U64] = isa##_u64,                                                                  \
    };
FIND_EXTREMES_FOR(plain, )
#ifdef __x86_64__
FIND_EXTREMES_FOR(avx2, __attribute__((target("avx2"))))
#ifdef __clang__
FIND_EXTREMES_FOR(avx512, __attribute__((target("avx512f,avx512bw"))))
#else
FIND_EXTREMES_FOR(avx512, __attribute__((target("avx512f,avx512bw,prefer-vector-width=512"))))
#endif
#endif

/* Names of the library's instruction sets, the best first. */
static const struct {
    const char *isa;
    find_extremes *const *find; /* by enum gpuenv_type */
} finders[] = {
#ifdef __x86_64__
    {"avx512", avx512},
    {"avx2", avx2},
#endif
    {"", plain},
};
enum { FINDERS = sizeof finders / sizeof *finders };

/* That of the instruction set of this machine, or of so many lower. NULL: an exception is set. */
static find_extremes *pick_find(int type, int lower)
{
    const gpuenv_context *context = shared_context();
    int i = 0;

    if (context == NULL)
        return NULL;
    while (i < FINDERS - 1 && strcmp(gpuenv_context_isa(context), finders[i].isa) != 0)
        i++;
    return finders[i + lower < FINDERS ? i + lower : FINDERS - 1].find[type];
}

/* x has one dimension, without gaps, in the byte order of the machine and no float16. Blocks end
 * where `ends` says, an array of int64; the positions are two for each, of int64. Tests give a
 * third argument: how many instruction sets are passed over. */
PyObject *stats_extremes(PyObject *module, PyObject *arguments)
{
    PyObject *object;
    Py_buffer ends;
    struct view view;
    PyObject *bytes = NULL;
    int lower = 0;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "Oy*|i:extremes", &object, &ends, &lower))
        return NULL;
    if (view_open(&view, object, "x") == 0) {
        const int64_t *end = ends.buf;
        const Py_ssize_t count = ends.len / (Py_ssize_t)sizeof *end;
        find_extremes *const find = pick_find(view.type, lower);

        if (find != NULL)
            bytes = PyBytes_FromStringAndSize(NULL, 2 * ends.len);
        if (bytes != NULL) {
            int64_t *at = (int64_t *)(void *)PyBytes_AsString(bytes);

            Py_BEGIN_ALLOW_THREADS for (Py_ssize_t i = 0; i < count; i++)
                find(view.data, i > 0 ? end[i - 1] : 0, end[i], at + 2 * i);
            Py_END_ALLOW_THREADS
        }
        view_close(&view);
    }
    PyBuffer_Release(&ends);
    return bytes;
}

/* ---- on a device ---- */

#ifdef GPUENV_WITH_CUDA

enum { RECORD_WORDS = sizeof(gpuenv_record) / sizeof(uint64_t) };

/* Joins the dimensions first .. end-1 to one. Returns false where distances do not allow that. */
static bool join(const struct view *view, int first, int end, uint64_t *count, ptrdiff_t *distance)
{
    bool joined = true;

    *count = 1;
    *distance = 0;
    for (int d = first; d < end; d++) {
        const Py_ssize_t length = view->shape[d];

        if (length == 1)
            continue;
        if (*count > 1 && *distance != view->strides[d] * length)
            joined = false;
        *count *= (uint64_t)length;
        *distance = view->strides[d];
    }
    return joined;
}

/* The dimensions before the axis are rows, and those after it channels: so records are in the order
 * of the result, blocks in the place of the axis. */
static bool find_array(const struct view *view, int axis, gpuenv_array *array)
{
    const bool before = join(view, 0, axis, &array->rows, &array->row);
    const bool after = join(view, axis + 1, view->dimensions, &array->channels, &array->channel);

    array->data = view->data;
    array->type = view->type;
    array->swapped = view->swapped;
    array->frames = (uint64_t)view->shape[axis];
    array->frame = view->strides[axis];
    return before && after;
}

/* In an array without gaps. */
static PyObject *copy_packed(const struct device *device, const struct view *in, int axis,
                             struct view *copy)
{
    struct view like;

    view_clear(&like);
    like.dimensions = in->dimensions;
    like.bytes = in->bytes;
    like.shape = in->shape;
    view_pack(&like, false);
    return device_copy(device, in, &like, axis, copy);
}

static int call_library(const struct device *device, const gpuenv_array *array, uint64_t every,
                        gpuenv_record *record, void *work, size_t *bytes)
{
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyThreadState *state;
    int code;

    if (context == NULL)
        return -1;
    state = PyEval_SaveThread();
    code = gpuenv_stats_cuda(context, array, every, record, sizeof *record, work, bytes,
                             device->number, device->stream, &error);
    PyEval_RestoreThread(state);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

/* An array of words, a row for each record. */
static PyObject *enqueue(const struct device *device, const gpuenv_array *array, uint64_t every)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    Py_ssize_t shape[] = {0, RECORD_WORDS};
    struct view like;
    struct view made;
    PyObject *records;
    PyObject *room = NULL;
    gpuenv_record *record;
    uint64_t count;
    size_t bytes;
    void *work;
    int failed = 0;

    if (gpuenv_records(array, every, &count, &error) != GPUENV_OK) {
        (void)shared_raise(&error);
        return NULL;
    }
    shape[0] = (Py_ssize_t)count;
    view_clear(&like);
    like.dimensions = 2;
    like.bytes = sizeof(uint64_t);
    like.shape = shape;
    view_pack(&like, false);
    records = device_empty(device, &made, &like, shape, GPUENV_S64, false);
    if (records == NULL || count == 0)
        return records;
    record = (gpuenv_record *)(void *)made.data;
    failed = call_library(device, array, every, record, NULL, &bytes);
    if (failed == 0) {
        room = device_room(device, bytes, &work);
        failed = room == NULL ? -1 : call_library(device, array, every, record, work, &bytes);
    }
    Py_XDECREF(room);
    if (failed != 0)
        Py_CLEAR(records);
    return records;
}

static PyObject *find_records(const struct device *device, struct view *view, int axis,
                              uint64_t every)
{
    gpuenv_array array = GPUENV_INIT(gpuenv_array);
    PyObject *copy = NULL;
    PyObject *records = NULL;
    struct view copied;

    if (!find_array(view, axis, &array) && !view_is_empty(view)) {
        copy = copy_packed(device, view, axis, &copied);
        if (copy == NULL)
            return NULL;
        (void)find_array(&copied, axis, &array);
    }
    records = enqueue(device, &array, every);
    Py_XDECREF(copy);
    return records;
}

static PyObject *stats_on_device(PyObject *object, int number, Py_ssize_t axis, uint64_t every,
                                 PyObject *stream, PyObject *finish)
{
    struct device device;
    struct view view;
    PyObject *records = NULL;
    PyObject *result = NULL;
    int along;

    if (device_begin(&device, &view, object, number, stream == Py_None ? NULL : stream) != 0)
        return NULL;
    along = view_axis(&view, axis);
    if (along >= 0)
        records = find_records(&device, &view, along, every);
    if (records != NULL)
        result = PyObject_CallFunction(finish, "OOOONiO", object, device.call, device.library,
                                       records, view_shape(view.shape, view.dimensions), along,
                                       view.boolean ? shared.dtype_bool : shared.dtypes[view.type]);
    Py_XDECREF(records);
    view_close(&view);
    device_end(&device);
    return result;
}

#endif

PyObject *stats_of_device_array(PyObject *module, PyObject *arguments)
{
    PyObject *object;
    PyObject *stream;
    PyObject *finish;
    unsigned long long every;
    Py_ssize_t axis;
    int number;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "OnKOO:device_records", &object, &axis, &every, &stream,
                          &finish))
        return NULL;
    switch (view_place(object, &number)) {
    case PLACE_FAILED:
        return NULL;
    case PLACE_DEVICE:
#ifdef GPUENV_WITH_CUDA
        return stats_on_device(object, number, axis, every, stream, finish);
#else
        (void)view_refuse_device("x");
        return NULL;
#endif
    default:
        Py_RETURN_NONE;
    }
}
