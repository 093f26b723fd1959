/* SPDX-License-Identifier: MIT */
/* Computes what gpuenv.stats() returns, as an array of words or, on a device, columns of them;
 * gpuenv/_stats.py makes the results. */
#include <string.h>

#include "device.h"

enum { WORDS_OF_STATS = 11 };

/* Writes the members of gpuenv.Stats, each a word of 64 bits, `distance` bytes apart. */
static void put_words(const gpuenv_record *record, unsigned char *to, Py_ssize_t distance)
{
    const bool none = record->frames == record->nans;
    const uint64_t whole[] = {
        record->frames,
        record->nans,
        record->min.u64,
        record->max.u64,
        record->abs.u64,
        none ? UINT64_MAX : record->argmin,
        none ? UINT64_MAX : record->argmax,
        none ? UINT64_MAX : record->argabs,
    };
    const double real[] = {record->sum, record->mean, record->rms};

    for (int i = 0; i < WORDS_OF_STATS; i++)
        memcpy(to + i * distance, i < 8 ? (const void *)&whole[i] : (const void *)&real[i - 8],
               sizeof *whole);
}

static void put_all(const gpuenv_record *record, const gpuenv_array *out, Py_ssize_t distance)
{
    for (uint64_t row = 0; row < out->rows; row++) {
        for (uint64_t block = 0; block < out->frames; block++) {
            for (uint64_t channel = 0; channel < out->channels; channel++)
                put_words(record++,
                          (unsigned char *)(uintptr_t)out->data + (ptrdiff_t)row * out->row +
                              (ptrdiff_t)block * out->frame + (ptrdiff_t)channel * out->channel,
                          distance);
        }
    }
}

/* Computes words, whose first dimension is the members. `count` is the number of records at one
 * place of the layout. */
static int find_words(gpuenv_context *context, struct layout *layout, uint64_t every,
                      uint64_t count, Py_ssize_t distance)
{
    const gpuenv_array *in = &layout->array[0];
    const uint64_t samples = in->rows * in->frames * in->channels;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_record *records = PyMem_Calloc(count, sizeof *records);
    PyThreadState *state;
    uint64_t since = 0;
    int code;

    if (records == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    records[0].size = sizeof *records;
    state = shared_release(layout->steps > 0 ? UINT64_MAX : samples);
    do {
        code = gpuenv_stats(context, in, every, records, &error);
        if (code == GPUENV_OK) {
            put_all(records, &layout->array[1], distance);
            code = shared_poll(&since, samples, &error);
        }
    } while (code == GPUENV_OK && layout_next(layout));
    shared_resume(state);
    PyMem_Free(records);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

/* Makes an array of int64. Its first dimension is the members, then come the other axes of x and,
 * with `every`, the blocks. */
static PyObject *words_of(const struct view *view, int axis, uint64_t every)
{
    const Py_ssize_t length = view->shape[axis];
    const Py_ssize_t blocks =
        every == 0 || length == 0 ? 1 : (Py_ssize_t)(((uint64_t)length - 1) / every + 1);
    const struct view *views[2] = {view};
    gpuenv_context *context = shared_context();
    struct view out = *view;
    struct view words;
    struct layout layout;
    PyObject *result;
    int dimensions = 0;

    out.shape[dimensions++] = WORDS_OF_STATS;
    for (int d = 0; d < view->dimensions; d++) {
        if (d != axis)
            out.shape[dimensions++] = view->shape[d];
    }
    if (every > 0)
        out.shape[dimensions++] = blocks;
    view_make(&words, out.shape, dimensions, GPUENV_S64, false);
    result = context != NULL ? view_empty(&words) : NULL;
    if (result == NULL)
        return NULL;
    out.data = words.data;
    for (int d = 0, other = 1; d < view->dimensions; d++) {
        out.shape[d] = d == axis ? blocks : view->shape[d];
        out.strides[d] = words.strides[d == axis ? dimensions - 1 : other++];
    }
    views[1] = &out;
    layout_make(&layout, views, 2, axis);
    if (!layout.empty &&
        find_words(context, &layout, every,
                   layout.array[0].rows * layout.array[1].frames * layout.array[0].channels,
                   words.strides[0]) != 0)
        Py_CLEAR(result);
    return result;
}

PyObject *stats_of_array(PyObject *module, PyObject *arguments)
{
    PyObject *object;
    unsigned long long every;
    struct view view;
    PyObject *words = NULL;
    int axis;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "OiK:records", &object, &axis, &every) ||
        view_open(&view, object, "x") != 0)
        return NULL;
    axis = view_axis(&view, axis);
    if (axis >= 0 && layout_settle_truth(&view) == 0)
        words = words_of(&view, axis, every);
    view_close(&view);
    return words;
}

/* ---- on a device ---- */

