/* The records of gpuenv.stats(), as bytes, or on a device, and the positions of
 * gpuenv.downsample(), as bytes; gpuenv/_stats.py and gpuenv/_downsample.py make arrays of them. */

#include "device.h"

static int run(const gpuenv_array *array, uint64_t every, gpuenv_record *records)
{
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyThreadState *state;
    int code;

    if (context == NULL)
        return -1;
    state = shared_release(array->rows * array->frames * array->channels);
    code = gpuenv_stats(context, array, every, records, &error);
    shared_resume(state);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

/* Frames are along an axis of x, which has one dimension or two. */
static gpuenv_array array_of(const struct view *view, int axis)
{
    const bool other = view->dimensions == 2;

    return (gpuenv_array){
        .size = sizeof(gpuenv_array),
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
}

static PyObject *records_of(const struct view *view, int axis, uint64_t every)
{
    const gpuenv_array array = array_of(view, axis);
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

/* The positions that gpuenv_downsample() finds, int64 as bytes; x has one dimension. */
PyObject *stats_downsample(PyObject *module, PyObject *arguments)
{
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyObject *object;
    unsigned long long count;
    struct view view;
    PyObject *bytes = NULL;

    (void)module;
    if (context == NULL || !PyArg_ParseTuple(arguments, "OK:downsample", &object, &count) ||
        view_open(&view, object, "x") != 0)
        return NULL;
    if (layout_settle_truth(&view) == 0)
        bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(int64_t)));
    if (bytes != NULL) {
        const gpuenv_array array = array_of(&view, 0);
        int64_t *positions = (int64_t *)(void *)PyBytes_AsString(bytes);
        PyThreadState *state = shared_release(array.frames);
        const int code = gpuenv_downsample(context, &array, count, positions, &error);

        shared_resume(state);
        if (code != GPUENV_OK && shared_raise(&error) != 0)
            Py_CLEAR(bytes);
    }
    view_close(&view);
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
