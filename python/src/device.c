/* Arrays of CuPy and PyTorch are read by library.h. Those of other libraries come through DLPack,
 * whose producers are told our stream; or through __cuda_array_interface__, whose producers name
 * theirs, and ours waits for it. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "dlpack.h"

/* ---- streams */

static int read_handle(PyObject *number, void **stream)
{
    uintptr_t handle;

    if (library_take(number, &handle) != 0) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError))
            return -1;
        PyErr_SetString(PyExc_ValueError, "stream must be the address of a stream, 0, 1 or 2");
        return -1;
    }
    *stream = (void *)(handle == 1 ? 0 : handle); /* two names of the legacy stream */
    return 0;
}

/* NULL without an exception: there is no such attribute. */
static PyObject *find_number(PyObject *object, enum library_name name)
{
    PyObject *found = PyObject_GetAttr(object, library_names[name]);

    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    return found;
}

/* CUDA's protocol of streams: (version, address). */
static PyObject *read_protocol(PyObject *object)
{
    PyObject *found = find_number(object, NAME_STREAM_PROTOCOL);
    PyObject *pair = found;
    PyObject *number = NULL;

    if (found != NULL && PyCallable_Check(found)) {
        pair = PyObject_CallNoArgs(found);
        Py_DECREF(found);
    }
    if (pair == NULL)
        return NULL;
    if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2) {
        number = PyTuple_GET_ITEM(pair, 1);
        Py_INCREF(number);
    }
    Py_DECREF(pair);
    return number;
}

static int read_stream(PyObject *object, void **stream)
{
    PyObject *number;

    if (PyIndex_Check(object))
        return read_handle(PyNumber_Index(object), stream);
    number = find_number(object, NAME_PTR);
    if (number == NULL && !PyErr_Occurred())
        number = find_number(object, NAME_CUDA_STREAM);
    if (number == NULL && !PyErr_Occurred())
        number = read_protocol(object);
    if (number == NULL) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError,
                         "stream must be a stream of CuPy or PyTorch, an object with "
                         "__cuda_stream__, or an integer, not %.100s",
                         Py_TYPE(object)->tp_name);
        return -1;
    }
    return read_handle(number, stream);
}

static int wait_for(const struct device *device, int number, void *before)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    if (before == device->stream)
        return 0;
    if (gpuenv_cuda_wait(number, device->stream, before, true, &error) != GPUENV_OK)
        return shared_raise(&error);
    return 0;
}

/* ---- arrays of other libraries */

static int open_dlpack(const struct device *device, struct view *view, PyObject *object,
                       const char *name)
{
    PyObject *stream = PyLong_FromVoidPtr(device->stream != NULL ? device->stream : (void *)1);
    PyObject *capsule = stream != NULL ? view_export(object, stream) : NULL;

    Py_XDECREF(stream);
    return capsule != NULL ? view_import(view, capsule, object, name) : -1;
}

static int refuse_interface(const char *name)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%s has a __cuda_array_interface__ that cannot be read",
                     name);
    return -1;
}

/* '<f4', as NumPy writes it. */
static int read_typestr(struct view *view, PyObject *typestr)
{
    const char *text = typestr != NULL && PyUnicode_Check(typestr) ? PyUnicode_AsUTF8(typestr) : "";
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

    if (text == NULL || strlen(text) < 3 || strlen(text) > 4)
        return GPUENV_TYPE_NONE;
    view->bytes = (Py_ssize_t)strtol(text + 2, NULL, 10);
    view->boolean = text[1] == 'b' && view->bytes == 1;
    view->swapped = view->bytes > 1 && text[0] == (big ? '<' : '>');
    if (view->boolean)
        return GPUENV_U8;
    return view_type(text[1], view->bytes);
}

static int read_data(struct view *view, PyObject *data)
{
    PyObject *pointer;
    uintptr_t address;

    if (data == NULL || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 2)
        return -1;
    pointer = PyTuple_GET_ITEM(data, 0);
    Py_INCREF(pointer);
    if (library_take(pointer, &address) != 0)
        return -1;
    view->data = (unsigned char *)address;
    view->readonly = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1)) == 1;
    return 0;
}

