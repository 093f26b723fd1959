/* SPDX-License-Identifier: MIT */
/* The part of a call on a device that is in C: arrays are opened, and checked. */
#include "device.h"
#include "dlpack.h"

/* ---- for gpuenv/_device.py */

PyObject *device_of_pointer(PyObject *module, PyObject *pointer)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    void *memory = PyLong_AsVoidPtr(pointer);
    int device;

    (void)module;
    if (memory == NULL && PyErr_Occurred())
        return NULL;
    if (gpuenv_cuda_device(memory, &device, &error) == GPUENV_OK)
        return PyLong_FromLong(device);
    (void)shared_raise(&error);
    return NULL;
}

PyObject *device_wait(PyObject *module, PyObject *arguments)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    unsigned long long stream;
    unsigned long long before;
    int device;
    int joins;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "iKKp:wait", &device, &stream, &before, &joins))
        return NULL;
    if (gpuenv_cuda_wait(device, (void *)(uintptr_t)stream, (void *)(uintptr_t)before, joins,
                         &error) != GPUENV_OK) {
        (void)shared_raise(&error);
        return NULL;
    }
    Py_RETURN_NONE;
}

/* ---- what the kernels take */

static int check_input(const struct view *view)
{
    if (view->type == GPUENV_S64 || view->type == GPUENV_U64)
        return BAD_VALUE("x has integers of 64 bits, which are for arrays in main memory: on a "
                         "device, convert them to float64");
    return 0;
}

static int check_aligned(const struct view *view, const char *name)
{
    const Py_ssize_t bytes = view->bytes > 8 ? view->bytes / 2 : view->bytes;
    bool aligned = (uintptr_t)view->data % (size_t)bytes == 0;

    for (int i = 0; i < view->dimensions; i++)
        aligned = aligned && (view->shape[i] < 2 || view->strides[i] % bytes == 0);
    if (aligned || view_is_empty(view))
        return 0;
    return BAD_VALUE("%s has samples that are not aligned: copy it first", name);
}

/* ---- arrays as they are exported */

/* Reads a tuple of integers. Returns how many, or -1 with an exception. */
static int read_tuple(PyObject *tuple, Py_ssize_t numbers[PyBUF_MAX_NDIM])
{
    const Py_ssize_t count = PyTuple_Size(tuple);

    if (count > PyBUF_MAX_NDIM)
        return BAD_VALUE("an array has more than 64 dimensions");
    for (Py_ssize_t i = 0; i < count; i++) {
        numbers[i] = PyLong_AsSsize_t(PyTuple_GetItem(tuple, i));
        if (numbers[i] == -1 && PyErr_Occurred())
            return -1;
    }
    return (int)count;
}

/* Finds the type of a dtype of NumPy, most of which exist once. Returns TYPES if there is none. */
static int find_type(PyObject *dtype)
{
    int type = 0;

    while (type < TYPES && shared.dtypes[type] != dtype)
        type++;
    if (type < TYPES)
        return type;
    type = 0;
    while (type < TYPES && (shared.dtypes[type] == NULL ||
                            PyObject_RichCompareBool(dtype, shared.dtypes[type], Py_EQ) != 1))
        type++;
    return type;
}

static int open_tuple(struct view *view, PyObject *exported, PyObject *object, const char *name)
{
    unsigned long long address;
    PyObject *shape;
    PyObject *strides;
    PyObject *dtype;
    int type;

    if (!PyArg_ParseTuple(exported, "KO!O!O", &address, &PyTuple_Type, &shape, &PyTuple_Type,
                          &strides, &dtype))
        return -1;
    type = find_type(dtype);
    view->boolean = type == TYPES && PyObject_RichCompareBool(dtype, shared.dtype_bool, Py_EQ) == 1;
    if (view->boolean)
        type = GPUENV_U8;
    if (type == TYPES)
        return view_refuse_type(object, name);
    view->data = (unsigned char *)(uintptr_t)address;
    view->type = type;
    view->bytes = view_types[view->type].bytes;
    view->dimensions = read_tuple(shape, view->shape);
    if (view->dimensions < 0 || read_tuple(strides, view->strides) < 0)
        return -1;
    if (PyTuple_Size(strides) != view->dimensions)
        return BAD_VALUE("%s has strides for another number of dimensions", name);
    return view_check_size(view, false, name);
}

/* Opens a capsule, a tuple of (address, shape, strides, dtype), or an array of NumPy whose address
 * is that of samples on the device. */
