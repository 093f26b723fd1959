/* SPDX-License-Identifier: MIT */
/* Opens views of buffers of Python, of capsules of DLPack, of objects that NumPy makes arrays of,
 * and of new arrays and copies. */
#include <string.h>

#include "dlpack.h"

/* ---- arrays of NumPy ---- */

/* What a dtype and an array of NumPy begin with. Modules that are built with NumPy's headers read
 * both, so they stay. */
struct dtype {
    PyObject_HEAD PyTypeObject *scalar;
    char kind;
    char letter;
    char order; /* of its bytes */
    char flags;
    int number;
};

struct ndarray {
    PyObject_HEAD unsigned char *data;
    int dimensions;
    Py_ssize_t *shape;
    Py_ssize_t *strides;
    PyObject *base;
    const struct dtype *dtype;
    int flags;
};
enum { NDARRAY_WRITEABLE = 0x400, NDARRAY_BOOL = 0 };

/* Types by NumPy's numbers: bool, integers, floats and complex numbers from short to long ones,
 * what is no number, float16. */
#define LONG(sign) (sizeof(long) == sizeof(int64_t) ? GPUENV_##sign##64 : GPUENV_##sign##32)
static const int types[] = {
    GPUENV_U8,   GPUENV_S8,   GPUENV_U8,  GPUENV_S16, GPUENV_U16, GPUENV_S32, GPUENV_U32,
    LONG(S),     LONG(U),     GPUENV_S64, GPUENV_U64, GPUENV_F32, GPUENV_F64, GPUENV_TYPE_NONE,
    GPUENV_CF32, GPUENV_CF64, 0,          0,          0,          0,          0,
    0,           0,           GPUENV_F16};

int view_array(struct view *view, PyObject *array, PyObject *object, const char *name)
{
    const struct ndarray *from = (struct ndarray *)array;
    const struct dtype *dtype = from->dtype;

    /* NumPy has -1 for types of users. */
    view->type = (unsigned)dtype->number < sizeof types / sizeof *types ? types[dtype->number]
                                                                        : GPUENV_TYPE_NONE;
    if (view->type == GPUENV_TYPE_NONE || from->dimensions > PyBUF_MAX_NDIM)
        return view_refuse_type(object, name);
    view->data = from->data;
    view->boolean = dtype->number == NDARRAY_BOOL;
    view->swapped = dtype->order == *view_types[view->type].swapped_format;
    view->readonly = (from->flags & NDARRAY_WRITEABLE) == 0;
    view->dimensions = from->dimensions;
    view->bytes = view_types[view->type].bytes;
    for (int d = 0; d < from->dimensions; d++) {
        view->shape[d] = from->shape[d];
        view->strides[d] = from->strides[d];
    }
    if (view_check_size(view, false, name) != 0)
        return -1;
    Py_INCREF(array);
    view->array = array;
    return 0;
}

/* Opens a buffer of Python, of which NumPy makes an array of the same memory. */
static int open_buffer(struct view *view, PyObject *object, const char *name)
{
    PyObject *memory = PyMemoryView_FromObject(object);
    PyObject *array = NULL;
    int failed = -1;

    if (memory != NULL)
        array = PyObject_CallFunctionObjArgs(shared.asarray, memory, NULL);
    if (array != NULL)
        failed = view_array(view, array, object, name);
    else if (PyErr_ExceptionMatches(PyExc_ValueError)) /* unknown types, and too many dimensions */
        (void)view_refuse_type(object, name);
    Py_XDECREF(memory);
    Py_XDECREF(array);
    return failed;
}

/* ---- where they are ---- */

/* Returns object.name, or NULL without an exception if there is none. */
static PyObject *find_attribute(PyObject *object, PyObject *name)
{
    PyObject *found = PyObject_GetAttr(object, name);

    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    return found;
}

static enum view_kind place_of(PyObject *device, int *number)
{
    PyObject *index;
    int kind;

    if (!PyTuple_Check(device) || !PyArg_ParseTuple(device, "iO", &kind, &index)) {
        (void)BAD_TYPE("__dlpack_device__() gave no device");
        return PLACE_FAILED;
    }
    if (kind == DLPACK_CPU || kind == DLPACK_CUDA_HOST)
        return PLACE_DLPACK;
    if (kind == DLPACK_CUDA || kind == DLPACK_CUDA_MANAGED) {
        *number = PyLong_Check(index) ? (int)PyLong_AsLong(index) : -1;
        return PyErr_Occurred() ? PLACE_FAILED : PLACE_DEVICE;
    }
    (void)BAD_VALUE("the array is on a device of DLPack's kind %d, which is not supported", kind);
    return PLACE_FAILED;
}

/* Types of arrays of CuPy and PyTorch, whose __dlpack_device__() is slow. */
static struct {
    PyTypeObject *type;
    int always; /* all its arrays are on a device */
} known[2];
enum { KNOWN = sizeof known / sizeof *known };

PyObject *view_register(PyObject *module, PyObject *arguments)
{
    PyTypeObject *type;
    int always;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!p:register", &PyType_Type, &type, &always))
        return NULL;
    for (int i = 0; i < KNOWN; i++) {
        if (known[i].type != NULL)
            continue;
        Py_INCREF((PyObject *)type);
        known[i].type = type;
        known[i].always = always;
        break;
    }
    Py_RETURN_NONE;
}