static int read_interface(struct view *view, PyObject *interface, PyObject *object,
                          const char *name)
{
    PyObject *strides;
    PyObject *mask;

    if (!PyDict_Check(interface))
        return refuse_interface(name);
    strides = PyDict_GetItemString(interface, "strides");
    mask = PyDict_GetItemString(interface, "mask");
    if (mask != NULL && mask != Py_None) {
        PyErr_Format(PyExc_TypeError, "%s has a mask, which would be lost", name);
        return -1;
    }
    view->type = read_typestr(view, PyDict_GetItemString(interface, "typestr"));
    if (view->type == GPUENV_TYPE_NONE)
        return view_refuse_type(object, name);
    view->dimensions = library_tuple(PyDict_GetItemString(interface, "shape"), 1, view->room[0]);
    if (view->dimensions < 0 || read_data(view, PyDict_GetItemString(interface, "data")) != 0)
        return refuse_interface(name);
    view->shape = view->room[0];
    view->strides = strides == NULL || strides == Py_None ? NULL : view->room[1];
    if (view->strides != NULL && library_tuple(strides, 1, view->room[1]) != view->dimensions)
        return refuse_interface(name);
    return view_check_size(view, name);
}

static int open_interface(const struct device *device, struct view *view, PyObject *object,
                          const char *name)
{
    PyObject *interface = PyObject_GetAttr(object, library_names[NAME_CUDA_ARRAY]);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyObject *before;
    void *stream;
    int failed;

    if (interface == NULL)
        return -1;
    failed = read_interface(view, interface, object, name);
    if (failed == 0 && !view_is_empty(view)) {
        if (gpuenv_cuda_device(view->data, &view->device, &error) != GPUENV_OK) {
            PyErr_Format(PyExc_ValueError, "%s is not in the memory of a CUDA device: %s", name,
                         error.text);
            failed = -1;
        }
        /* None: the producer asks for nothing. */
        before = PyDict_CheckExact(interface) ? PyDict_GetItemString(interface, "stream") : NULL;
        if (failed == 0 && before != NULL && before != Py_None) {
            Py_INCREF(before);
            failed = read_handle(before, &stream);
            if (failed == 0)
                failed = wait_for(device, view->device, stream);
        }
    }
    Py_DECREF(interface);
    return failed;
}

static int open_other(const struct device *device, struct view *view, PyObject *object,
                      const char *name)
{
    const bool has_dlpack = PyObject_HasAttr(object, shared.dlpack) != 0;
    const bool has_interface = PyObject_HasAttr(object, library_names[NAME_CUDA_ARRAY]) != 0;

    view->device = -1; /* not known, as of arrays without samples */
    if (has_dlpack) {
        if (open_dlpack(device, view, object, name) == 0)
            return 0;
        /* Libraries do not export all types by it. */
        if (!has_interface || !PyErr_ExceptionMatches(PyExc_Exception))
            return -1;
        PyErr_Clear();
    }
    return open_interface(device, view, object, name);
}

/* ---- what the kernels take */

static int check(const struct view *view, const char *name)
{
    const Py_ssize_t bytes = view->bytes > 8 ? view->bytes / 2 : view->bytes;
    bool aligned = (uintptr_t)view->data % (size_t)bytes == 0;

    if (view->type == GPUENV_S64 || view->type == GPUENV_U64) {
        PyErr_Format(PyExc_ValueError,
                     "%s has integers of 64 bits, which are not filtered on a device: convert them "
                     "to float64",
                     name);
        return -1;
    }
    for (int i = 0; i < view->dimensions; i++)
        aligned = aligned && (view->shape[i] < 2 || view->strides[i] % bytes == 0);
    if (aligned || view_is_empty(view))
        return 0;
    PyErr_Format(PyExc_ValueError, "%s has samples that are not aligned: copy it first", name);
    return -1;
}

/* ---- calls */

static int enter(struct device *device)
{
    PyObject *functions = PyImport_ImportModule("gpuenv._device");

    if (functions == NULL)
        return -1;
    device->within = PyObject_CallMethod(functions, "within", "siN", device->library->module,
                                         device->number, PyLong_FromVoidPtr(device->stream));
    Py_DECREF(functions);
    return device->within != NULL ? 0 : -1;
}

/* Tells an allocator that its memory is used on another stream than its own. */
static int use(const struct device *device, const struct library *library, PyObject *object)
{
    PyObject *done;

    if (device->within == NULL || library != device->library)
        return 0;
    done = PyObject_CallMethod(device->within, "use", "O", object);
    Py_XDECREF(done);
    return done != NULL ? 0 : -1;
}

