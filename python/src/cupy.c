/* CuPy. An array has a pointer, a shape, distances in bytes, and a type of NumPy; each attribute is
 * read by itself, because __cuda_array_interface__ makes a dict of them all, and text of the type.
 */
#include "library.h"

static struct {
    PyTypeObject *ndarray;
    PyObject *alloc;
    PyObject *current_stream;
    PyObject *current_device;
    PyObject *numbers[16]; /* of devices */
} cupy;

static int find(PyObject *module)
{
    PyObject *type = library_find(module, "ndarray");

    cupy.alloc = library_find(module, "cuda.alloc");
    cupy.current_stream = library_find(module, "cuda.get_current_stream");
    cupy.current_device = library_find(module, "cuda.runtime.getDevice");
    if (type == NULL || !PyType_Check(type) || cupy.alloc == NULL || cupy.current_stream == NULL ||
        cupy.current_device == NULL) {
        Py_XDECREF(type);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "cupy.ndarray is not a type");
        return -1;
    }
    cupy.ndarray = (PyTypeObject *)type;
    return 0;
}

static PyTypeObject *type_of_arrays(void)
{
    return cupy.ndarray;
}

static int is_on_device(PyObject *object)
{
    (void)object;
    return 1;
}

static int read_type(struct view *view, PyObject *dtype)
{
    int type = GPUENV_TYPE_NONE;

    /* Almost always NumPy's own objects. */
    for (int i = 0; i < TYPES && type == GPUENV_TYPE_NONE; i++) {
        if (dtype == shared.dtypes[i])
            type = i;
    }
    for (int i = 0; i < TYPES && type == GPUENV_TYPE_NONE; i++) {
        const int equal =
            shared.dtypes[i] != NULL ? PyObject_RichCompareBool(dtype, shared.dtypes[i], Py_EQ) : 0;

        if (equal < 0)
            return -1;
        if (equal == 1)
            type = i;
    }
    if (type == GPUENV_TYPE_NONE &&
        PyObject_RichCompareBool(dtype, shared.dtype_bool, Py_EQ) == 1) {
        view->boolean = true;
        type = GPUENV_U8;
    }
    view->type = type;
    view->bytes = view_type_bytes(type);
    return PyErr_Occurred() ? -1 : 0;
}

static int open(struct view *view, PyObject *object, const char *name)
{
    PyObject *data = PyObject_GetAttr(object, library_names[NAME_DATA]);
    PyObject *shape;
    PyObject *strides;
    PyObject *dtype;
    uintptr_t pointer;
    uintptr_t device;
    int failed;

    if (data == NULL)
        return -1;
    failed = library_number(data, NAME_PTR, &pointer);
    failed = failed || library_number(data, NAME_DEVICE_ID, &device);
    Py_DECREF(data);
    if (failed)
        return -1;
    view->data = (unsigned char *)pointer;
    view->device = (int)device;
    dtype = PyObject_GetAttr(object, library_names[NAME_DTYPE]);
    if (dtype == NULL)
        return -1;
    failed = read_type(view, dtype);
    Py_DECREF(dtype);
    if (failed)
        return -1;
    if (view->type == GPUENV_TYPE_NONE)
        return view_refuse_type(object, name);
    shape = PyObject_GetAttr(object, library_names[NAME_SHAPE]);
    strides = shape != NULL ? PyObject_GetAttr(object, library_names[NAME_STRIDES]) : NULL;
    view->dimensions = library_tuple(shape, 1, view->room[0]);
    failed = view->dimensions < 0 || library_tuple(strides, 1, view->room[1]) != view->dimensions;
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    view->shape = view->room[0];
    view->strides = view->room[1];
    return failed ? -1 : 0;
}

static PyObject *number_of(int device)
{
    if (device >= (int)(sizeof cupy.numbers / sizeof *cupy.numbers))
        return PyLong_FromLong(device);
    if (cupy.numbers[device] == NULL)
        cupy.numbers[device] = PyLong_FromLong(device);
    Py_XINCREF(cupy.numbers[device]);
    return cupy.numbers[device];
}

static int current_stream(int device, uintptr_t *stream)
{
    PyObject *number = number_of(device);
    PyObject *object = number != NULL ? PyObject_CallOneArg(cupy.current_stream, number) : NULL;
    int failed = object != NULL ? library_number(object, NAME_PTR, stream) : -1;

    Py_XDECREF(number);
    Py_XDECREF(object);
    return failed;
}

static int current_device(void)
{
    uintptr_t device;

    return library_take(PyObject_CallNoArgs(cupy.current_device), &device) == 0 ? (int)device : -2;
}

static int read_pointer(PyObject *memory, uintptr_t *pointer)
{
    int failed = memory != NULL ? library_number(memory, NAME_PTR, pointer) : -1;

    Py_XDECREF(memory);
    return failed;
}

/* As cupy.empty(), which calls the type. */
static PyObject *empty(struct view *view, bool fortran)
{
    PyObject *shape = library_make_tuple(view->shape, view->dimensions, 1);
    PyObject *dtype = view->boolean ? shared.dtype_bool : shared.dtypes[view->type];
    PyObject *arguments[] = {shape, dtype, Py_None, Py_None, shared.order_f};
    PyObject *array;
    uintptr_t pointer;

    if (shape == NULL)
        return NULL;
    array = PyObject_Vectorcall((PyObject *)cupy.ndarray, arguments, fortran ? 5 : 2, NULL);
    Py_DECREF(shape);
    if (array != NULL &&
        read_pointer(PyObject_GetAttr(array, library_names[NAME_DATA]), &pointer) != 0)
        Py_CLEAR(array);
    if (array != NULL)
        view->data = (unsigned char *)pointer;
    view_pack(view, fortran);
    return array;
}

static PyObject *room(int device, size_t bytes, void **memory)
{
    PyObject *size = PyLong_FromSize_t(bytes);
    PyObject *object = size != NULL ? PyObject_CallOneArg(cupy.alloc, size) : NULL;
    uintptr_t pointer;

    (void)device; /* the current one */
    Py_XDECREF(size);
    if (object != NULL && library_number(object, NAME_PTR, &pointer) != 0)
        Py_CLEAR(object);
    if (object != NULL)
        *memory = (void *)pointer;
    return object;
}

const struct library library_cupy = {
    .module = "cupy",
    .find = find,
    .type = type_of_arrays,
    .is_on_device = is_on_device,
    .open = open,
    .current_stream = current_stream,
    .current_device = current_device,
    .empty = empty,
    .room = room,
};