/* Has the object a known type, and is it on a device? */
static bool is_known(PyObject *object)
{
    PyObject *found;

    for (int i = 0; i < KNOWN && known[i].type != NULL; i++) {
        if (!PyObject_TypeCheck(object, known[i].type))
            continue;
        if (known[i].always)
            return true;
        found = PyObject_GetAttr(object, shared.words[WORD_IS_CUDA]);
        Py_XDECREF(found);
        return found == Py_True;
    }
    return false;
}

enum view_kind view_place(PyObject *object, int *number)
{
    PyObject *found;
    PyObject *device;
    enum view_kind place = PLACE_FAILED;

    *number = -1;
    if (shared_is(object, shared.ndarray))
        return PLACE_NUMPY;
    if (is_known(object))
        return PLACE_DEVICE;
    if (PyErr_Occurred())
        return PLACE_FAILED;
    found = find_attribute(object, shared.words[WORD_DLPACK_DEVICE]);
    if (found != NULL) {
        device = PyObject_CallNoArgs(found);
        Py_DECREF(found);
        if (device != NULL)
            place = place_of(device, number);
        Py_XDECREF(device);
        return place;
    }
    if (!PyErr_Occurred())
        found = find_attribute(object, shared.words[WORD_CUDA_INTERFACE]);
    if (PyErr_Occurred())
        return PLACE_FAILED;
    Py_XDECREF(found);
    return found != NULL                  ? PLACE_DEVICE
           : PyObject_CheckBuffer(object) ? PLACE_BUFFER
                                          : PLACE_CONVERT;
}

/* ---- what NumPy converts ---- */

static int open_converted(struct view *view, PyObject *object, const char *name)
{
    PyObject *array = PyObject_CallFunctionObjArgs(shared.convert, object, NULL);

    if (array == NULL)
        return -1;
    /* Errors of lists are about the array. */
    if (view_array(view, array, PyList_Check(object) || PyTuple_Check(object) ? array : object,
                   name) != 0) {
        Py_DECREF(array);
        return -1;
    }
    view->held = array;
    return 0;
}

/* ---- DLPack ---- */

static int open_dlpack(struct view *view, PyObject *object, const char *name)
{
    PyObject *capsule = dlpack_export(object);

    view->foreign = true;
    if (capsule != NULL)
        return dlpack_import(view, capsule, object, name);
    /* Libraries do not export all types: bool, for one, they only convert for NumPy. */
    if (!PyErr_ExceptionMatches(PyExc_Exception))
        return -1;
    PyErr_Clear();
    return open_converted(view, object, name);
}

/* ---- all of them ---- */

int view_refuse_device(const char *name)
{
#ifdef GPUENV_WITH_CUDA
    return BAD_VALUE("%s is on a CUDA device, and has to be in main memory here: copy it, as by "
                     "%s.get() of CuPy or %s.cpu() of PyTorch",
                     name, name, name);
#else
    return BAD_VALUE("%s is on a CUDA device, and this build of gpuenv has no CUDA", name);
#endif
}

int view_open(struct view *view, PyObject *object, const char *name)
{
    int number;
    const int opened = view_open_in_memory(view, object, name, &number);

    return opened == 1 ? view_refuse_device(name) : opened;
}

int view_open_in_memory(struct view *view, PyObject *object, const char *name, int *number)
{
    view_clear(view);
    if ((PyObject *)Py_TYPE(object) == shared.ndarray)
        return view_array(view, object, object, name);
    if (shared_is(object, shared.MaskedArray))
        return BAD_TYPE("%s is a masked array, whose mask would be lost: use "
                        "%s.astype(float).filled(numpy.nan) with nan='omit'",
                        name, name);
    switch (view_place(object, number)) {
    case PLACE_NUMPY:
        return view_array(view, object, object, name);
    case PLACE_BUFFER:
        return open_buffer(view, object, name);
    case PLACE_DLPACK:
        return open_dlpack(view, object, name);
    case PLACE_CONVERT:
        return open_converted(view, object, name);
    case PLACE_DEVICE:
        return 1;
    case PLACE_FAILED:
    default:
        return -1;
    }
}

PyObject *view_empty(struct view *view)
{
    PyObject *dtype = view_dtype(view);
    PyObject *array;

    Py_INCREF(dtype); /* the function takes it over */
    array = shared.make_empty(view->dimensions, view->shape, dtype, view_is_fortran(view));
    if (array != NULL)
        view->data = ((struct ndarray *)array)->data;
    return array;
}

void view_close(struct view *view)
{
    Py_CLEAR(view->array);
    Py_CLEAR(view->owner);
    Py_CLEAR(view->held);
}

void view_replace(struct view *view, const struct view *by)
{
    const bool foreign = view->foreign;
    PyObject *held = view->held;

    view->held = NULL;
    view_close(view);
    *view = *by;
    view->foreign = foreign;
    view->held = held;
}

int view_convert(struct view *view, PyObject *function, PyObject *argument)
{
    PyObject *array = view_numpy(view);
    PyObject *made =
        array != NULL ? PyObject_CallFunctionObjArgs(function, array, argument, NULL) : NULL;
    struct view by;
    const int failed = made != NULL ? view_open(&by, made, "x") : -1;

    Py_XDECREF(array);
    Py_XDECREF(made); /* the view has it */
    if (failed != 0)
        return -1;
    by.owner = view->array != NULL ? view->array : view->owner; /* what it may be a view of */
    Py_XINCREF(by.owner);
    view_replace(view, &by);
    return 0;
}

PyObject *view_check(PyObject *module, PyObject *object)
{
    struct view view;

    (void)module;
    if (view_open(&view, object, "x") != 0)
        return NULL;
    view_close(&view);
    Py_RETURN_NONE;
}