static int begin(struct device *device, struct view *view, PyObject *x, PyObject *stream)
{
    uintptr_t current;
    int here;

    device->library = library_of(x, false);
    if (device->library == NULL && !PyErr_Occurred())
        device->library = library_of(x, true);
    if (PyErr_Occurred() || (stream != NULL && read_stream(stream, &device->stream) != 0))
        return -1;
    device->foreign = device->library == NULL;
    if (device->foreign) {
        if (open_other(device, view, x, "x") != 0)
            return -1;
        device->library = library_any();
        if (device->library == NULL)
            return -1;
    } else if (device->library->open(view, x, "x") != 0) {
        return -1;
    }
    if (check(view, "x") != 0)
        return -1;
    here = device->library->current_device();
    if (here == -2)
        return -1;
    if (view->device < 0)
        view->device = here < 0 ? 0 : here;
    device->number = view->device;
    if (device->library->current_stream(device->number, &current) != 0)
        return -1;
    if (stream == NULL && !device->foreign)
        device->stream = (void *)current;
    if ((here < 0 || here == device->number) && device->stream == (void *)current)
        return 0;
    if (!device->foreign && wait_for(device, device->number, (void *)current) != 0)
        return -1;
    if (enter(device) != 0)
        return -1;
    return device->foreign ? 0 : use(device, device->library, x);
}

int device_begin(struct device *device, struct view *view, PyObject *x, PyObject *stream)
{
    *device = (struct device){0};
    view_clear(view);
    if (begin(device, view, x, stream) == 0)
        return 0;
    view_close(view);
    device_end(device);
    return -1;
}

void device_end(struct device *device)
{
    PyObject *type;
    PyObject *value;
    PyObject *trace;
    PyObject *done;

    if (device->within == NULL)
        return;
    PyErr_Fetch(&type, &value, &trace); /* of the call */
    done = PyObject_CallMethod(device->within, "close", NULL);
    if (done == NULL)
        PyErr_WriteUnraisable(device->within);
    Py_XDECREF(done);
    Py_CLEAR(device->within);
    PyErr_Restore(type, value, trace);
}

static int open_out(struct device *device, struct view *view, PyObject *object)
{
    const struct library *library = library_of(object, false);
    uintptr_t current;
    enum place place;

    if (library == NULL && !PyErr_Occurred())
        library = library_of(object, true);
    if (PyErr_Occurred())
        return -1;
    if (library == NULL) {
        place = view_place(object);
        if (place == PLACE_DEVICE)
            return open_other(device, view, object, "out");
        if (place != PLACE_FAILED)
            PyErr_SetString(PyExc_ValueError, "x is on a CUDA device, and out is not");
        return -1;
    }
    if (library->open(view, object, "out") != 0)
        return -1;
    if (library != device->library || device->foreign) {
        if (library->current_stream(view->device, &current) != 0 ||
            wait_for(device, view->device, (void *)current) != 0)
            return -1;
        if ((void *)current != device->stream)
            device->reader[device->readers++] = (void *)current;
    }
    return use(device, library, object);
}

int device_open_out(struct device *device, struct view *view, PyObject *object)
{
    view_clear(view);
    if (open_out(device, view, object) == 0) {
        if (view->device < 0 || view->device == device->number) {
            if (check(view, "out") == 0)
                return 0;
        } else {
            PyErr_Format(PyExc_ValueError, "x is on the device cuda:%d, and out on cuda:%d",
                         device->number, view->device);
        }
    }
    view_close(view);
    return -1;
}

PyObject *device_empty(const struct device *device, struct view *view, const struct view *like,
                       const Py_ssize_t *shape, int type, bool boolean)
{
    view_clear(view);
    view->device = device->number;
    view->type = type;
    view->boolean = boolean;
    view->bytes = view_type_bytes(type);
    view->dimensions = like->dimensions;
    memcpy(view->room[0], shape, (size_t)like->dimensions * sizeof *shape);
    view->shape = view->room[0];
    return device->library->empty(view, view_is_fortran(like));
}

PyObject *device_give(const struct device *device, PyObject *x, PyObject *result)
{
    PyObject *functions;
    PyObject *given;

    if (!device->foreign) {
        Py_INCREF(result);
        return result;
    }
    functions = PyImport_ImportModule("gpuenv._device");
    given = functions != NULL ? PyObject_CallMethod(functions, "give_back", "OO", x, result) : NULL;
    Py_XDECREF(functions);
    return given;
}