#ifdef GPUENV_WITH_CUDA

/* Joins the dimensions first .. end-1 into one. Returns false where distances do not allow that. */
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

/* The dimensions before the axis are rows, and those after it channels: so records have the order
 * of the result, with blocks in the place of the axis. */
static bool find_array(const struct view *view, int axis, gpuenv_array *array)
{
    const bool before = join(view, 0, axis, &array->rows, &array->row);
    const bool after = join(view, axis + 1, view->dimensions, &array->channels, &array->channel);

    array->data = view->data;
    array->type = view->type;
    array->swapped = view->swapped;
    array->frames = (uint64_t)view->shape[axis];
    array->frame = view->strides[axis];
    array->broadcast = 1;
    return before && after;
}

/* Describes the columns, which begin at an address; the `blocks` of each channel are adjacent.
 * `type` is that of the extremes; magnitudes of integers have 64 bits. Returns the bytes of all
 * columns. */
static size_t lay_columns(gpuenv_array columns[GPUENV_COLUMNS], const gpuenv_array *array,
                          uint64_t blocks, int type, unsigned char *data)
{
    const uint64_t count = array->rows * array->channels * blocks;
    const bool is_float = view_types[type].kind == 'f';
    const gpuenv_array blank = GPUENV_INIT(gpuenv_array);
    size_t bytes = 0;

    for (int i = 0; i < GPUENV_COLUMNS; i++) {
        gpuenv_array *column = &columns[i];

        *column = blank;
        column->type = i <= GPUENV_COLUMN_ARGABS             ? GPUENV_S64
                       : i <= GPUENV_COLUMN_RMS              ? GPUENV_F64
                       : i == GPUENV_COLUMN_ABS && !is_float ? GPUENV_S64
                                                             : type;
        column->data = data + bytes;
        column->rows = array->rows;
        column->channels = array->channels;
        column->frames = blocks;
        column->frame = view_types[column->type].bytes;
        column->channel = (ptrdiff_t)blocks * column->frame;
        column->row = (ptrdiff_t)array->channels * column->channel;
        column->broadcast = 1;
        bytes += count * (size_t)column->frame;
    }
    return bytes;
}

/* Enqueues the statistics. Returns an array of words that has all columns, one after the other. */
static PyObject *enqueue(const struct device *device, const gpuenv_array *array, uint64_t every,
                         int type)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_spec spec = {.width = every};
    gpuenv_array columns[GPUENV_COLUMNS];
    const struct device_work work = {&spec, array, 1, columns};
    const uint64_t planes = array->rows * array->channels;
    struct device_room room = {.object = NULL};
    struct view made;
    PyObject *words;
    uint64_t count;
    uint64_t blocks;
    Py_ssize_t length;

    if (gpuenv_records(array, every, &count, &error) != GPUENV_OK) {
        (void)shared_raise(&error);
        return NULL;
    }
    blocks = planes > 0 ? count / planes : 0;
    length = (Py_ssize_t)((lay_columns(columns, array, blocks, type, NULL) + 7) / 8);
    view_make(&made, &length, 1, GPUENV_S64, false);
    words = device_empty(device, &made);
    if (words == NULL || count == 0)
        return words;
    lay_columns(columns, array, blocks, type, made.data);
    if (device_enqueue(device, &work, &room) != 0)
        Py_CLEAR(words);
    Py_XDECREF(room.object);
    return words;
}

/* The extremes of complex numbers are float64. */
static PyObject *find_columns(const struct device *device, struct view *view, int axis,
                              uint64_t every)
{
    const int type = view_types[view->type].kind == 'c' ? GPUENV_F64 : view->type;
    gpuenv_array array = GPUENV_INIT(gpuenv_array);

    if (!find_array(view, axis, &array) && !view_is_empty(view)) {
        if (device_copy(device, view, false, axis) != 0)
            return NULL;
        (void)find_array(view, axis, &array);
    }
    return enqueue(device, &array, every, type);
}

static PyObject *stats_on_device(PyObject *object, int number, Py_ssize_t axis, uint64_t every,
                                 PyObject *stream, PyObject *finish)
{
    struct device device;
    struct view view;
    PyObject *dtype;
    PyObject *words = NULL;
    PyObject *result = NULL;
    int along;

    if (device_begin(&device, &view, object, number, stream == Py_None ? NULL : stream) != 0)
        return NULL;
    dtype = view_dtype(&view);
    along = view_axis(&view, axis);
    if (along >= 0)
        words = find_columns(&device, &view, along, every);
    if (words != NULL)
        result = PyObject_CallFunction(finish, "OOOONiO", device.own ? Py_None : object,
                                       device.call, device.library, words,
                                       view_shape(view.shape, view.dimensions), along, dtype);
    Py_XDECREF(words);
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