static int open_exported(struct view *view, PyObject *exported, PyObject *object, int number,
                         const char *name)
{
    int failed;

    view_clear(view);
    if (PyTuple_Check(exported)) {
        failed = open_tuple(view, exported, object, name);
    } else if (PyCapsule_CheckExact(exported)) {
        Py_INCREF(exported);
        failed = dlpack_import(view, exported, object, name);
    } else {
        failed = view_array(view, exported, object, name);
    }
    if (failed != 0)
        return -1;
    view->device = number;
    if (check_aligned(view, name) == 0)
        return 0;
    view_close(view);
    return -1;
}

/* ---- calls */

int device_begin(struct device *device, struct view *view, PyObject *x, int number,
                 PyObject *stream)
{
    static PyObject *begin; /* gpuenv._device.begin() */
    PyObject *begun = NULL;
    PyObject *exported;
    unsigned long long address;
    int failed;

    if (begin == NULL)
        begin = shared_import("gpuenv._device", "begin");
    if (begin != NULL)
        begun = PyObject_CallFunction(begin, "OOi", x, stream != NULL ? stream : Py_None, number);
    if (begun == NULL)
        return -1;
    if (!PyArg_ParseTuple(begun, "OOpOiKp", &device->call, &device->library, &device->own,
                          &exported, &device->number, &address, &device->entered)) {
        device->call = NULL;
        Py_DECREF(begun);
        return -1;
    }
    Py_INCREF(device->call);
    device->stream = (void *)(uintptr_t)address;
    failed = open_exported(view, exported, x, device->number, "x");
    if (failed == 0 && check_input(view) != 0) {
        view_close(view);
        failed = -1;
    }
    if (failed != 0)
        device_end(device);
    Py_DECREF(begun);
    return device->call != NULL ? 0 : -1;
}

void device_end(struct device *device)
{
    PyObject *type;
    PyObject *value;
    PyObject *trace;
    PyObject *done;

    if (device->entered) {
        PyErr_Fetch(&type, &value, &trace); /* The call may have failed: its exception is kept. */
        done = PyObject_CallMethodObjArgs(device->call, shared.words[WORD_CLOSE], NULL);
        if (done == NULL)
            PyErr_WriteUnraisable(device->call);
        Py_XDECREF(done);
        PyErr_Restore(type, value, trace);
    }
    Py_CLEAR(device->call);
}

int device_open_out(const struct device *device, struct view *view, PyObject *object)
{
    int number;
    const enum view_kind place = view_place(object, &number);
    PyObject *found;
    PyObject *exported;
    int own;
    int failed = -1;

    if (place != PLACE_DEVICE)
        return place == PLACE_FAILED ? -1 : BAD_VALUE("x is on a CUDA device, and out is not");
    found = PyObject_CallMethod(device->call, "out", "Oi", object, number);
    if (found == NULL)
        return -1;
    if (PyArg_ParseTuple(found, "Oip", &exported, &number, &own))
        failed = open_exported(view, exported, object, number, "out");
    Py_DECREF(found);
    if (failed != 0)
        return -1;
    view->foreign = own == 0;
    if (number < 0 || number == device->number)
        return 0;
    view_close(view);
    return BAD_VALUE("x is on the device cuda:%d, and out on cuda:%d", device->number, number);
}

/* Returns the object of a pair of an object and its address, and drops the pair, which may be
 * NULL. */
static PyObject *take_pair(PyObject *pair, void **memory)
{
    PyObject *object = NULL;
    unsigned long long address;

    if (pair != NULL && PyArg_ParseTuple(pair, "OK", &object, &address)) {
        Py_INCREF(object);
        *memory = (void *)(uintptr_t)address;
    }
    Py_XDECREF(pair);
    return object;
}

PyObject *device_empty(const struct device *device, struct view *view)
{
    PyObject *number = PyLong_FromLong(device->number);
    PyObject *lengths = view_shape(view->shape, view->dimensions);
    PyObject *order =
        view_is_fortran(view) ? shared.words[WORD_ORDER_F] : shared.words[WORD_ORDER_C];
    PyObject *array = NULL;
    void *memory = NULL;

    view->device = device->number;
    if (number != NULL && lengths != NULL)
        array =
            take_pair(PyObject_CallMethodObjArgs(device->library, shared.words[WORD_EMPTY], number,
                                                 lengths, view_dtype(view), order, NULL),
                      &memory);
    Py_XDECREF(number);
    Py_XDECREF(lengths);
    view->data = memory;
    return array;
}

PyObject *device_room(const struct device *device, size_t bytes, void **memory)
{
    return take_pair(
        PyObject_CallMethod(device->library, "room", "in", device->number, (Py_ssize_t)bytes),
        memory);
}
