/* The records of gpuenv.stats(), as bytes; gpuenv/_stats.py makes arrays of them. */
#include "layout.h"

/* numpy.dtype of it: _stats.py. */
struct packed {
    uint64_t frames;
    uint64_t nans;
    gpuenv_number min;
    gpuenv_number max;
    gpuenv_number abs;
    uint64_t argmin;
    uint64_t argmax;
    uint64_t argabs;
    double sum;
    double mean;
    double rms;
};

static int run(const gpuenv_array *array, uint64_t every, gpuenv_record *records, uint64_t count,
               struct packed *to)
{
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyThreadState *state;
    int code;

    if (context == NULL)
        return -1;
    state = PyEval_SaveThread();
    code = gpuenv_stats(context, array, every, records, &error);
    for (uint64_t i = 0; code == GPUENV_OK && i < count; i++) {
        const gpuenv_record *from = &records[i];

        to[i] = (struct packed){
            .frames = from->frames,
            .nans = from->nans,
            .min = from->min,
            .max = from->max,
            .abs = from->abs,
            .argmin = from->argmin,
            .argmax = from->argmax,
            .argabs = from->argabs,
            .sum = from->sum,
            .mean = from->mean,
            .rms = from->rms,
        };
    }
    PyEval_RestoreThread(state);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

/* x has two dimensions, and blocks are along the last one, or along the first. */
static PyObject *records_of(const struct view *view, int axis, uint64_t every)
{
    gpuenv_array array = {
        .size = sizeof array,
        .data = view->data,
        .type = view->type,
        .swapped = view->swapped,
        .rows = axis == 1 ? (uint64_t)view->shape[0] : 1,
        .frames = (uint64_t)view->shape[axis],
        .channels = axis == 1 ? 1 : (uint64_t)view->shape[1],
        .row = axis == 1 ? view->strides[0] : 0,
        .frame = view->strides[axis],
        .channel = axis == 1 ? 0 : view->strides[1],
    };
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_record *records;
    PyObject *bytes;
    uint64_t count;

    if (gpuenv_records(&array, every, &count, &error) != GPUENV_OK) {
        (void)shared_raise(&error);
        return NULL;
    }
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(struct packed)));
    if (bytes == NULL || count == 0)
        return bytes;
    records = PyMem_Calloc((size_t)count, sizeof *records);
    if (records == NULL) {
        Py_DECREF(bytes);
        return PyErr_NoMemory();
    }
    records[0].size = sizeof *records;
    if (run(&array, every, records, count, (struct packed *)(void *)PyBytes_AS_STRING(bytes)) != 0)
        Py_CLEAR(bytes);
    PyMem_Free(records);
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
    if (view.dimensions != 2 || axis < 0 || axis > 1)
        PyErr_SetString(PyExc_ValueError, "x must have two dimensions");
    else if (layout_settle_truth(&view) == 0)
        bytes = records_of(&view, axis, every);
    view_close(&view);
    return bytes;
}
